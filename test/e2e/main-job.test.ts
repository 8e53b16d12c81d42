/** The main job with a real process: somebody asks, somebody who may decides, it runs once, and everybody can read what came of it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ALERTS,
  ANA,
  APPROVALS,
  controlsOn,
  DANA,
  DANAS_DM,
  DEE,
  GENERAL,
  GUS,
  LEO,
  MIA,
  OTTO,
  PETRA,
  wordsOf,
  type People,
} from './people.ts';
import { openTown, type Town } from './stage.ts';

let town: Town;
let people: People;
beforeAll(async () => {
  town = await openTown();
  people = town.people;
  await town.start();
});
afterAll(() => town.close());

const inProject = (name: string): string => join(town.project, name);
/** A command that leaves a line in a file each time it runs. */
const leavesMark = (name: string): string => `<@U0BOT0001> run sh -c "echo ran >> ${name}; echo said-${name}"`;
const timesRun = (name: string): number =>
  existsSync(inProject(name)) ? readFileSync(inProject(name), 'utf8').trim().split('\n').length : 0;

describe('the main job', () => {
  it('refuses everybody who may not decide, privately, and leaves the card for who may [F-D1, F-D9, F-E10, S-48, S-49, T-A11]', async () => {
    const thread = await people.say(DANA, GENERAL, leavesMark('first'));
    const card = await people.card('first', 'approve', 'reject');
    // The rule's `notify` people are mentioned in the first posting.
    expect(wordsOf(card)).toContain('S0SRE0001');
    await people.reads(GENERAL, thread, '⏳', 'Waiting for approval');
    for (const [who, sentence] of [
      [DANA, 'You asked for this, so somebody else decides'],
      [OTTO, 'and you are not in it'],
      [GUS, 'Guests cannot decide.'],
      [PETRA, 'People from other organisations cannot decide.'],
      [DEE, 'This account is deactivated.'],
    ] as const) {
      await people.click(who, APPROVALS, card, 'approve');
      await people.hears(who, sentence);
    }
    expect(timesRun('first')).toBe(0);
    expect(controlsOn(await people.card('first'))).toEqual(['approve', 'reject']);

    await people.click(MIA, APPROVALS, card, 'approve');
    const done = await people.turned(APPROVALS, card, '✅', 'Done', 'said-first');
    expect(controlsOn(done)).toEqual([]);
    await people.reads(GENERAL, thread, '✅', MIA);
    await people.reads(GENERAL, thread, 'said-first');
    expect(timesRun('first')).toBe(1);
  });

  it('takes a rejection with its reason to the card, the thread and the agent [S-87]', async () => {
    const thread = await people.say(DANA, GENERAL, leavesMark('unwanted'));
    const card = await people.card('unwanted', 'reject');
    await people.click(LEO, APPROVALS, card, 'reject');
    await people.submit(LEO, 'reject_form', { reason: { reason: 'Not during the sale.' } });
    const rejected = await people.turned(APPROVALS, card, '✋', 'Rejected', 'Not during the sale.');
    expect(controlsOn(rejected)).toEqual([]);
    await people.reads(GENERAL, thread, '✋', 'Not during the sale.');
    await people.reads(GENERAL, thread, 'did not run', 'Not during the sale.');
    expect(timesRun('unwanted')).toBe(0);
  });

  it('gives each of three calls of one turn its own outcome, in any order [F-A2, F-A8, F-F3, F-F7, T-A21b]', async () => {
    const text = '<@U0BOT0001> list notes, delete notes/old.txt and write "hi" to hello.txt';
    const thread = await people.say(DANA, GENERAL, text);
    const toWrite = await people.card('Write hello.txt', 'approve');
    const toDelete = await people.card('Delete notes/old.txt', 'reject');
    expect(await people.cards('List')).toEqual([]);
    await people.reads(GENERAL, thread, '1 of 3 done, 2 wait');
    await people.click(ANA, APPROVALS, toDelete, 'approve');
    await people.turned(APPROVALS, toDelete, '✅');
    expect(existsSync(inProject('notes/old.txt'))).toBe(false);
    await people.click(MIA, APPROVALS, toWrite, 'reject');
    await people.submit(MIA, 'reject_form', {});
    await people.turned(APPROVALS, toWrite, '✋');
    const answer = await people.reads(GENERAL, thread, 'did not run');
    expect(wordsOf(answer)).toContain('old.txt');
    expect(existsSync(inProject('hello.txt'))).toBe(false);
  });

  it('understands a direct message, a reply in a thread, and Chinese words in an English workspace', async () => {
    const direct = await people.say(DANA, DANAS_DM, 'run echo directly');
    const first = await people.card('directly', 'approve');
    expect(wordsOf(first)).toContain('in a direct message with Countersign');
    await people.reads(DANAS_DM, direct, 'see your message and what would run');
    await people.click(MIA, APPROVALS, first, 'approve');
    await people.turned(APPROVALS, first, '✅');

    const root = await people.say(OTTO, GENERAL, 'who is in today?');
    await people.say(DANA, GENERAL, '<@U0BOT0001> 请执行命令 echo 你好', root);
    const second = await people.card('你好', 'approve');
    await people.click(MIA, APPROVALS, second, 'approve');
    await people.turned(APPROVALS, second, '✅', '你好');
    await people.reads(GENERAL, root, '你好', '✅');
    // Follow-ups of whoever asked need no mention.
    await people.say(DANA, GENERAL, 'list notes', root);
    await people.reads(GENERAL, root, 'List notes');
  });

  it('tells operators nothing while nothing is wrong', async () => {
    expect(await people.messages(ALERTS)).toEqual([]);
  });
});
