/** Owns how one turn is measured, and that it was done right: whoever cuts a corner here is stopped, not measured. */
import type { Account, Tally } from './account.ts';
import { turnOf, type Effects, type Subject } from './script.ts';

/** Somebody to be measured, with what counts for them. */
export interface Measured {
  readonly subject: Subject;
  readonly account: Account;
  readonly effects: Effects;
}

export interface Sample {
  /** Which turn of its thread, from 1. */
  readonly index: number;
  readonly path: Tally;
  readonly apart: Tally;
  /** From the click to the entry of the sensitive tool. */
  readonly clickToToolMs: number;
  /** Both halves of the turn. */
  readonly turnMs: number;
}

/** Does the `index`-th turn of a thread (from 1); throws when it was not done as it must be. */
export async function measureTurn(
  { subject, account, effects }: Measured,
  thread: number,
  index: number,
): Promise<Sample> {
  const turn = turnOf(thread, index);
  const { lookups, refunds } = effects;
  const check = (holds: boolean, what: string): void => {
    if (!holds) throw new Error(`${subject.name}, thread ${thread}, turn ${index}: ${what}.`);
  };
  account.take();
  account.open = true;
  const startMs = performance.now();
  await subject.pause(thread, turn);
  const pausedMs = performance.now();
  check(effects.refunds === refunds, 'the sensitive tool ran before anybody had approved');
  check(effects.lookups === lookups + 1, 'the safe tool did not run exactly once');
  const click = await subject.open(thread, index);
  const clickedMs = performance.now();
  await click.approve();
  const endMs = performance.now();
  account.open = false;
  check(effects.refunds === refunds + 1, `the sensitive tool ran ${effects.refunds - refunds} times`);
  check(effects.lookups === lookups + 1, 'the safe tool ran again');
  check(effects.argumentBytes === 300, `the tool got ${effects.argumentBytes} bytes of arguments`);
  check((await click.answer()) === turn.answer, 'the answer is another one');
  const { path, apart } = account.take();
  account.open = true;
  await subject.rest();
  account.open = false;
  const deferred = account.take();
  return {
    index,
    path,
    apart: sum(apart, sum(deferred.path, deferred.apart)),
    clickToToolMs: effects.refundedAtMs - clickedMs,
    turnMs: pausedMs - startMs + (endMs - clickedMs),
  };
}

function sum(a: Tally, b: Tally): Tally {
  const kinds = { ...a.kinds };
  for (const [kind, count] of Object.entries(b.kinds) as [keyof typeof kinds, number][])
    kinds[kind] = (kinds[kind] ?? 0) + count;
  return {
    requests: a.requests + b.requests,
    write: a.write + b.write,
    read: a.read + b.read,
    sentBytes: a.sentBytes + b.sentBytes,
    kinds,
  };
}
