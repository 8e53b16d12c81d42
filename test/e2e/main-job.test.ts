/** The main job with a real process: somebody asks, somebody who may decides, it runs once, and everybody can read what came of it. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lane, Lanes } from './lanes.ts';
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
  OPS,
  OTTO,
  PETRA,
  wordsOf,
} from './people.ts';

let lanes: Lanes;
beforeAll(async () => {
  lanes = await Lanes.open(2, {});
});
afterAll(() => lanes.close());

describe('the main job', () => {
  it.concurrent(
    'refuses everybody who may not decide, privately, and leaves the card for who may [F-D1, F-D9, F-E10, S-48, S-49, T-A11]',
    () =>
      lanes.play(async lane => {
        const { people } = lane;
        const thread = await lane.ask(GENERAL, 'first');
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
        expect(lane.timesRun('first')).toBe(0);
        expect(controlsOn(await people.card('first'))).toEqual(['approve', 'reject', 'edit', 'more']);

        await people.click(MIA, APPROVALS, card, 'approve');
        const done = await people.turned(APPROVALS, card, '✅', 'Done', 'said-first');
        expect(controlsOn(done)).toEqual([]);
        await people.reads(GENERAL, thread, '✅', 'approved by');
        await people.reads(GENERAL, thread, 'said-first');
        expect(lane.timesRun('first')).toBe(1);
        // Operators hear nothing while nothing is wrong.
        expect(await people.messages(ALERTS)).toEqual([]);
      }),
  );

  it.concurrent('takes a rejection with its reason to the card, the thread and the agent [S-87]', () =>
    lanes.play(async lane => {
      const { people } = lane;
      const thread = await lane.ask(GENERAL, 'unwanted');
      const card = await people.card('unwanted', 'reject');
      await people.click(LEO, APPROVALS, card, 'reject');
      await people.submit(LEO, 'reject_form', { reason: { reason: 'Not during the sale.' } });
      const rejected = await people.turned(APPROVALS, card, '✋', 'Rejected', 'Not during the sale.');
      expect(controlsOn(rejected)).toEqual([]);
      await people.reads(GENERAL, thread, '✋', 'Not during the sale.');
      await people.reads(GENERAL, thread, 'did not run', 'Not during the sale.');
      expect(lane.timesRun('unwanted')).toBe(0);
    }),
  );

  it.concurrent(
    'gives each of three calls of one turn its own outcome, in any order [F-A2, F-A8, F-F3, F-F7, T-A21b]',
    () =>
      lanes.play(async lane => {
        const { people } = lane;
        const text = '<@U0BOT0001> list notes, delete notes/old.txt and write "hi" to hello.txt';
        const thread = await people.say(DANA, GENERAL, text);
        const toWrite = await people.card('Write hello.txt', 'approve');
        const toDelete = await people.card('Delete notes/old.txt', 'reject');
        expect(await people.cards('List')).toEqual([]);
        await people.reads(GENERAL, thread, '1 of 3 done, 2 wait');
        await people.click(ANA, APPROVALS, toDelete, 'approve');
        await people.turned(APPROVALS, toDelete, '✅');
        expect(existsSync(lane.file('notes/old.txt'))).toBe(false);
        await people.click(MIA, APPROVALS, toWrite, 'reject');
        await people.submit(MIA, 'reject_form', {});
        await people.turned(APPROVALS, toWrite, '✋');
        const answer = await people.reads(GENERAL, thread, 'did not run');
        expect(wordsOf(answer)).toContain('old.txt');
        expect(existsSync(lane.file('hello.txt'))).toBe(false);
      }),
  );

  it.concurrent('understands a direct message, a reply in a thread, and Chinese words in an English workspace', () =>
    lanes.play(async lane => {
      const { people } = lane;
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
    }),
  );
});

describe('the main job in Chinese', () => {
  it.concurrent('speaks Chinese on the card, in the thread, in private and in the form', async ({ onTestFinished }) => {
    const lane = await Lane.open({ policy: text => text.replace('language: en', 'language: zh') });
    onTestFinished(() => lane.town.close());
    const { people } = lane;
    const thread = await people.say(DANA, GENERAL, '<@U0BOT0001> 请执行命令 echo 你好');
    const card = await people.card('执行 echo 你好', 'approve', 'reject');
    for (const words of ['等待审批', '批准', '驳回', '中风险']) expect(wordsOf(card)).toContain(words);
    await people.reads(GENERAL, thread, '⏳', '等待审批');
    await people.click(DANA, APPROVALS, card, 'approve');
    await people.hears(DANA, '这是你提出的请求，所以要由别人决定');
    await people.click(MIA, APPROVALS, card, 'approve');
    await people.turned(APPROVALS, card, '✅', '已完成', '你好');
    await people.reads(GENERAL, thread, '✅', '已完成');
    await people.reads(GENERAL, thread, '运行', '你好', DANA);

    const other = await people.say(DANA, OPS, '<@U0BOT0001> 删除 notes/old.txt');
    const second = await people.card('notes/old.txt', 'reject');
    await people.click(LEO, APPROVALS, second, 'reject');
    await people.submit(LEO, 'reject_form', { reason: { reason: '还需要它。' } });
    await people.turned(APPROVALS, second, '✋', '已驳回', '还需要它。');
    await people.reads(OPS, other, '驳回了', '还需要它。');
    expect(existsSync(lane.file('notes/old.txt'))).toBe(true);
  });
});
