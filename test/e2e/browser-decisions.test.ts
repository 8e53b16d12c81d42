/** Everything that approvers can do besides approving, in a browser: edit, reject with a way out, allow, freeze, stop, look up. */
import { expect, it } from 'vitest';
import { describeAtDesks } from './desks.ts';
import { APPROVALS, gone, OPS, sees } from './visitor.ts';

describeAtDesks('somebody who decides', {}, ({ dana, desk }) => {
  it('edits a call in two views; what was shown in the second one is what runs', async () => {
    await dana.ask('run echo hello');
    const card = desk.card('Run echo hello');
    await desk.control(card, 'edit').click();
    const argv = desk.form.getByLabel('argv');
    expect(await argv.inputValue()).toBe('echo\nhello');
    await argv.fill('');
    await desk.form.getByRole('button', { name: 'Show what would run' }).click();
    await sees(desk.form.locator('.field-error'));
    await argv.fill('echo\nedited');
    await desk.form.getByRole('button', { name: 'Show what would run' }).click();
    await sees(desk.form.getByText('Run echo edited'));
    await desk.form.locator('footer').getByRole('button', { name: 'Back' }).click();
    expect(await argv.inputValue()).toBe('echo\nedited');
    await desk.form.getByRole('button', { name: 'Show what would run' }).click();
    await sees(desk.form.getByText('Approve edited counts as your approval, and it runs.'));
    expect(await desk.cards('⏳ Run echo hello').count()).toBe(1);
    await desk.form.getByRole('button', { name: 'Approve edited' }).click();
    await gone(desk.form);
    await sees(desk.card('✅ Run echo edited').locator('pre', { hasText: /^edited$/ }));
    await sees(dana.thread.getByText(/@Mia Chen changed argv and approved/));
    await sees(dana.thread.getByText(/ran, with arguments changed by a person: .*edited/));
    expect(await desk.cards('Run echo').count()).toBe(1);
  });

  it('rejects with a way out: the requester is asked to change it, and the agent stops', async () => {
    await dana.ask('run echo vague');
    await desk.control(desk.card('Run echo vague'), 'reject').click();
    await desk.form.getByLabel('Reason').fill('Where?');
    await desk.form.getByRole('radio', { name: 'Ask Dana to change it' }).check();
    await desk.form.getByRole('button', { name: 'Reject' }).click();
    await gone(desk.form);
    await sees(desk.card('✋ Run echo vague').getByText('@Dana Ito was asked to change it.'));
    await sees(dana.thread.getByText(/Mia asks you to change this: Run echo vague\. “Where\?”/));
  });

  it('may change their mind while a second one is waited for: a no after a yes is a no', async () => {
    await desk.goTo(OPS);
    await dana.ask('run pwd');
    const card = desk.card('Run pwd');
    await desk.control(card, 'approve').click();
    await sees(card.getByText('1 more needed, not @Mia Chen'));
    await desk.control(card, 'reject').click();
    await desk.form.getByRole('button', { name: 'Reject' }).click();
    await sees(desk.card('✋ Run pwd'));
    await sees(dana.thread.getByText(/Rejected by @Mia Chen/));
    await desk.goTo(APPROVALS);
  });

  it('allows the like of a call for a while: the next one runs without a card, until it is revoked on Home', async () => {
    await dana.ask('run echo often');
    const card = desk.card('⏳ Run echo often');
    await sees(card);
    await desk.choose(card, 'Approve, allow for a while');
    await sees(
      desk.form.getByText(/at most 5 times, in this thread, for Dana: execute where argv = \["echo", ?"often"\]/),
    );
    await desk.form.getByLabel('How often').selectOption('at most 2 times');
    await sees(desk.form.getByText(/at most 2 times, in this thread/));
    await desk.form.getByRole('button', { name: 'Approve and allow' }).click();
    await gone(desk.form);
    await sees(desk.card('✅ Run echo often'));
    await sees(dana.thread.getByText('Run echo often: often'));

    await dana.write('@Countersign run echo often', 'thread');
    await sees(dana.thread.getByText(/✅ Run echo often · allowed for a while/));
    expect(await desk.cards('Run echo often').count()).toBe(1);

    await desk.goHome();
    await sees(desk.home.getByText('Allowed for a while (1)'));
    await sees(desk.home.getByText(/1 of 2 used/));
    await desk.home.getByRole('button', { name: 'Revoke' }).click();
    await desk.question.getByRole('button', { name: 'Revoke' }).click();
    await gone(desk.home.locator('[data-action-id=revoke]'));
    await desk.dismiss();
    await dana.write('@Countersign run echo often', 'thread');
    await desk.goTo(APPROVALS);
    await desk.control(desk.card('⏳ Run echo often'), 'approve').click();
    await sees(desk.card('✅ Run echo often'));
    expect(await desk.cards('Run echo often').count()).toBe(2);
  });

  it('stops a command that runs; what has happened stays', async () => {
    await dana.ask('run sleep 60');
    await desk.control(desk.card('Run sleep 60'), 'approve').click();
    const stop = desk.control(desk.card('▶️ Run sleep 60'), 'stop');
    await stop.click();
    await desk.question.getByRole('button', { name: 'Stop' }).click();
    await sees(desk.card('⚠️ Run sleep 60').getByText(/Stopped by @Mia Chen/));
    await sees(dana.thread.getByText(/stopped by @Mia Chen/));
    await gone(stop);
  });

  it('opens the record of a message, if it is theirs to open', async () => {
    const card = desk.card('✅ Run echo edited');
    await desk.useShortcut(card, 'Show record');
    await sees(desk.form.getByRole('heading', { name: 'Record' }));
    await sees(desk.form.getByText('"argv":["echo","edited"]'));
    await sees(desk.form.getByText(/approve.*Mia Chen \(U0MIA0001\)/).first());
    await desk.page.keyboard.press('Escape');
    await gone(desk.form);
    await desk.become('Otto Berg');
    await desk.useShortcut(card, 'Show record');
    await desk.close('This record is not open to you.');
    await desk.become('Mia Chen');
  });

  it('sees by /countersign and on Home what waits for them, everybody their own', async () => {
    await dana.ask('run echo waits');
    await sees(desk.card('⏳ Run echo waits'));
    await dana.write('/countersign');
    await sees(dana.privately('You asked (1)').getByText('Run echo waits'));
    await desk.goHome();
    await sees(desk.home.getByText('Waiting for you (1)'));
    await dana.goHome();
    await sees(dana.home.getByText('You asked (1)'));
    expect(await dana.home.getByText('Waiting for you').count()).toBe(0);
    await desk.home.getByRole('button', { name: 'Review' }).click();
    await sees(desk.form.getByRole('heading', { name: 'Review to approve' }));
    await desk.page.keyboard.press('Escape');
    await dana.goTo('C0GENERAL');
  });

  it('freezes everything from Home: approving waits, rejecting works; an admin unfreezes', async () => {
    await dana.ask('run echo frozen');
    await desk.goHome();
    await desk.home.getByRole('button', { name: 'Freeze', exact: true }).click();
    await desk.form.getByLabel('Why (everybody sees it)').fill('bad deploy');
    await desk.form.getByRole('button', { name: 'Freeze' }).click();
    await desk.close(/Everything is frozen since .* Nothing new starts, Reject works/);
    await sees(desk.home.getByText(/Frozen by @Mia Chen .*: “bad deploy”/));
    expect(await desk.home.getByRole('button', { name: 'Unfreeze' }).count()).toBe(0);
    await desk.goTo(APPROVALS);
    const card = desk.card('⏳ Run echo frozen');
    await sees(card.getByText(/Frozen by @Mia Chen/));
    await desk.control(card, 'approve').click();
    await sees(desk.privately('Everything is frozen since'));
    await sees(dana.thread.getByText(/Frozen by @Mia Chen .*: “bad deploy”\. Your request is kept\./));
    await desk.control(desk.card('⏳ Run echo waits'), 'reject').click();
    await desk.form.getByRole('button', { name: 'Reject' }).click();
    await sees(desk.card('✋ Run echo waits'));

    await desk.become('Ana Ruiz');
    await desk.goHome();
    await desk.home.getByRole('button', { name: 'Unfreeze' }).click();
    await desk.question.getByRole('button', { name: 'Unfreeze' }).click();
    await desk.home.locator('[data-action-id=freeze]').waitFor();
    await desk.dismiss();
    await desk.become('Mia Chen');
    await desk.goTo(APPROVALS);
    await desk.control(card, 'approve').click();
    await sees(desk.card('✅ Run echo frozen'));
    await gone(card.getByText(/Frozen by/));
  });

  it('can watch beside a thread how its record grew, commit by commit', async () => {
    await dana.thread.getByRole('button', { name: 'Inspect' }).click();
    const pane = dana.page.locator('.inspector');
    await sees(pane.locator('.commit', { hasText: 'Dana Ito mentioned the agent' }).first());
    await sees(pane.locator('.commit', { hasText: 'Policy judged execute' }).first());
    await sees(pane.locator('.commit', { hasText: /Mia Chen approved A-/ }).first());
    await sees(pane.locator('.commit', { hasText: 'succeeded' }).first());
    await pane.locator('[data-commit="1"]').click();
    await sees(pane.getByRole('heading', { name: 'Commit #1' }));
  });
});
