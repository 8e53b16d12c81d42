/**
 * Processes that are killed, as by a power cut, at every step of a request; another one on the same data folder brings the
 * story to its right end. Nothing ever runs twice by itself.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  APPROVALS,
  controlsOn,
  DANA,
  GENERAL,
  LEO,
  MIA,
  OPS,
  until,
  wordsOf,
  type People,
  type Shown,
} from './people.ts';
import type { Point } from './point.ts';
import { openTown, type Process, type Town } from './stage.ts';

/** So short that somebody can soon say that a call did not run. */
const changes = { toolMs: 5_000 };
const killed = { code: null, signal: 'SIGKILL' };

let town: Town;
let people: People;
let running: Process;
beforeAll(async () => {
  town = await openTown();
  people = town.people;
  running = await town.start('one', changes);
});
beforeEach(async () => {
  if (running.over) running = await town.start('one', changes);
});
afterAll(() => town.close());

/** Waits for the death of the process and starts another one on its folder. */
async function dieAndStart(): Promise<void> {
  expect(await running.end()).toEqual(killed);
  running = await town.start('one', changes);
}

const timesRun = (name: string): number => {
  const path = join(town.project, name);
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
};
const leavesMark = (name: string, then = ''): string =>
  `<@U0BOT0001> run sh -c "echo ran >> ${name}; echo said-${name}${then}"`;

/** Stories alternate between two channels, since posts to one are a second apart. */
let stories = 0;
async function ask(name: string, then = ''): Promise<{ channel: string; thread: string }> {
  const channel = stories++ % 2 === 0 ? GENERAL : OPS;
  return { channel, thread: await people.say(DANA, channel, leavesMark(name, then)) };
}

async function approve(name: string): Promise<Shown> {
  const card = await people.card(name, 'approve');
  await people.click(MIA, APPROVALS, card, 'approve');
  return card;
}

/** How often it ran by the story's right end: done on the card and in the thread, one answer, no button left anywhere. */
async function ended(name: string, { channel, thread }: { channel: string; thread: string }): Promise<number> {
  await people.reads(channel, thread, `said-${name}`, DANA);
  await people.reads(channel, thread, '✅', MIA);
  const cards = await people.cards(name);
  expect(cards.flatMap(controlsOn)).toEqual([]);
  expect(cards.filter(card => wordsOf(card).includes('✅'))).toHaveLength(1);
  const answers = (await people.messages(channel, thread)).filter(one => wordsOf(one).startsWith(DANA));
  expect(answers).toHaveLength(1);
  return timesRun(name);
}

describe('a process that is killed before anybody has decided', () => {
  const points: readonly (readonly [string, string, Point])[] = [
    ['before the message is in the log', 'early-0', { at: 'append', moment: 'before', of: 'message.received' }],
    ['right after the message is in the log', 'early-1', { at: 'append', moment: 'after', of: 'message.received' }],
    ['before the reply is in the log', 'early-2', { at: 'append', moment: 'before', of: 'model.replied' }],
    ['once reply and request are in the log', 'early-3', { at: 'append', moment: 'after', of: 'approval.requested' }],
    ['after the card is posted, before that is recorded', 'early-4', { at: 'reconcile', moment: 'after', of: 'card/' }],
    ['once the card is recorded', 'early-5', { at: 'append', moment: 'after', of: 'message.posted' }],
  ];
  it.for(points)(
    '%s: one card after the next start, and it runs once [S-8, S-11, F-B5, F-E8, T-C18, T-D4]',
    async ([, name, point]) => {
      town.stage.arm(point);
      const place = await ask(name);
      await dieAndStart();
      await approve(name);
      expect(await ended(name, place)).toBe(1);
    },
  );
});

describe('a process that is killed after the approval, before the claim', () => {
  const points: readonly (readonly [string, string, Point])[] = [
    ['once the decision is in the log', 'decided-0', { at: 'append', moment: 'after', of: 'decision.recorded' }],
    ['before the claim is in the log', 'decided-1', { at: 'append', moment: 'before', of: 'call.claimed' }],
  ];
  it.for(points)(
    '%s: goes on by itself after the next start, and runs once [S-60, F-E15, F-B5, T-D4]',
    async ([, name, point]) => {
      const place = await ask(name);
      town.stage.arm(point);
      await approve(name);
      await dieAndStart();
      expect(await ended(name, place)).toBe(1);
    },
  );
});

describe('a process that is killed between the claim and the outcome', () => {
  /** Until the card says that nobody knows, with its three answers. */
  async function inDoubt(name: string, { channel, thread }: { channel: string; thread: string }): Promise<Shown> {
    const card = await people.card(name, 'doubt_ran', 'doubt_not_run', 'doubt_abandon');
    expect(wordsOf(card)).toContain('Nobody knows whether it ran. It will not be retried by itself.');
    await people.see('the ring under the card', APPROVALS, card.ts, one => wordsOf(one).includes('Someone must say'));
    await people.reads(channel, thread, '❓', 'Nobody knows whether this ran');
    return card;
  }

  it('right after the claim: may be run anew only by a person, and not while it may still be running [F-B7, F-K7, F-B16]', async () => {
    const place = await ask('doubt-0');
    town.stage.arm({ at: 'append', moment: 'after', of: 'call.claimed' });
    await approve('doubt-0');
    await dieAndStart();
    const card = await people.card('doubt-0', 'doubt_not_run');
    await people.click(MIA, APPROVALS, card, 'doubt_not_run');
    await people.hears(MIA, 'It may still be running until');
    await inDoubt('doubt-0', place);
    expect(timesRun('doubt-0')).toBe(0);
    await people.click(DANA, APPROVALS, card, 'doubt_not_run');
    await people.hears(DANA, 'You asked for this');
    await until('the click to count', async () => {
      const now = await people.card('doubt-0');
      if (wordsOf(now).includes('✅')) return true;
      if (controlsOn(now).includes('doubt_not_run'))
        await people.click(LEO, APPROVALS, now, 'doubt_not_run').catch(() => {});
      return undefined;
    });
    await people.reads(place.channel, place.thread, 'said-doubt-0', DANA);
    expect(timesRun('doubt-0')).toBe(1);
  });

  it('when the tool is about to start: given up, it never runs, and the agent is told that nobody knows [F-B7, F-B5]', async () => {
    const place = await ask('doubt-1');
    town.stage.arm({ at: 'execute', moment: 'before', of: 'execute' });
    await approve('doubt-1');
    await dieAndStart();
    const card = await inDoubt('doubt-1', place);
    await people.click(LEO, APPROVALS, card, 'doubt_abandon');
    const over = await people.turned(APPROVALS, card, '⚠️', 'Given up', LEO);
    expect(controlsOn(over)).toEqual([]);
    await people.reads(place.channel, place.thread, 'unknown whether it ran', DANA);
    expect(timesRun('doubt-1')).toBe(0);
  });

  it('while the tool runs: it is ended with the process, and who decides may say that it ran [F-B7, F-K7]', async () => {
    const place = await ask('doubt-2', '; sleep 4; echo late >> doubt-2');
    await approve('doubt-2');
    await until('the tool to run', () => (timesRun('doubt-2') > 0 ? true : undefined));
    running.send('SIGKILL');
    await dieAndStart();
    const card = await inDoubt('doubt-2', place);
    await people.click(MIA, APPROVALS, card, 'doubt_ran');
    const over = await people.turned(APPROVALS, card, '✅', 'says', MIA, 'was in doubt');
    expect(controlsOn(over)).toEqual([]);
    await people.see(
      'the answer',
      place.channel,
      place.thread,
      one => wordsOf(one).startsWith(DANA) && !wordsOf(one).includes('❓'),
    );
    expect(timesRun('doubt-2')).toBe(1);
  });

  it('before the outcome is in the log: in doubt, not run again, also not by the next start [F-B5, F-B7, S-58]', async () => {
    const place = await ask('doubt-3');
    town.stage.arm({ at: 'append', moment: 'before', of: 'call.ended' });
    await approve('doubt-3');
    await dieAndStart();
    await inDoubt('doubt-3', place);
    await running.kill();
    running = await town.start('one', changes);
    const card = await inDoubt('doubt-3', place);
    await people.click(MIA, APPROVALS, card, 'doubt_ran');
    await people.turned(APPROVALS, card, '✅', 'was in doubt');
    expect(timesRun('doubt-3')).toBe(1);
  });
});

describe('a process that is killed after the outcome', () => {
  const points: readonly (readonly [string, string, Point])[] = [
    ['once the outcome is in the log', 'late-0', { at: 'append', moment: 'after', of: 'call.ended' }],
    ['before the answer is posted', 'late-1', { at: 'append', moment: 'after', of: 'run.ended' }],
    [
      'after the answer is posted, before that is recorded',
      'late-2',
      { at: 'reconcile', moment: 'after', of: 'answer/' },
    ],
  ];
  it.for(points)(
    '%s: goes on from it with one answer, and nothing runs again [F-E1, F-K8, S-58, T-C23]',
    async ([, name, point]) => {
      const place = await ask(name);
      town.stage.arm(point);
      await approve(name);
      await dieAndStart();
      expect(await ended(name, place)).toBe(1);
    },
  );
});
