/** The example of three agents and an expert, in a browser: planner → researcher → Noor’s review → writer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../support/repository.ts';
import { noBrowser } from './chromium.ts';
import { Desks } from './desks.ts';
import { gone, sees, type Visitor } from './visitor.ts';

if (noBrowser !== undefined) console.log(`Skipped: the review in the browser. ${noBrowser}`);

describe.skipIf(noBrowser !== undefined)('an expert on the page', () => {
  let desks: Desks;
  let dana: Visitor;
  let desk: Visitor;

  beforeAll(async () => {
    desks = await Desks.open(join(repositoryRoot, 'docs/examples/agents/countersign.yaml'));
    ({ dana, desk } = desks);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await desks.keepPictures();
  });
  afterAll(() => desks.close());

  const drafts = () => desk.page.locator('section.channel article.message', { hasText: 'Draft for review' });
  const file = (name: string): string => readFileSync(desks.house.project(name), 'utf8');

  it('edits and accepts a draft, and the writer writes what she let pass', async () => {
    await desks.ask('write a contract with Acme');
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
    await desks.ask('write a contract with Bolt');
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

  it('leaves the program’s own log in order', () => {
    expect(desks.house.faults).toEqual([]);
  });
});
