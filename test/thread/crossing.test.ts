import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Command } from '../../src/thread/decide/command.ts';
import { decide } from '../../src/thread/decide/decide.ts';
import type { MessageTs } from '../../src/thread/ids.ts';
import { fold } from '../../src/thread/fold.ts';
import { emptyThread, type Thread } from '../../src/thread/thread.ts';
import { seal } from '../../src/thread/commit.ts';
import { threadLog } from '../../src/thread/ids.ts';
import { anyEvent } from './arbitrary.ts';
import { CARD, DANA, HOUR_MS, KEY, LEO, LIMITS, ME, MIA, SRE, Stage, THAWED } from './stage.ts';

type Step = readonly [what: string, thread: number, call: number, who: number];

const STEPS = ['approve', 'claim', 'claim', 'end', 'recover', 'wait', 'settle'];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(...STEPS, ...STEPS, ...STEPS, ...STEPS, 'say', 'start', 'reply', 'reject', 'cancel'),
  fc.nat(1),
  fc.constantFrom(0, 0, 0, 1, 2),
  fc.constantFrom(1, 1, 2, 0),
);

/** Performs one step of a story, if it makes sense there; what was executed is told by `ran`. */
function play(stage: Stage, [what, , index, who]: Step, ran: (call: string, args: unknown) => void): void {
  const run = stage.thread.runs[`r${stage.thread.runCount}`];
  const call = run && stage.thread.calls[run.calls[index] ?? ''];
  const by = [DANA, MIA, LEO][who] ?? MIA;
  const approval = call && stage.thread.approvals[call.approval ?? ''];
  if (what === 'say') stage.say('go on', by);
  if (what === 'wait') stage.pass(HOUR_MS);
  if (what === 'start') {
    stage.take();
    stage.start();
  }
  if (!run) return;
  if (what === 'reply' && run.end === null && run.turnCalls.length === 0)
    stage.reply(
      '',
      ...[0, 1, 2].map(n => ({
        args: `${stage.key.ts} ${run.id} ${n}`,
        ...(n === 2 ? { verdict: 'allow' as const } : {}),
      })),
    );
  if (what === 'cancel') stage.cancel(by);
  if (!call) return;
  if ((what === 'approve' || what === 'reject') && approval) stage.click(what, by, { on: approval });
  if (what === 'claim') {
    const { events } = stage.claim(call, call.approval === null ? { verdict: 'allow' } : {});
    for (const event of events) if (event.type === 'call.claimed') ran(event.call, call.args);
  }
  if (what === 'end' && call.state.is === 'claimed') stage.ended(call, { result: `of ${JSON.stringify(call.args)}` });
  if (what === 'recover' && call.state.is === 'claimed') stage.recover(call);
  if (what === 'settle')
    stage.do({
      type: 'settle',
      call: call.id,
      attempt: call.attempts,
      as: index === 2 ? 'ran' : 'not_run',
      key: stage.fresh(),
      actor: stage.actor(by),
      card: CARD,
      workspace: THAWED,
      defaults: [SRE],
      evidence: stage.look({ args: call.args }),
    });
}

describe('interleaved runs of two threads', () => {
  test('never cross: each decision, attempt and result stays with its own call, and no call runs unapproved or twice [F-A7, F-B4, F-I7, F-G2, T-A21b, T-A21c]', () => {
    const seen = { started: 0, saidNotRun: 0, done: 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 40, maxLength: 120 }), steps => {
        const stages = [new Stage(), new Stage({ ...KEY, ts: '1764511299.000100' as MessageTs })];
        const starts = new Map<string, number>();
        for (const stage of stages)
          for (const what of ['say', 'start', 'reply']) play(stage, [what, 0, 0, 0], () => undefined);
        for (const each of steps) {
          const stage = stages[each[1]];
          const other = stages[1 - each[1]];
          if (!stage || !other) continue;
          const untouched = JSON.stringify(other.thread);
          play(stage, each, (call, args) => {
            starts.set(call, (starts.get(call) ?? 0) + 1);
            const found = stage.thread.calls[call];
            const approval = stage.thread.approvals[found?.approval ?? ''];
            expect(args).toMatch(new RegExp(`^${stage.key.ts} ${found?.run} `));
            expect(approval === undefined || approval.state.is === 'approved').toBe(true);
            expect(approval?.votes.some(vote => approval.requesters.includes(vote.by)) ?? false).toBe(false);
          });
          expect(JSON.stringify(other.thread)).toBe(untouched);
        }
        for (const stage of stages) {
          for (const call of Object.values(stage.thread.calls)) {
            expect(starts.get(call.id) ?? 0).toBeLessThanOrEqual(1 + call.saidNotRun.length);
            const result = call.state.is === 'ended' ? call.state.ending.result : `of ${JSON.stringify(call.args)}`;
            expect(result).toBe(`of ${JSON.stringify(call.args)}`);
            seen.started += starts.get(call.id) ?? 0;
            seen.saidNotRun += call.saidNotRun.length;
            seen.done += call.state.is === 'ended' ? 1 : 0;
          }
          expect(stage.replayed()).toEqual(stage.thread);
        }
      }),
      { numRuns: 150 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
  });
});

describe('deciding', () => {
  const stage = new Stage().asks({ args: 1 }, { args: 2, verdict: 'allow' });
  const [call, approval] = [stage.call(), stage.approval()];
  const actor = stage.actor(MIA);
  const evidence = stage.look({ args: 1 });
  const execution = `${call.id}.1` as never;
  const act = { key: 'k', actor, card: CARD, workspace: THAWED };
  const outcome = { how: 'succeeded', effect: 'done', code: null, result: '', startedAtMs: 1, endedAtMs: 2 } as const;
  const rest = { digest: approval.digest, bytes: 0, blob: null };
  const calls = [{ tool: 'execute', args: '{}' }];
  const usage = { input: 1, output: 1 };
  const commands: Command[] = [
    { type: 'receive', messages: [stage.message('hi')], salt: 's' },
    { type: 'take', holder: ME, lengthMs: 1 },
    { type: 'release', holder: ME, synced: true },
    { type: 'start', agent: 'a', messages: [], authors: [actor], requesters: null },
    {
      type: 'reply',
      holder: ME,
      run: call.run,
      turn: 2,
      model: 'm',
      text: '',
      calls,
      usage,
      evidence: [evidence],
      limits: LIMITS,
    },
    { type: 'judge', call: call.id, evidence, limits: LIMITS },
    { type: 'away', run: call.run, code: 'x', patienceMs: 1 },
    { type: 'end', run: call.run, how: 'failed', code: 'x', detail: null },
    {
      type: 'claim',
      call: call.id,
      evidence,
      approvers: [actor],
      requesters: [actor],
      answers: null,
      workspace: THAWED,
      holder: ME,
      limits: LIMITS,
    },
    { type: 'notStarted', call: call.id, execution, why: 'expired' },
    { type: 'ended', call: call.id, execution, outcome: { ...outcome, ...rest } },
    { type: 'recover', call: call.id, execution, again: true },
    { type: 'expire', approval: approval.id },
    {
      type: 'decide',
      approval: approval.id,
      round: 1,
      verdict: 'approve',
      reason: null,
      then: null,
      origin: 'click',
      ...act,
    },
    { type: 'settle', call: call.id, attempt: 1, as: 'not_run', defaults: [], evidence, ...act },
    { type: 'cancel', run: call.run, actor, key: 'k', source: 'button' },
    { type: 'keep', message: '1.000001' as MessageTs, actor },
    { type: 'askAgain', call: call.id, actor, agent: 'a' },
  ];

  test('never throws and never changes the thread, whatever its log says; what it decides can be stored [F-C7]', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 15 }), fc.boolean(), (events, begun) => {
        const thread: Thread = begun ? stage.replayed() : emptyThread(KEY);
        const standing = { atMs: 5, writer: ME, nonce: 'n', salt: 's' };
        const { number, hash } = thread.head;
        if (events.length > 0) fold(thread, seal(threadLog(KEY), { ...standing, after: { number, hash }, events }));
        const before = JSON.stringify(thread);
        for (const command of commands) {
          const decision = decide(thread, command, 2 * HOUR_MS);
          seal(threadLog(KEY), { ...standing, after: thread.head, events: decision.events });
        }
        expect(JSON.stringify(thread)).toBe(before);
      }),
      { numRuns: 150 },
    );
  });
});
