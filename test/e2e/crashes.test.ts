/**
 * Processes that are killed, as by a power cut, at every step of a request; another one on the same data folder brings the
 * story to its right end. Nothing ever runs twice by itself.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Lane, Lanes } from './lanes.ts';
import { APPROVALS, controlsOn, DANA, GENERAL, LEO, MIA, until, wordsOf, type Shown } from './people.ts';
import type { Point } from './point.ts';

const killed = { code: null, signal: 'SIGKILL' };

let lanes: Lanes;
beforeAll(async () => {
  lanes = await Lanes.open(4, {}, {});
});
afterAll(() => lanes.close());

/** Approves the request about `name` once its card is there; the process is killed at the point, and the next one started. */
async function diesAt(point: Point, lane: Lane, name: string): Promise<void> {
  await lane.people.card(name, 'approve');
  lane.town.stage.arm(point);
  await lane.approve(name);
  expect(await lane.next()).toEqual(killed);
}

/** How often it ran by the story's right end: done on the card and in the thread, one answer, no button left anywhere. */
async function ended(lane: Lane, name: string, thread: string): Promise<number> {
  const { people } = lane;
  await people.reads(GENERAL, thread, `said-${name}`, DANA);
  await people.reads(GENERAL, thread, '✅', 'approved by');
  const cards = await people.cards(name);
  expect(cards.flatMap(controlsOn)).toEqual([]);
  expect(cards.filter(card => wordsOf(card).includes('✅'))).toHaveLength(1);
  const answers = (await people.messages(GENERAL, thread)).filter(one => wordsOf(one).startsWith(DANA));
  expect(answers).toHaveLength(1);
  return lane.timesRun(name);
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
  it.concurrent.for(points)(
    '%s: one card after the next start, and it runs once [S-8, S-11, F-B5, F-E8, T-C18, T-D4]',
    ([, name, point]) =>
      lanes.play(async lane => {
        lane.town.stage.arm(point);
        const thread = await lane.ask(GENERAL, name);
        expect(await lane.next()).toEqual(killed);
        await lane.approve(name);
        expect(await ended(lane, name, thread)).toBe(1);
      }),
  );
});

describe('a process that is killed after the approval, before the claim', () => {
  const points: readonly (readonly [string, string, Point])[] = [
    ['once the decision is in the log', 'decided-0', { at: 'append', moment: 'after', of: 'decision.recorded' }],
    ['before the claim is in the log', 'decided-1', { at: 'append', moment: 'before', of: 'call.claimed' }],
  ];
  it.concurrent.for(points)(
    '%s: goes on by itself after the next start, and runs once [S-60, F-E15, F-B5, T-D4]',
    ([, name, point]) =>
      lanes.play(async lane => {
        const thread = await lane.ask(GENERAL, name);
        await diesAt(point, lane, name);
        expect(await ended(lane, name, thread)).toBe(1);
      }),
  );
});

describe('a process that is killed between the claim and the outcome', () => {
  /** The card, once it says that nobody knows and the people concerned have been rung. */
  async function inDoubt({ people }: Lane, name: string, thread: string): Promise<Shown> {
    const card = await people.card(name, 'doubt_ran', 'doubt_not_run', 'doubt_abandon');
    expect(wordsOf(card)).toContain('Nobody knows whether it ran. It will not be retried by itself.');
    await people.see('the ring under the card', APPROVALS, card.ts, one => wordsOf(one).includes('Someone must say'));
    await people.reads(GENERAL, thread, '❓', 'Nobody knows whether this ran');
    return card;
  }

  it.concurrent(
    'right after the claim: that it did not run can only be said once it cannot run any more [F-B7, F-K7]',
    () =>
      lanes.play(async lane => {
        const { people } = lane;
        const thread = await lane.ask(GENERAL, 'doubt-0');
        await diesAt({ at: 'append', moment: 'after', of: 'call.claimed' }, lane, 'doubt-0');
        const card = await inDoubt(lane, 'doubt-0', thread);
        await people.click(MIA, APPROVALS, card, 'doubt_not_run');
        await people.hears(MIA, 'It may still be running until');
        await people.click(DANA, APPROVALS, card, 'doubt_not_run');
        await people.hears(DANA, 'You asked for this');
        expect(controlsOn(await people.card('doubt-0'))).toHaveLength(3);
        expect(lane.timesRun('doubt-0')).toBe(0);
      }),
  );

  it.concurrent(
    'right after the claim: run anew only by a person, after that, and once [F-B7, F-B16, F-K7]',
    async ({ onTestFinished }) => {
      const lane = await Lane.open({}, { toolMs: 500 });
      onTestFinished(() => lane.town.close());
      const { people } = lane;
      const thread = await lane.ask(GENERAL, 'doubt-4');
      await diesAt({ at: 'append', moment: 'after', of: 'call.claimed' }, lane, 'doubt-4');
      await inDoubt(lane, 'doubt-4', thread);
      expect(lane.timesRun('doubt-4')).toBe(0);
      await until('the click to count', async () => {
        const card = await people.card('doubt-4');
        if (!controlsOn(card).includes('doubt_not_run')) return true;
        await people.click(LEO, APPROVALS, card, 'doubt_not_run').catch(() => {});
        return undefined;
      });
      await people.see(
        'the outcome',
        APPROVALS,
        undefined,
        one => wordsOf(one).includes('✅') && wordsOf(one).includes(LEO),
      );
      await people.reads(GENERAL, thread, 'said-doubt-4', DANA);
      expect(lane.timesRun('doubt-4')).toBe(1);
    },
  );

  it.concurrent(
    'when the tool is about to start: given up, it never runs, and the agent is told that nobody knows [F-B7, F-B5]',
    () =>
      lanes.play(async lane => {
        const thread = await lane.ask(GENERAL, 'doubt-1');
        await diesAt({ at: 'execute', moment: 'before', of: 'execute' }, lane, 'doubt-1');
        const card = await inDoubt(lane, 'doubt-1', thread);
        await lane.people.click(LEO, APPROVALS, card, 'doubt_abandon');
        const over = await lane.people.turned(APPROVALS, card, '⚠️', 'Given up', LEO);
        expect(controlsOn(over)).toEqual([]);
        await lane.people.reads(GENERAL, thread, 'unknown whether it ran', DANA);
        expect(lane.timesRun('doubt-1')).toBe(0);
      }),
  );

  it.concurrent(
    'while the tool runs: it is ended with the process, and who decides may say that it ran [F-B7, F-K7]',
    () =>
      lanes.play(async lane => {
        const thread = await lane.ask(GENERAL, 'doubt-2', '; sleep 4; echo late >> doubt-2');
        await lane.approve('doubt-2');
        await until('the tool to run', () => lane.timesRun('doubt-2') > 0 || undefined);
        lane.running.send('SIGKILL');
        expect(await lane.next()).toEqual(killed);
        const card = await inDoubt(lane, 'doubt-2', thread);
        await lane.people.click(MIA, APPROVALS, card, 'doubt_ran');
        const over = await lane.people.turned(APPROVALS, card, '✅', 'says', MIA, 'was in doubt');
        expect(controlsOn(over)).toEqual([]);
        await lane.people.reads(GENERAL, thread, 'It was unknown whether this ran', 'it ran, says');
        await lane.people.see('the answer', GENERAL, thread, one => wordsOf(one).startsWith(DANA));
        expect(lane.timesRun('doubt-2')).toBe(1);
      }),
  );

  it.concurrent(
    'before the outcome is in the log: in doubt, not run again, also not by the next start [F-B5, F-B7, S-58]',
    () =>
      lanes.play(async lane => {
        const thread = await lane.ask(GENERAL, 'doubt-3');
        await diesAt({ at: 'append', moment: 'before', of: 'call.ended' }, lane, 'doubt-3');
        await inDoubt(lane, 'doubt-3', thread);
        lane.running.send('SIGKILL');
        await lane.next();
        const card = await inDoubt(lane, 'doubt-3', thread);
        await lane.people.click(MIA, APPROVALS, card, 'doubt_ran');
        await lane.people.turned(APPROVALS, card, '✅', 'was in doubt');
        expect(lane.timesRun('doubt-3')).toBe(1);
      }),
  );
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
  it.concurrent.for(points)(
    '%s: goes on from it with one answer, and nothing runs again [F-E1, F-K8, S-58, T-C23]',
    ([, name, point]) =>
      lanes.play(async lane => {
        const thread = await lane.ask(GENERAL, name);
        await diesAt(point, lane, name);
        expect(await ended(lane, name, thread)).toBe(1);
      }),
  );
});
