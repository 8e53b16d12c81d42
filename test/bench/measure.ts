/** Owns how one turn is measured, and that it was done right: whoever cuts a corner here is stopped, not measured. */
import type { Account, Tally } from './account.ts';
import { spent, turnOf, type Effects, type Spent, type Subject } from './script.ts';

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
  readonly clickToTool: Spent;
  /** Both halves of the turn. */
  readonly turn: Spent;
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
  account.payer = 'turn';
  const start = spent();
  await subject.pause(thread, turn);
  const paused = spent();
  check(effects.refunds === refunds, 'the sensitive tool ran before anybody had approved');
  check(effects.lookups === lookups + 1, 'the safe tool did not run exactly once');
  account.payer = 'later';
  await subject.wait();
  const click = await subject.open(thread, index);
  account.payer = 'turn';
  const clicked = spent();
  await click.approve();
  const end = spent();
  account.payer = 'nobody';
  check(effects.refunds === refunds + 1, `the sensitive tool ran ${effects.refunds - refunds} times`);
  check(effects.lookups === lookups + 1, 'the safe tool ran again');
  check(effects.argumentBytes === 300, `the tool got ${effects.argumentBytes} bytes of arguments`);
  check((await click.answer()) === turn.answer, 'the answer is another one');
  account.payer = 'later';
  await subject.rest();
  account.payer = 'nobody';
  return {
    index,
    ...account.take(),
    clickToTool: between(clicked, effects.refundedAt),
    turn: sum(between(start, paused), between(clicked, end)),
  };
}

const between = (from: Spent, to: Spent): Spent => ({ wallMs: to.wallMs - from.wallMs, cpuMs: to.cpuMs - from.cpuMs });
const sum = (a: Spent, b: Spent): Spent => ({ wallMs: a.wallMs + b.wallMs, cpuMs: a.cpuMs + b.cpuMs });
