/** What the agent asks people back, in a browser: questions, choices, a choice for the approvers, and an approver's question. */
import { expect, it } from 'vitest';
import { describeAtDesks } from './desks.ts';
import { gone, sees } from './visitor.ts';

describeAtDesks('a question', {}, ({ dana, desk }) => {
  it('is answered by its form, and the agent goes on with the answer', async () => {
    await dana.ask('book a flight');
    await sees(dana.thread.getByText('From which city do you fly?'));
    await dana.control(dana.thread, 'answer').click();
    await dana.form.getByLabel('Your answer').fill('Lisbon');
    await dana.form.getByRole('button', { name: 'Answer' }).click();
    await gone(dana.form);
    await sees(dana.thread.getByText(/✅ Answered by @Dana Ito .*: .?Lisbon/));
    await sees(dana.thread.getByText(/@Dana Ito .*Lisbon/).last());
    expect(await dana.control(dana.thread, 'answer').count()).toBe(0);
    expect(await desk.cards('flight').count()).toBe(0);
  });

  it('is answered by the next message in its thread, and nobody else’s message answers it', async () => {
    await dana.ask('please book a flight');
    await sees(dana.control(dana.thread, 'answer'));
    await dana.become('Otto Berg');
    await dana.write('Berlin', 'thread');
    await sees(dana.thread.getByText('Berlin', { exact: true }));
    await dana.become('Dana Ito');
    expect(await dana.control(dana.thread, 'answer').count()).toBe(1);
    await dana.write('Porto', 'thread');
    await sees(dana.thread.getByText(/✅ Answered by @Dana Ito .*: .?Porto/));
    await gone(dana.control(dana.thread, 'answer'));
  });

  it('that is answered wrongly says why and stays open; 0 and no are answers', async () => {
    await dana.ask('plan a lunch');
    await sees(dana.thread.getByText('For how many guests?'));
    await sees(dana.thread.getByText('Which days would do?'));
    const guests = dana.thread.locator('article.message', { hasText: 'For how many guests?' });
    const meat = dana.thread.locator('article.message', { hasText: 'eats no meat' });
    const days = dana.thread.locator('article.message', { hasText: 'Which days would do?' });
    await dana.control(guests, 'answer').click();
    await dana.form.getByLabel('Your answer').fill('some');
    await dana.form.getByRole('button', { name: 'Answer' }).click();
    await sees(dana.page.getByText(/that is not a number/).first());
    await dana.form.getByLabel('Your answer').fill('0');
    await dana.form.getByRole('button', { name: 'Answer' }).click();
    await gone(dana.form);
    await sees(guests.getByText(/✅ Answered by @Dana Ito .*: .?0\b/));
    await meat.getByRole('button', { name: 'No' }).click();
    await sees(meat.getByText(/✅ Answered by @Dana Ito .*: .?No\b/));
    await dana.control(days, 'answer').click();
    await dana.form.getByRole('checkbox', { name: 'Monday' }).check();
    await dana.form.getByRole('checkbox', { name: 'Wednesday' }).check();
    await dana.form.getByRole('button', { name: 'Answer' }).click();
    await sees(days.getByText(/✅ Answered by @Dana Ito .*: .?Monday.*Wednesday/));
    await sees(dana.thread.getByText(/For how many guests\? 0 \(Dana Ito\)/));
  });

  it('with several ways is put to the approvers, who choose one as they would approve', async () => {
    await dana.ask('roll back billing');
    const card = desk.card('Roll billing back: to which version?');
    await sees(card.getByRole('button', { name: 'None of these' }));
    await desk.become('Otto Berg');
    await card.getByRole('button', { name: 'v41 (yesterday)' }).click();
    await sees(desk.privately('SRE decides this, and you are not in it. Nothing was changed.'));
    await desk.become('Mia Chen');
    await card.getByRole('button', { name: 'v41 (yesterday)' }).click();
    await sees(desk.card('✅ Choose: “Roll billing back').getByText('Chosen: “v41 (yesterday)”'));
    await sees(dana.thread.getByText(/chosen: “v41 \(yesterday\)”/));
    await sees(dana.thread.getByText(/v41/).last());
  });

  it('of an approver reaches the requester’s thread, and the answer the card', async () => {
    await dana.ask('run echo asked');
    const card = desk.card('⏳ Run echo asked');
    await sees(card);
    await desk.choose(card, 'Ask Dana');
    await desk.form.getByLabel('Your question').fill('Which cluster?');
    await desk.form.getByRole('button', { name: 'Send' }).click();
    await gone(desk.form);
    await sees(dana.thread.getByText(/Mia asks before deciding: “Which cluster\?”/));
    await dana.write('eu-1', 'thread');
    await sees(dana.thread.getByText(/✅ Answered by @Dana Ito .*: .?eu-1/));
    await card.locator('button.replies').click();
    await sees(desk.thread.getByText(/@Mia Chen asked .*: “Which cluster\?” .*: “eu-1”/).last());
    await desk.page.keyboard.press('Escape');
    await desk.control(card, 'approve').click();
    await sees(desk.card('✅ Run echo asked'));
  });
});
