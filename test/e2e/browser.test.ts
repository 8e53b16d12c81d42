/** The whole story in a browser: people of the embedded workspace at the page of a running Countersign. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { describeAtDesks } from './desks.ts';
import { APPROVALS, GENERAL, gone, OPS, sees, Visitor } from './visitor.ts';

/** A line of text on a phone; the first screen has 18 of them. */
const LINE_PX = 22;

describeAtDesks('the page of a running Countersign', { deskIn: GENERAL }, desks => {
  const { dana, desk } = desks;

  it('completes the mention, shows that it is at work, and marks the card as unread for who may decide', async () => {
    const release = desks.house.holdModel();
    const box = dana.page.locator('textarea[data-composer=channel]');
    await box.pressSequentially('@Cou');
    await sees(dana.page.getByRole('option', { name: /Countersign/ }));
    await box.press('Enter');
    await box.pressSequentially('run echo hello');
    await box.press('Enter');
    await sees(dana.page.locator('[data-status-thread]', { hasText: 'Countersign is thinking …' }));
    release();
    await sees(desk.link(APPROVALS).and(desk.page.locator('[data-unread="1"]')));
    await sees(desk.page.locator('[data-notice=ring]', { hasText: 'Approve? Run echo hello · Dana · until' }));
    await gone(dana.page.locator('[data-status-thread]'));

    await dana.openThread('run echo hello');
    await sees(dana.thread.getByText('Waiting for approval: Run echo hello'));
    await desk.goTo(APPROVALS);
    await sees(desk.page.getByRole('separator').filter({ hasText: 'New' }));
    await sees(desk.link(APPROVALS).and(desk.page.locator('[data-unread="0"]')));
    expect(await desk.control(desk.card('Run echo hello'), 'approve').count()).toBe(1);
  });

  it.each([
    ['Dana Ito', 'You asked for this, so somebody else decides: SRE. You can cancel it in the thread.'],
    ['Otto Berg', 'SRE decides this, and you are not in it. Nothing was changed.'],
    ['Gus Hale', 'Guests cannot decide.'],
    ['Petra Wolf', 'People from other organisations cannot decide.'],
    ['Dee Moss', 'This account is deactivated.'],
  ])('refuses the click of %s privately, and the card stays live [F-D1, T-A12d]', async (name, sentence) => {
    await desk.become(name);
    const card = desk.card('Run echo hello');
    await desk.control(card, 'approve').click();
    await sees(desk.privately(sentence));
    expect(await desk.control(card, 'approve').isEnabled()).toBe(true);
    expect(await dana.page.getByText(sentence).count()).toBe(0);
  });

  it('runs what somebody entitled approved, and shows what came of it on the card and in the thread', async () => {
    await desk.become('Mia Chen');
    const card = desk.card('Run echo hello');
    await desk.control(card, 'approve').click();
    await gone(desk.control(card, 'approve'));
    await sees(desk.card('✅ Run echo hello').locator('pre', { hasText: /^hello$/ }));
    await sees(card.getByText('Approved by @Mia Chen'));
    await sees(dana.thread.getByText(/✅ Done .*: Run echo hello · approved by @Mia Chen/));
    await sees(dana.thread.getByText('@Dana Ito Run echo hello: hello'));
    expect(await dana.thread.locator('article.message').count()).toBe(3);
  });

  it('takes a rejection with its reason to the card, the thread and the agent', async () => {
    await dana.ask('run echo no');
    await sees(dana.thread.getByText('Waiting for approval: Run echo no'));
    const card = desk.card('Run echo no');
    await desk.control(card, 'reject').click();
    await sees(desk.form.getByRole('heading', { name: 'Reject this request' }));
    await desk.form.getByLabel('Reason (Dana and the agent will read it)').fill('Not during the sale.');
    await desk.form.getByRole('radio', { name: 'Only reading from here on' }).check();
    await desk.form.getByRole('button', { name: 'Reject' }).click();
    await gone(desk.form);
    await sees(desk.card('✋ Run echo no').getByText('Only reading from here on.'));
    await sees(card.locator('blockquote', { hasText: '“Not during the sale.”' }));
    await sees(dana.thread.getByText('Rejected by @Mia Chen: “Not during the sale.” Nothing ran.'));
    await sees(dana.thread.getByText('Run echo no did not run'));
    expect(await dana.thread.locator('article.message').count()).toBe(3);
  });

  it('settles three calls of one turn each by itself, and asks before a file is deleted', async () => {
    await dana.write('@Countersign list notes, delete notes/old.txt and write "hi" to hello.txt');
    await sees(desk.card('Write hello.txt'));
    await dana.openThread('list notes, delete');
    await sees(dana.thread.getByText('1 of 3 done, 2 wait'));
    await sees(dana.thread.getByText('✅ List notes'));

    await desk.control(desk.card('Write hello.txt'), 'reject').click();
    await desk.form.getByRole('button', { name: 'Reject' }).click();
    await sees(desk.card('✋ Write hello.txt'));
    await desk.control(desk.card('Delete notes/old.txt'), 'approve').click();
    await sees(desk.question.getByText('Delete notes/old.txt. It runs as soon as you have approved.'));
    await desk.question.getByRole('button', { name: 'Back' }).click();
    await gone(desk.question);
    await desk.control(desk.card('Delete notes/old.txt'), 'approve').click();
    await desk.question.getByRole('button', { name: 'Approve' }).click();
    await sees(desk.card('✅ Delete notes/old.txt'));
    await sees(dana.thread.getByText('2 of 3 done, 1 did not run'));
    await sees(dana.thread.getByText('Delete notes/old.txt: Deleted notes/old.txt.'));
    expect(existsSync(desks.house.project('notes/old.txt'))).toBe(false);
    expect(existsSync(desks.house.project('hello.txt'))).toBe(false);
  });

  it('shows approvers what the requester wrote since, and refuses a decision that was begun before it', async () => {
    await dana.write('@Countersign run echo first');
    const card = desk.card('Run echo first');
    const approve = desk.control(card, 'approve');
    await desk.control(card, 'reject').click();
    await desk.form.getByLabel('Reason').fill('Why?');
    await dana.openThread('run echo first');
    await sees(dana.thread.getByText('Waiting for approval: Run echo first'));
    await dana.write('sorry, I meant second', 'thread');
    await sees(card.getByText('“sorry, I meant second”'));
    await desk.form.getByRole('button', { name: 'Reject' }).click();
    await desk.close('Dana has written since you opened this. Look at the card again, then decide.');
    expect(await approve.isVisible()).toBe(true);

    await sees(dana.thread.getByText('I have this, and the approvers see it on the card.'));
    await dana.control(dana.thread, 'keep_waiting').click();
    await gone(dana.control(dana.thread, 'use_instead'));
    expect(await approve.isVisible()).toBe(true);
  });

  it('puts a new message in the place of what waits, when the requester wants that', async () => {
    await dana.write('@Countersign run echo wrong');
    await sees(desk.card('⏳ Run echo wrong'));
    await dana.openThread('run echo wrong');
    await sees(dana.thread.getByText('Waiting for approval: Run echo wrong'));
    await dana.write('run echo right', 'thread');
    await dana.control(dana.thread, 'use_instead').click();
    await sees(desk.card('↩️ Run echo wrong').getByText('sent a new request instead.'));
    await desk.control(desk.card('⏳ Run echo right'), 'approve').click();
    await sees(dana.thread.getByText('Run echo right: right'));
    expect(await desk.cards('Run echo wrong').count()).toBe(1);
  });

  it('withdraws a request by the button or by the word', async () => {
    await dana.write('@Countersign run echo cancelled');
    await sees(desk.card('⏳ Run echo cancelled'));
    await dana.openThread('run echo cancelled');
    await dana.control(dana.thread, 'cancel').click();
    await dana.question.getByRole('button', { name: 'Cancel it' }).click();
    await sees(dana.thread.getByText('↩️ Cancelled. Nothing ran.'));
    await sees(desk.card('↩️ Run echo cancelled').getByText('Withdrawn'));

    await dana.write('@Countersign run echo again');
    await sees(desk.card('⏳ Run echo again'));
    await dana.openThread('run echo again');
    await dana.write('cancel', 'thread');
    await sees(desk.card('↩️ Run echo again'));
    await sees(dana.thread.getByText('↩️ Cancelled. Nothing ran.'));
    expect(await desk.card('Run echo again').getByRole('button').filter({ hasText: /\w/ }).count()).toBe(0);
  });

  it('shows a call that is too long for the card whole in a form before it can be approved', async () => {
    const text = Array.from({ length: 60 }, (_, line) => `line ${line + 1} of a long text`).join('; ');
    await dana.write(`@Countersign write "${text}" to long.txt`);
    const card = desk.card('Write long.txt');
    await sees(card.getByText('There is more than fits here. Review to approve shows everything.'));
    expect(await desk.control(card, 'approve').count()).toBe(0);
    await card.getByRole('button', { name: 'Review to approve' }).click();
    await sees(desk.form.getByText('line 60 of a long text'));
    await desk.form.getByRole('button', { name: 'Approve' }).click();
    await sees(desk.card('✅ Write long.txt'));
    await gone(desk.form);
  });

  it('lets a request expire without a name, and its requester ask again', async () => {
    await desk.goTo(OPS);
    await dana.write('@Countersign run date');
    await sees(desk.card('⌛ Run date').getByText('nobody decided. Nothing ran.'));
    expect(await desk.cards('Run date').count()).toBe(1);
    await dana.openThread('run date');
    await sees(dana.thread.getByText(/⌛ Nobody decided by .* Nothing ran\.$/));
    await dana.control(dana.thread, 'ask_again').click();
    await sees(dana.thread.getByText(/⌛ Nobody decided by .* Nothing ran\. · asked again/));
    await sees(desk.cards('Run date').nth(1));
  });

  it('waits for two distinct people where the rule says so', async () => {
    await dana.write('@Countersign run pwd');
    await dana.openThread('run pwd');
    await desk.control(desk.card('Run pwd'), 'approve').click();
    await sees(desk.card('⏳ Run pwd').getByText('1 more needed, not @Mia Chen'));
    await sees(dana.thread.getByText(/SRE or Leads decide, 1 needed/));
    await desk.control(desk.card('Run pwd'), 'approve').click();
    await sees(desk.privately('1 more person is needed.'));
    await desk.become('Ana Ruiz');
    await desk.control(desk.card('Run pwd'), 'approve').click();
    await sees(desk.card('✅ Run pwd').getByText(/Approved by @Mia Chen .*, @Ana Ruiz/));
    expect(await desk.cards('Run pwd').count()).toBe(1);
    await desk.become('Mia Chen');
    await desk.goTo(APPROVALS);
  });

  it('asks again when what was shown has changed before it would run', async () => {
    await writeFile(desks.house.project('plan.txt'), 'one\n');
    await dana.write('@Countersign delete plan.txt');
    await sees(desk.card('⏳ Delete plan.txt'));
    await writeFile(desks.house.project('plan.txt'), 'something else\n');
    await desk.control(desk.card('⏳ Delete plan.txt'), 'approve').click();
    await desk.question.getByRole('button', { name: 'Approve' }).click();
    await sees(desk.card('🔁 Delete plan.txt').getByText('(no longer counts)'));
    const again = desk.card('⏳ Delete plan.txt');
    await sees(again.getByText('Asked again (2nd time)'));
    await sees(desk.card('🔁 Delete plan.txt').getByRole('link', { name: 'new card' }));
    await desk.control(again, 'approve').click();
    await desk.question.getByRole('button', { name: 'Approve' }).click();
    await sees(desk.card('✅ Delete plan.txt'));
    expect(existsSync(desks.house.project('plan.txt'))).toBe(false);
  });

  it('can be used by keys alone: write, send, find the card, approve, answer the question', async () => {
    await writeFile(desks.house.project('keys.txt'), 'to be deleted\n');
    await dana.page.keyboard.press('Escape');
    const asks = dana.page.keyboard;
    await dana.page.locator('textarea[data-composer=channel]').focus();
    await asks.type('@Countersign delete keys.txt');
    await asks.press('Enter');
    const card = desk.card('⏳ Delete keys.txt');
    await sees(card);

    const { keyboard } = desk.page;
    const switcher = desk.page.locator('dialog.switcher');
    await keyboard.press('Escape');
    await keyboard.press('Control+k');
    await sees(switcher);
    await sees(switcher.locator('input:focus'));
    await keyboard.type('appro');
    await sees(switcher.getByRole('option').first().getByText('approvals'));
    await keyboard.press('Enter');
    await gone(switcher);
    await desk.page.getByRole('log', { name: 'Messages in #approvals' }).focus();
    await keyboard.press('ArrowUp');
    const newest = { has: desk.page.locator('h3', { hasText: 'Delete keys.txt' }) };
    await sees(desk.page.locator('article.message:focus').filter(newest));
    const focused = desk.page.locator(':focus');
    for (let step = 0; step < 12 && (await focused.getAttribute('data-action-id')) !== 'approve'; step += 1)
      await keyboard.press('Tab');
    expect(await focused.getAttribute('data-action-id')).toBe('approve');
    await keyboard.press('Enter');
    await sees(desk.question);
    await sees(desk.question.locator(':focus'));
    while ((await focused.textContent())?.trim() !== 'Approve') await keyboard.press('Tab');
    await keyboard.press('Enter');
    await sees(desk.card('✅ Delete keys.txt'));
  });

  it('says that nobody answers, and is live again by itself, with everything that waited', async () => {
    await desks.house.leaveSlack();
    await sees(dana.page.getByText('Countersign is not running; what you write waits'));
    await dana.write('@Countersign run echo meanwhile');
    await desks.house.stop();
    await sees(dana.page.locator('[data-banner=workspace]'));
    await desks.house.start();
    await gone(dana.page.locator('[data-banner]'));
    await gone(desk.page.locator('[data-banner]'));
    await desk.control(desk.card('⏳ Run echo meanwhile'), 'approve').click();
    await sees(desk.card('✅ Run echo meanwhile'));
    // What waited before the stop waits still.
    await desk.control(desk.card('⏳ Run echo first'), 'approve').click();
    await sees(desk.card('✅ Run echo first'));
    expect(await desk.cards('Run echo meanwhile').count()).toBe(1);
  });

  it('fits a phone: from the list to the card, approved with a thumb, nothing wider than the screen', async () => {
    const phone = await Visitor.open(desks.browser, desks.house.url, 'Mia', null, { width: 390, height: 844 });
    const isNarrow = 'document.documentElement.scrollWidth <= innerWidth';
    expect(await phone.page.evaluate(isNarrow)).toBe(true);
    await dana.write('@Countersign run echo pocket');
    await phone.goTo(APPROVALS);
    const card = phone.card('⏳ Run echo pocket');
    await sees(card);
    expect(await phone.page.evaluate(isNarrow)).toBe(true);
    const [whole, button] = [await card.boundingBox(), await phone.control(card, 'approve').boundingBox()];
    expect((button?.y ?? Infinity) - (whole?.y ?? 0)).toBeLessThan(18 * LINE_PX);
    await phone.control(card, 'approve').click();
    await sees(phone.card('✅ Run echo pocket'));
    await phone.page.getByRole('button', { name: 'Back to the channels' }).click();
    await sees(phone.link(GENERAL));
    await phone.page.close();
  });
});
