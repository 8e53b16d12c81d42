/** The example of three agents and an expert, in a browser: planner → researcher → Noor’s review → writer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../support/repository.ts';
import { describeAtDesks } from './desks.ts';
import { gone, sees } from './visitor.ts';

describeAtDesks('an expert', { policy: join(repositoryRoot, 'docs/examples/agents/countersign.yaml') }, desks => {
  const { dana, desk } = desks;

  const drafts = () => desk.page.locator('section.channel article.message', { hasText: 'Draft for review' });
  const file = (name: string): string => readFileSync(desks.house.project(name), 'utf8');

  it('edits and accepts a draft, and the writer writes what she let pass', async () => {
    await dana.ask('write a contract with Acme');
    const draft = drafts().last();
    await sees(draft.getByText('Acme delivers within 30 days'));
    await desk.control(draft, 'accept').click();
    await sees(desk.page.locator('[data-ephemeral=true]').last());
    await desk.become('Noor Aziz');
    await desk.control(draft, 'edit_draft').click();
    const text = desk.form.getByLabel('Draft');
    await text.fill((await text.inputValue()).replace('30 days', '20 days'));
    await desk.form.getByRole('button', { name: 'Accept as edited' }).click();
    await gone(desk.form);
    await sees(draft.getByText(/✅ Edited and accepted by @Noor Aziz/));
    expect(await desk.control(draft, 'accept').count()).toBe(0);
    await desk.become('Mia Chen');
    const card = desk.card('⏳ Write contract-acme.txt');
    await sees(card.getByText('within 20 days'));
    await desk.control(card, 'approve').click();
    await sees(desk.card('✅ Write contract-acme.txt'));
    await sees(dana.thread.getByText(/Handed to researcher/));
    expect(file('contract-acme.txt')).toContain('1. Acme delivers within 20 days.');
  });

  it('returns a draft with the reason; the researcher hands over another one, and she accepts that', async () => {
    await dana.ask('write a contract with Bolt');
    const first = drafts().filter({ hasText: 'Bolt' }).first();
    await sees(first);
    await desk.become('Noor Aziz');
    await desk.control(first, 'return_draft').click();
    await desk.form.getByLabel('What should be different').fill('Name the city.');
    await desk.form.getByRole('button', { name: 'Return' }).click();
    await gone(desk.form);
    await sees(first.getByText(/↩️ Returned by @Noor Aziz/));
    const second = drafts().filter({ hasText: 'Changed as asked: Name the city.' });
    await desk.control(second, 'accept').click();
    await sees(second.getByText(/✅ Accepted by @Noor Aziz/));
    await desk.become('Mia Chen');
    await desk.control(desk.card('⏳ Write contract-bolt.txt'), 'approve').click();
    await sees(desk.card('✅ Write contract-bolt.txt'));
    await sees(dana.thread.getByText(/Handed to researcher/));
    expect(file('contract-bolt.txt')).toContain('Changed as asked: Name the city.');
  });
});
