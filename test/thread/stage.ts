/** One thread of the pure core, with people, tools, time and evidence that a test sets by hand; every commit is sealed. */
import { seal, type Commit } from '../../src/thread/commit.ts';
import type {
  Answer,
  Asking,
  Command,
  Decide,
  Decision,
  Given,
  Incoming,
  Limits,
  Settle,
} from '../../src/thread/decide/command.ts';
import { decide } from '../../src/thread/decide/decide.ts';
import { digestOf, sha256 } from '../../src/thread/digest.ts';
import type {
  ActorEvidence,
  CallEvidence,
  CardEvidence,
  ToolFacts,
  WorkspaceEvidence,
} from '../../src/thread/evidence.ts';
import type { Facts, Scope, Terms, ThreadEvent } from '../../src/thread/events.ts';
import { fold } from '../../src/thread/fold.ts';
import {
  threadLog,
  type ChannelId,
  type MessageTs,
  type RunId,
  type ThreadKey,
  type UserId,
  type WriterId,
} from '../../src/thread/ids.ts';
import { next, type Effect, type Situation } from '../../src/thread/next.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import {
  emptyThread,
  type Approval,
  type Call,
  type Question,
  type Run,
  type Thread,
} from '../../src/thread/thread.ts';
import { ANA, DANA, KEY, LEO, MIA, OTTO, SRE, TEAM, terms } from '../support/acme.ts';

export { ANA, DANA, KEY, LEO, MIA, OTTO, SRE, TEAM, terms };

export const CARD: CardEvidence = {
  channel: 'C0APPROV1' as ChannelId,
  ts: '1764511201.000100' as MessageTs,
  is: 'ours',
};
export const ME = 'node1/1' as WriterId;
export const LEADS: Scope = { name: 'leads', label: 'Leads', users: [ANA], groups: [] };
export const LIMITS: Limits = {
  steps: 40,
  tokens: 400_000,
  wallMs: 30 * 60_000,
  openRequests: 8,
  personOpenRequests: 5,
};
export const THAWED: WorkspaceEvidence = { version: 1, frozen: null };
/** The policy and tools in force, none of which can say whether a call happened. */
export const RULES = {
  policy: digestOf('policy'),
  definition: (name: string) => digestOf({ name }),
  checks: () => false,
};
export const HOUR_MS = 3_600_000;

/** Frozen by Ana since the given time. */
export const frozen = (sinceMs: number): WorkspaceEvidence => ({
  version: 2,
  frozen: { by: ANA, name: 'Ana Ruiz', why: 'bad deploy', sinceMs },
});

/** A tool's facts; names that begin with `read` only read. */
const tool = (name: string, more: Partial<ToolFacts> = {}): ToolFacts => ({
  name,
  server: 'builtin',
  digest: digestOf({ name }),
  effect: name.startsWith('read') ? 'read' : 'write',
  risk: 'medium',
  idempotent: false,
  timeoutMs: 60_000,
  ...more,
});

interface Look {
  tool?: Partial<ToolFacts> | null;
  /** Terms of the request; `allow` and `deny` are the other verdicts. */
  verdict?: Terms | 'allow' | 'deny';
  rule?: string;
  bind?: Facts;
  note?: Facts;
  inspection?: CallEvidence['inspection'];
  eligible?: CallEvidence['eligible'];
  room?: CallEvidence['room'];
}

export interface Asked extends Look {
  name?: string;
  /** A JSON value, or with `raw` what the model wrote. */
  args?: unknown;
  raw?: string;
}

type Claimed = Partial<Omit<Extract<Command, { type: 'claim' }>, 'type' | 'call' | 'evidence'>>;

export class Stage {
  readonly key: ThreadKey;
  readonly commits: Commit[] = [];
  thread: Thread;
  nowMs = Date.UTC(2026, 10, 30, 14);
  writer = ME;
  #fresh = 0;

  constructor(key: ThreadKey = KEY) {
    this.key = key;
    this.thread = emptyThread(key);
  }

  fresh(): string {
    return `fresh${(this.#fresh += 1)}`;
  }

  /** Seals and folds events as the next commit. */
  append(...events: readonly ThreadEvent[]): void {
    const { number, hash } = this.thread.head;
    const draft = { after: { number, hash }, events, atMs: this.nowMs, writer: this.writer };
    const commit = seal(threadLog(this.key), { ...draft, nonce: this.fresh(), salt: this.fresh() });
    this.commits.push(commit);
    fold(this.thread, commit);
  }

  /** Decides a command now and appends what it leads to. */
  do(command: Command): Decision {
    const decision = decide(this.thread, command, this.nowMs);
    if (decision.events.length > 0) this.append(...decision.events);
    return decision;
  }

  /** What a process without memory makes of the same commits. */
  replayed(): Thread {
    return this.commits.reduce(fold, emptyThread(this.key));
  }

  pass(ms: number): this {
    this.nowMs += ms;
    return this;
  }

  // People

  actor(user: UserId, more: Partial<ActorEvidence> = {}): ActorEvidence {
    const scopes = [SRE, LEADS].filter(scope => scope.users.includes(user)).map(scope => scope.name);
    const known = { user, team: TEAM, name: `name of ${user}`, standing: 'member', unknownScopes: [] } as const;
    return { ...known, scopes, admin: user === ANA, lookedUpAtMs: this.nowMs, ...more };
  }

  message(text: string, author = DANA, more: Partial<Incoming> = {}): Incoming {
    const ts = `1764511300.${String((this.#fresh += 1)).padStart(6, '0')}` as MessageTs;
    const plain = { channel: this.key.channel, author, team: TEAM, name: `name of ${author}`, files: [] };
    return { ts, ...plain, text, mention: true, direct: false, followUps: 'requester', ...more };
  }

  say(text: string, author = DANA, more: Partial<Incoming> = {}): Incoming {
    const message = this.message(text, author, more);
    this.do({ type: 'receive', messages: [message], salt: this.fresh() });
    return message;
  }

  // The worker

  take(holder = ME, lengthMs = 310_000): void {
    this.do({ type: 'take', holder, lengthMs });
  }

  /** Starts the next run with everything that waits. */
  start(...authors: readonly ActorEvidence[]): Decision {
    const waiting = this.thread.queue.flatMap(ts => this.thread.messages[ts]?.author ?? []);
    const actors = authors.length > 0 ? authors : waiting.map(author => this.actor(author));
    return this.do({
      type: 'start',
      agent: 'default',
      messages: [...this.thread.queue],
      authors: actors,
      requesters: null,
    });
  }

  look(asked: Asked = {}): CallEvidence {
    const { name = 'execute', verdict = terms(), rule = 'a-rule', bind = {}, note = {} } = asked;
    const facts = asked.tool === null ? null : tool(name, asked.tool);
    const fine = { ok: true, args: asked.args ?? {}, summary: `Run ${name}`, impact: null } as const;
    return {
      tool: facts,
      inspection: asked.inspection ?? { ...fine, bind, note, atMs: this.nowMs },
      judged:
        verdict === 'allow'
          ? { verdict, rule, why: null }
          : verdict === 'deny'
            ? { verdict, rule, why: 'Not here.' }
            : { verdict: 'ask', rule, why: null, terms: verdict },
      policy: digestOf('policy'),
      eligible: asked.eligible ?? [MIA, LEO],
      room: asked.room ?? 'card',
      salt: this.fresh(),
    };
  }

  /** The model answers with these calls; or with a text alone, which ends the run. */
  reply(text: string, ...asked: readonly Asked[]): Decision {
    const run = this.run();
    return this.do({
      type: 'reply',
      holder: ME,
      run: run.id,
      turn: run.turn + 1,
      model: 'scripted',
      text,
      calls: asked.map(({ name = 'execute', args, raw }) => ({ tool: name, args: raw ?? JSON.stringify(args ?? {}) })),
      usage: { input: 10, output: 5 },
      evidence: asked.map(each => this.look(each)),
      limits: LIMITS,
    });
  }

  /** From a first message to these calls, judged. */
  asks(...asked: readonly Asked[]): this {
    this.say('do it');
    this.take();
    this.start();
    this.reply('', ...(asked.length > 0 ? asked : [{}]));
    return this;
  }

  claim(call: Call = this.call(), look: Asked = {}, more: Claimed = {}): Decision {
    const approval = this.thread.approvals[call.approval ?? ''];
    const run = this.run(call.run);
    return this.do({
      type: 'claim',
      call: call.id,
      evidence: this.look({ name: call.tool, args: call.args, ...look }),
      approvers: (approval?.votes ?? []).map(vote => this.actor(vote.by)),
      requesters: run.requesters.map(user => this.actor(user)),
      answers: null,
      workspace: THAWED,
      holder: ME,
      limits: LIMITS,
      ...more,
    });
  }

  /** A claimed call's tool answers. */
  ended(
    call: Call = this.call(),
    more: Partial<Extract<Command, { type: 'ended' }>['outcome']> = {},
    attempt?: number,
  ) {
    const result = more.result ?? 'hello';
    const outcome = { how: 'succeeded', effect: 'done', code: null, result, ...more } as const;
    const times = { startedAtMs: this.nowMs, endedAtMs: this.nowMs, digest: sha256(result) };
    const execution = `${call.id}.${attempt ?? call.attempts}` as Call['spent'][number];
    const full = { ...outcome, ...times, bytes: Buffer.byteLength(result), blob: null };
    return this.do({ type: 'ended', call: call.id, execution, outcome: full });
  }

  /** A claimed call's tool waits from inside. */
  suspend(name: string, asking: Asking, call: Call = this.call(), look: Asked = {}): Decision {
    if (call.state.is !== 'claimed') throw new Error(`The call is ${call.state.is}, not claimed.`);
    const evidence = asking.on === 'call' ? this.look({ name: call.tool, args: asking.args, ...look }) : null;
    const { execution } = call.state.claim;
    return this.do({ type: 'suspend', call: call.id, execution, name, asking, evidence, limits: LIMITS });
  }

  recover(call: Call = this.call(), again = false): Decision {
    if (call.state.is !== 'claimed') throw new Error(`The call is ${call.state.is}, not claimed.`);
    return this.do({ type: 'recover', call: call.id, execution: call.state.claim.execution, again });
  }

  // People's acts

  click(verdict: Decide['verdict'], by = MIA, more: Partial<Decide> & { on?: Approval } = {}): Decision {
    const { on, ...rest } = more;
    const approval = on ?? this.approval();
    const round = rest.round ?? approval.round;
    return this.do({
      type: 'decide',
      approval: approval.id,
      round,
      verdict,
      reason: null,
      then: null,
      key: `${approval.id}.${round}.${by}.${(this.#fresh += 1)}`,
      origin: 'click',
      actor: this.actor(by),
      card: CARD,
      workspace: THAWED,
      ...rest,
    });
  }

  settle(as: Settle['as'], by = MIA, more: Partial<Settle> & { look?: Asked } = {}): Decision {
    const { look, ...rest } = more;
    const call = this.call();
    return this.do({
      type: 'settle',
      call: call.id,
      attempt: call.attempts,
      as,
      key: `${call.id}.${by}.${(this.#fresh += 1)}`,
      actor: this.actor(by),
      card: CARD,
      workspace: THAWED,
      defaults: [SRE],
      evidence: as === 'not_run' ? this.look({ name: call.tool, args: call.args, ...look }) : null,
      ...rest,
    });
  }

  answer(given: Given, by = DANA, more: Partial<Answer> = {}): Decision {
    const question = this.question();
    return this.do({
      type: 'answer',
      question: question.id,
      given,
      asked: question.asked,
      origin: 'form',
      key: `${question.id}.${by}.${(this.#fresh += 1)}`,
      actor: this.actor(by),
      workspace: THAWED,
      ...more,
    });
  }

  cancel(by = DANA, more: Partial<Extract<Command, { type: 'cancel' }>> = {}): Decision {
    const run = more.run ?? this.run().id;
    return this.do({ type: 'cancel', run, actor: this.actor(by), key: this.fresh(), source: 'button', ...more });
  }

  askAgain(by = DANA, call: Call = this.call()): Decision {
    return this.do({ type: 'askAgain', call: call.id, actor: this.actor(by), agent: 'default' });
  }

  // What became of it

  /** The latest run, or the one named. */
  run(id?: RunId): Run {
    const run = this.thread.runs[id ?? `r${this.thread.runCount}`];
    if (!run) throw new Error('There is no such run.');
    return run;
  }

  /** The latest run's call at this place, in the order of its turns. */
  call(index = 0): Call {
    const call = this.thread.calls[this.run().calls[index] ?? ''];
    if (!call) throw new Error('There is no such call.');
    return call;
  }

  approval(index = 0): Approval {
    const approval = this.thread.approvals[this.call(index).approval ?? ''];
    if (!approval) throw new Error('Nobody was asked about this call.');
    return approval;
  }

  /** The latest question, or the one at this place. */
  question(index = -1): Question {
    const question = Object.values(this.thread.questions).at(index);
    if (!question) throw new Error('There is no such question.');
    return question;
  }

  /** Words for what each call of the latest run has come to. */
  outcomes(): string[] {
    return this.run().calls.flatMap(id => {
      const call = this.thread.calls[id];
      return call ? [outcomeOf(this.thread, call).is] : [];
    });
  }

  next(more: Partial<Situation> = {}): { effects: Effect['do'][] } {
    const calm = { nowMs: this.nowMs, me: ME, lease: 'mine', frozen: false, limits: LIMITS } as const;
    const { effects } = next(this.thread, { ...calm, ...RULES, executing: new Set(), ...more });
    return { effects: effects.map(effect => effect.do) };
  }
}
