/** The pictures of what people are asked and what they have at hand: questions, drafts, edits, permissions, freeze, Home. */
import { ask, picture, threadPicture, type Set } from './pictures.ts';
import { APPROVALS, GENERAL, gone, sees, Visitor } from './visitor.ts';

/** A question and its form, several at once, and a choice for those who may decide. */
export async function questions(set: Set): Promise<void> {
  const { dana, mia } = set;
  await dana.write('@Countersign plan a lunch');
  await dana.openThread('plan a lunch');
  await sees(dana.thread.getByText('Which days would do?'));
  await threadPicture(set, 'question', 'plan a lunch', 700);
  const days = dana.thread.locator('article.message', { hasText: 'Which days' });
  await dana.control(days, 'answer').click();
  await dana.form.getByRole('checkbox', { name: 'Monday' }).check();
  await picture('form-answer', dana.form);
  await dana.form.getByRole('button', { name: 'Answer' }).click();
  await sees(days.getByText('Answered by'));

  const card = await ask(set, 'roll back billing', 'Roll billing back');
  await sees(card.getByRole('button', { name: 'None of these' }));
  await picture('card-choice', card);
  await card.getByRole('button', { name: 'v41 (yesterday)' }).click();
  await sees(mia.card('✅ Choose: “Roll billing back'));
}

/** An expert's review between two agents. */
export async function draftReviewed({ mia, dana, house, browser }: Set): Promise<void> {
  await dana.write('@Countersign write a contract with Acme');
  const draft = mia.page.locator('section.channel article.message', { hasText: 'Draft for review' }).last();
  await sees(draft);
  await mia.become('Noor Aziz');
  await picture('review', draft);
  await mia.control(draft, 'edit_draft').click();
  const text = mia.form.getByLabel('Draft');
  await text.fill((await text.inputValue()).replace('30 days', '20 days'));
  await picture('form-draft', mia.form);
  await mia.form.getByRole('button', { name: 'Accept as edited' }).click();
  await sees(draft.getByText('Edited and accepted by'));
  await mia.become('Mia Chen');
  await mia.control(mia.card('⏳ Write contract-acme.txt'), 'approve').click();
  await sees(mia.card('✅ Write contract-acme.txt'));
  await sees(dana.page.locator('section.channel article.message').last().getByText('replies'));
  await threadPicture({ mia, dana, house, browser }, 'thread-agents', 'write a contract with Acme', 700);
}

async function asking(set: Set): Promise<void> {
  const { mia, dana } = set;
  const card = await ask(set, 'run echo deploy', '⏳ Run echo deploy');
  await mia.control(card, 'more').click();
  await picture('card-more', card, mia.page.locator('.menu:popover-open'));
  await mia.page.keyboard.press('Escape');
  await mia.choose(card, 'Ask Dana');
  await mia.form.getByLabel('Your question').fill('Which cluster?');
  await picture('form-ask', mia.form);
  await mia.form.getByRole('button', { name: 'Send' }).click();
  await gone(mia.form);
  await dana.openThread('run echo deploy');
  await sees(dana.thread.getByText('asks before deciding'));
  await dana.write('eu-1', 'thread');
  await sees(card.getByText('“eu-1”'));
  await picture('card-asked', card);
}

async function editing({ mia }: Set): Promise<void> {
  await mia.control(mia.card('⏳ Run echo deploy'), 'edit').click();
  await mia.form.getByLabel('argv').fill('echo\ndeploy\neu-1');
  await picture('form-edit', mia.form);
  await mia.form.getByRole('button', { name: 'Show what would run' }).click();
  await sees(mia.form.getByRole('button', { name: 'Approve edited' }));
  await picture('form-edit-confirm', mia.form);
  await mia.form.getByRole('button', { name: 'Approve edited' }).click();
  await sees(mia.card('✅ Run echo deploy eu-1'));
  await picture('card-edited', mia.card('✅ Run echo deploy eu-1'));
}

async function allowing(set: Set): Promise<void> {
  const { mia } = set;
  const card = await ask(set, 'run echo status', '⏳ Run echo status');
  await mia.choose(card, 'Approve, allow for a while');
  await sees(mia.form.getByLabel('How often'));
  await picture('form-grant', mia.form);
  await mia.form.getByRole('button', { name: 'Approve and allow' }).click();
  await sees(mia.card('✅ Run echo status').getByText('also allowed'));
  await picture('card-allowed', mia.card('✅ Run echo status'));
}

async function lookingUp({ mia, browser, house }: Set): Promise<void> {
  await mia.useShortcut(mia.card('✅ Run echo deploy eu-1'), 'Show record');
  await sees(mia.form.getByText('Decided'));
  await picture('record', mia.form);
  await mia.page.keyboard.press('Escape');
  await gone(mia.form);

  const look = await Visitor.open(browser, house.url, 'Dana', GENERAL, { width: 1040, height: 520 });
  await look.openThread('run echo deploy');
  await look.thread.getByRole('button', { name: 'Inspect' }).click();
  const pane = look.page.locator('.inspector');
  const row = pane.locator('.commit', { hasText: 'Mia Chen edited' }).first();
  await row.click();
  await row.evaluate(element => element.scrollIntoView({ block: 'start' }));
  await picture('inspector', look);
  await look.page.close();

  const high = await Visitor.open(browser, house.url, 'Dana', GENERAL, { width: 976, height: 1200 });
  await high.write('/countersign');
  await sees(high.privately('Lately'));
  await picture('command', high.privately('Lately'));
  await high.page.close();
}

async function home({ mia, browser, house }: Set): Promise<void> {
  const big = await Visitor.open(browser, house.url, 'Mia', null, { width: 1280, height: 620 });
  await big.goHome();
  await sees(big.home.getByText('Lately'));
  await picture('home', big);
  await big.home.getByRole('button', { name: 'Freeze' }).click();
  await big.form.getByLabel('Why').fill('bad deploy');
  await picture('form-freeze', big.form);
  await big.form.getByRole('button', { name: 'Freeze' }).click();
  await sees(big.page.getByText('Nothing is running.'));
  await picture('form-frozen', big.form);
  await big.close('Everything is frozen');
  await sees(mia.card('⏳ Run echo report').getByText('Frozen by'));
  await picture('card-frozen', mia.card('⏳ Run echo report'));
  await big.become('Ana Ruiz');
  await big.goHome();
  await big.home.getByRole('button', { name: 'Unfreeze' }).click();
  await big.question.getByRole('button', { name: 'Unfreeze' }).click();
  await gone(mia.card('⏳ Run echo report').getByText('Frozen by'));
  await big.page.close();
}

/** On a phone, in the dark. */
async function atNight({ browser, house }: Set): Promise<void> {
  const phone = { width: 390, height: 844, dark: true, sharpness: 1.5 };
  const mia = await Visitor.open(browser, house.url, 'Mia', APPROVALS, phone);
  await sees(mia.card('⏳ Run echo report'));
  await picture('phone-dark', mia);
  await mia.page.goto(`${house.url}/#/home?user=U0MIA0001`);
  await sees(mia.home.getByText('Lately'));
  await picture('home-phone-dark', mia);
  await mia.page.close();
}

/** Asking back, editing, allowing, looking up, Home and freezing. */
export async function surfaces(set: Set): Promise<void> {
  await asking(set);
  await editing(set);
  await allowing(set);
  await lookingUp(set);
  await ask(set, 'run echo report', '⏳ Run echo report');
  await home(set);
  await atNight(set);
}
