/**
 * Random interleavings of what people and time do to one request, against a model that is as simple as the rules can be said:
 * votes of distinct people for the shown round, an edit or a message begins a new round, one terminal state, one execution.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editPreview } from '../../src/thread/decide/edit.ts';
import { canonical } from '../../src/thread/digest.ts';
import type { UserId } from '../../src/thread/ids.ts';
import { at } from '../../src/thread/thread.ts';
import { ANA, CARD, DANA, HOUR_MS, LEADS, LEO, MIA, OTTO, SRE, Stage, THAWED, terms } from './stage.ts';

const TERMS = terms({
  quorum: 2,
  ladder: [{ afterMs: 0, scopes: [SRE, LEADS] }],
  edit: ['n'],
  expiresInMs: 4 * HOUR_MS,
});
const DECIDERS: readonly UserId[] = [MIA, LEO, ANA];

interface Model {
  round: number;
  votes: UserId[];
  args: number;
  state: 'open' | 'approved' | 'rejected' | 'expired' | 'withdrawn';
  call: 'waiting' | 'approved' | 'claimed' | 'ended' | 'closed';
  runOver: boolean;
  leftMs: number;
  /** The arguments of each execution. */
  executed: number[];
}

type Step = fc.Command<Model, Stage>;

const look = (n: number) => ({ verdict: TERMS, args: { n } });
/** A model's round is changed by whoever begins a new one. */
function begin(model: Model, votes: UserId[]): void {
  model.round += 1;
  model.votes = votes;
}
function close(model: Model, state: Model['state']): void {
  model.state = state;
  model.call = 'closed';
}

/** What the thread must look like if the model is right. */
function agree(model: Model, stage: Stage): void {
  const call = at(stage.thread.calls, stage.thread.runs['r1']?.calls[0] ?? '');
  const approval = at(stage.thread.approvals, call?.approval ?? '');
  expect({
    round: approval?.round,
    votes: approval?.votes.filter(vote => vote.verdict === 'approve').map(vote => vote.by),
    state: approval?.state.is,
    args: call?.args,
    call: call?.state.is,
    attempts: call?.attempts,
  }).toEqual({
    round: model.round,
    votes: model.votes,
    state: model.state,
    args: { n: model.args },
    call: model.call,
    attempts: model.executed.length,
  });
}

/** The thread that a process without memory reads; it is the one that was known. */
function replayedAlike(stage: Stage): Stage['thread'] {
  const replayed = stage.replayed();
  expect(canonical(replayed)).toBe(canonical(stage.thread));
  return replayed;
}

abstract class Checked implements Step {
  check(_model: Readonly<Model>): boolean {
    return true;
  }
  run(model: Model, stage: Stage): void {
    this.act(model, stage);
    agree(model, stage);
  }
  abstract act(model: Model, stage: Stage): void;
  abstract toString(): string;
}

const isOpen = (model: Model): boolean => model.state === 'open' && model.leftMs > 0;

class Decide extends Checked {
  readonly by: UserId;
  readonly verdict: 'approve' | 'reject';
  /** How many rounds ago the person looked. */
  readonly ago: number;
  constructor(by: UserId, verdict: 'approve' | 'reject', ago: number) {
    super();
    [this.by, this.verdict, this.ago] = [by, verdict, ago];
  }
  act(model: Model, stage: Stage): void {
    const { by, verdict } = this;
    const round = Math.max(1, model.round - this.ago);
    stage.click(verdict, by, { on: stage.approval(), round });
    if (!isOpen(model) || round !== model.round || !DECIDERS.includes(by)) return;
    if (verdict === 'reject') {
      model.votes = model.votes.filter(other => other !== by);
      return close(model, 'rejected');
    }
    if (model.votes.includes(by)) return;
    model.votes = [...model.votes, by];
    if (model.votes.length < 2) return;
    model.state = 'approved';
    model.call = 'approved';
  }
  toString(): string {
    return `${this.by} ${this.verdict}s round -${this.ago}`;
  }
}

class Edit extends Checked {
  readonly by: UserId;
  readonly n: number;
  constructor(by: UserId, n: number) {
    super();
    [this.by, this.n] = [by, n];
  }
  act(model: Model, stage: Stage): void {
    const { by, n } = this;
    const approval = stage.approval();
    const call = stage.call();
    const evidence = stage.look({ name: call.tool, ...look(n) });
    const who = { actor: stage.actor(by), card: CARD, workspace: THAWED };
    const editing = { approval: approval.id, round: approval.round, args: { n }, evidence, ...who };
    const preview = editPreview(stage.thread, editing, stage.nowMs);
    const shown = preview.refusal === null ? preview.shown : approval.digest;
    stage.do({ type: 'edit', ...editing, shown, key: `edit.${stage.fresh()}` });
    if (!isOpen(model) || !DECIDERS.includes(by) || n === model.args) return;
    begin(model, [by]);
    model.args = n;
  }
  toString(): string {
    return `${this.by} edits to ${this.n}`;
  }
}

class Say extends Checked {
  act(model: Model, stage: Stage): void {
    stage.say('sorry, I meant something else', DANA);
    if (model.state === 'open' && !model.runOver) begin(model, []);
  }
  toString(): string {
    return 'Dana writes';
  }
}

class Cancel extends Checked {
  act(model: Model, stage: Stage): void {
    stage.cancel(DANA, { run: 'r1' as never });
    if (model.runOver) return;
    model.runOver = true;
    if (model.call === 'waiting' || model.call === 'approved') close(model, 'withdrawn');
  }
  toString(): string {
    return 'Dana cancels';
  }
}

class Pass extends Checked {
  readonly ms: number;
  constructor(ms: number) {
    super();
    this.ms = ms;
  }
  act(model: Model, stage: Stage): void {
    stage.pass(this.ms);
    model.leftMs -= this.ms;
  }
  toString(): string {
    return `${this.ms} ms pass`;
  }
}

class Expire extends Checked {
  act(model: Model, stage: Stage): void {
    stage.do({ type: 'expire', approval: stage.approval().id });
    if (model.leftMs <= 0 && (model.call === 'waiting' || model.call === 'approved')) close(model, 'expired');
  }
  toString(): string {
    return 'the ticker looks';
  }
}

class Claim extends Checked {
  act(model: Model, stage: Stage): void {
    stage.claim(stage.call(), look(model.args));
    if (model.call !== 'approved' || model.runOver) return;
    if (model.leftMs <= 0) return close(model, 'expired');
    model.call = 'claimed';
    model.executed.push(model.args);
  }
  toString(): string {
    return 'a worker claims';
  }
}

class End extends Checked {
  override check(model: Readonly<Model>): boolean {
    return model.call === 'claimed';
  }
  act(model: Model, stage: Stage): void {
    stage.ended();
    model.call = 'ended';
  }
  toString(): string {
    return 'the tool ends';
  }
}

class Restart extends Checked {
  act(_model: Model, stage: Stage): void {
    stage.thread = replayedAlike(stage);
  }
  toString(): string {
    return 'everything restarts from the log';
  }
}

const person = fc.constantFrom(MIA, LEO, ANA, OTTO, DANA);
const steps = [
  fc
    .tuple(person, fc.constantFrom('approve', 'reject'), fc.nat(1))
    .map(([by, verdict, ago]) => new Decide(by, verdict as 'approve', ago)),
  person.map(by => new Decide(by, 'approve', 0)),
  // Mostly people approve what they see, or nothing would ever run.
  ...Array.from({ length: 4 }, () => fc.constantFrom(...DECIDERS).map(by => new Decide(by, 'approve', 0))),
  fc.tuple(person, fc.nat(3)).map(([by, n]) => new Edit(by, n)),
  fc.constant(new Say()),
  fc.constant(new Cancel()),
  fc.constantFrom(60_000, HOUR_MS, 4 * HOUR_MS).map(ms => new Pass(ms)),
  fc.constant(new Expire()),
  fc.constant(new Claim()),
  fc.constant(new Claim()),
  fc.constant(new End()),
  fc.constant(new Restart()),
];

test('decisions, edits, messages, cancels, expiries and restarts in any order keep to the model: one terminal state, one execution, of what the approvers of the last round saw [F-B15, T-A21b, T-D4]', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.commands(steps, { maxCommands: 30, size: 'max' }), commands => {
      const stage = new Stage().asks({ ...look(0) });
      const model: Model = {
        round: 1,
        votes: [],
        args: 0,
        state: 'open',
        call: 'waiting',
        runOver: false,
        leftMs: 4 * HOUR_MS,
        executed: [],
      };
      fc.modelRun(() => ({ model, real: stage }), commands);
      expect(model.executed.length).toBeLessThanOrEqual(1);
      seen.add(model.state).add(model.call);
      if (model.round > 2) seen.add('several rounds');
    }),
    { numRuns: 200 },
  );
  for (const what of ['approved', 'rejected', 'withdrawn', 'claimed', 'several rounds']) expect(seen).toContain(what);
});
