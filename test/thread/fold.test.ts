import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventsFrom, partsOf, seal, type Commit } from '../../src/thread/commit.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import { threadEvents, type ThreadEvent } from '../../src/thread/events.ts';
import { fold, foldEvents } from '../../src/thread/fold.ts';
import { isCopyKey, threadLog, type WriterId } from '../../src/thread/ids.ts';
import { next } from '../../src/thread/next.ts';
import { emptyThread, isSettled, openQuestions, type Thread } from '../../src/thread/thread.ts';
import { wakeAfter } from '../../src/thread/wake.ts';
import { anyEvent } from './arbitrary.ts';
import { DANA, HOUR_MS, KEY, LIMITS, RULES, ME, MIA, Stage, terms } from './stage.ts';

const commitsOf = (groups: readonly (readonly ThreadEvent[])[]): Commit[] => {
  let after = { number: 0, hash: '' };
  return groups.map((events, index) => {
    const draft = { after, events, atMs: index * HOUR_MS, writer: ME, nonce: `n${index}`, salt: `s${index}` };
    const commit = seal(threadLog(KEY), draft);
    after = commit;
    return commit;
  });
};
const groups = fc.array(fc.array(anyEvent, { minLength: 1, maxLength: 3 }), { maxLength: 25 });
const folded = (commits: readonly Commit[]): Thread => commits.reduce(fold, emptyThread(KEY));

describe('fold', () => {
  test('takes every sequence of events of this version, also erased ones, and everything reads what comes of it', () => {
    fc.assert(
      fc.property(groups, all => {
        const thread = folded(commitsOf(all));
        for (const call of Object.values(thread.calls)) outcomeOf(thread, call);
        const calm = { nowMs: 9 * HOUR_MS, me: ME, lease: 'mine', frozen: false, limits: LIMITS, ...RULES } as const;
        next(thread, { ...calm, executing: new Set() });
        expect(wakeAfter(thread, [], calm.nowMs)).not.toBeUndefined();
      }),
      { numRuns: 400 },
    );
  });

  test('of the same commits is the same thread, in one go, one by one, or from a stored copy of any point [F-A5, F-E3, F-B6]', () => {
    fc.assert(
      fc.property(groups, fc.nat(), (all, cut) => {
        const commits = commitsOf(all);
        const whole = folded(commits);
        const at = commits.length === 0 ? 0 : cut % commits.length;
        const stored = JSON.parse(JSON.stringify(folded(commits.slice(0, at)))) as Thread;
        expect(JSON.stringify(commits.slice(at).reduce(fold, stored))).toBe(JSON.stringify(whole));
      }),
      { numRuns: 200 },
    );
  });

  test('keeps lists of what is open, of copies that look alive and of tools that were heard: each is what a walk would find', () => {
    fc.assert(
      fc.property(groups, all => {
        const thread = folded(commitsOf(all));
        const questions = Object.values(thread.questions).filter(({ state }) => state.is === 'open');
        expect(new Set(openQuestions(thread))).toEqual(new Set(questions));
        expect(thread.open).toHaveLength(questions.length);
        const copies = Object.values(thread.posts).filter(({ key, state }) => isCopyKey(key) && state === 'found');
        expect(thread.copies.toSorted()).toEqual(copies.map(({ key }) => key).toSorted());
        const ended = Object.values(thread.calls).filter(({ state }) => state.is === 'ended');
        expect(new Set(thread.heard)).toEqual(new Set(ended.map(({ tool }) => tool)));
      }),
      { numRuns: 400 },
    );
  });

  test('never brings a settled call back, nor a settled approval, nor an ended run [F-C4, F-B10]', () => {
    fc.assert(
      fc.property(groups, all => {
        const thread = emptyThread(KEY);
        const settled = new Map<string, string>();
        for (const commit of commitsOf(all)) {
          fold(thread, commit);
          for (const call of Object.values(thread.calls)) {
            const state = JSON.stringify(call.state);
            expect(settled.get(call.id) ?? state).toBe(state);
            if (isSettled(call)) settled.set(call.id, state);
          }
          for (const { id, state } of Object.values(thread.approvals)) {
            expect(settled.get(id) ?? JSON.stringify(state)).toBe(JSON.stringify(state));
            if (state.is !== 'open' && state.is !== 'approved') settled.set(id, JSON.stringify(state));
          }
          for (const { id, end } of Object.values(thread.runs)) {
            expect(settled.get(id) ?? JSON.stringify(end)).toBe(JSON.stringify(end));
            if (end !== null) settled.set(id, JSON.stringify(end));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('knows every event that is declared, and each survives being stored', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anyEvent, event => {
        seen.add(event.type);
        const { facts, body } = partsOf(seal(threadLog(KEY), { ...draft, events: [event] }));
        expect(eventsFrom(JSON.parse(facts), JSON.parse(body))?.map(each => each.type)).toEqual([event.type]);
      }),
      { numRuns: 600 },
    );
    expect([...seen].sort()).toEqual(Object.keys(threadEvents).sort());
  });

  test('keeps everything but the texts when bodies are erased: states, people, times and digests [F-C17]', () => {
    const stage = new Stage().asks({ args: { secret: 'hunter2' }, verdict: terms({ quorum: 2 }) }, { args: 2 });
    stage.click('approve', MIA, { reason: 'hunter2' });
    stage.click('reject', MIA, { on: stage.approval(1), reason: 'hunter2' });
    const erased = folded(
      stage.commits.map(commit => ({
        ...commit,
        events: commit.events.map(event => ({ ...event, body: null })),
      })),
    );
    expect(JSON.stringify(erased)).not.toContain('hunter2');
    for (const [id, call] of Object.entries(stage.thread.calls)) {
      expect(erased.calls[id]?.state.is).toBe(call.state.is);
      expect(erased.approvals[call.approval ?? '']?.digest).toBe(stage.thread.approvals[call.approval ?? '']?.digest);
    }
    expect(erased.approvals[stage.approval(1).id]?.state).toMatchObject({ is: 'rejected', by: MIA, reason: null });
  });

  test('counts a vote for the round that it was given on, and only while that is open, whatever stands in the log [F-A1, F-C14]', () => {
    const stage = new Stage().asks({ verdict: terms({ quorum: 2 }) });
    stage.click('approve', MIA);
    const vote = stage.commits.at(-1)?.events[0];
    if (vote?.type !== 'decision.recorded') throw new Error('There is no vote.');
    stage.say('wait');
    stage.append(vote);
    expect(stage.approval()).toMatchObject({ round: 2, votes: [] });
    stage.cancel();
    stage.append({ ...vote, round: 2 });
    expect(stage.approval()).toMatchObject({ votes: [], state: { is: 'withdrawn' } });
  });

  test('of what is decided but not yet written equals the fold of what is written later', () => {
    const stage = new Stage();
    stage.say('hello');
    const early = structuredClone(stage.thread);
    const { events } = stage.start();
    foldEvents(early, events, { number: stage.thread.head.number, atMs: stage.nowMs });
    expect({ ...early, head: null }).toEqual({ ...stage.thread, head: null });
  });
});

const draft = { after: { number: 0, hash: '' }, atMs: 1, writer: ME, nonce: 'n', salt: 's' };

describe('the lease', () => {
  test('stands until its holder releases it; only commits of the holder renew it [F-K7]', () => {
    const stage = new Stage();
    stage.say('hello');
    stage.take();
    stage.pass(1_000);
    stage.writer = 'node2/1' as WriterId;
    stage.say('again');
    expect(stage.thread.lease).toMatchObject({ holder: ME, lastCommit: 2 });
    expect(stage.do({ type: 'release', holder: 'node2/1' as WriterId, synced: true }).events).toEqual([]);
    stage.writer = ME;
    stage.pass(1_000);
    stage.say('and again');
    expect(stage.thread.lease).toMatchObject({ holder: ME, lastCommit: 4, lastAtMs: stage.nowMs });
    stage.do({ type: 'release', holder: ME, synced: true });
    expect(stage.thread.lease).toBeNull();
  });
});

describe('runs that are over', () => {
  test('leave what is looked at once every message is in line and nothing of them is open', () => {
    const stage = new Stage().asks({ verdict: 'allow' });
    stage.claim(stage.call(), { verdict: 'allow' });
    stage.cancel(DANA);
    stage.do({ type: 'release', holder: ME, synced: true });
    expect(stage.thread.live).toEqual(['r1']);
    stage.take();
    stage.ended();
    stage.do({ type: 'release', holder: ME, synced: false });
    expect(stage.thread.live).toEqual(['r1']);
    stage.take();
    stage.do({ type: 'release', holder: ME, synced: true });
    expect(stage.thread.live).toEqual([]);
  });
});
