/** One process of Countersign on a table in memory, with a clock, model, tools and people that the test drives by hand. */
import { digestOf } from '../../src/thread/digest.ts';
import type { ActorEvidence, ToolFacts } from '../../src/thread/evidence.ts';
import type { Facts, Json, OnReject, Scope, Terms, WorkspaceEvent } from '../../src/thread/events.ts';
import type { CallId, ChannelId, MessageTs, ThreadKey, UserId, WriterId } from '../../src/thread/ids.ts';
import type { GivenGrant, Given, Incoming, Limits } from '../../src/thread/decide/command.ts';
import { threadLog, workspaceLog } from '../../src/thread/ids.ts';
import { emptyThread, openQuestions, type Call, type Thread } from '../../src/thread/thread.ts';
import { fold } from '../../src/thread/fold.ts';
import { MemoryTable, openMemoryLog } from '../../src/store/memory-log.ts';
import { defaultSettings, type WorkerSettings } from '../../src/worker/settings.ts';
import { Worker } from '../../src/worker/worker.ts';
import { WorkspaceLog } from '../../src/worker/workspace-log.ts';
import type {
  Act,
  Agent,
  Answer,
  Execution,
  Log,
  Model,
  ModelAnswer,
  ModelRequest,
  PeopleChange,
  Ports,
  Posted,
  ToolOutcome,
  Views,
} from '../../src/worker/ports.ts';
import { ANA, DANA, KEY, LEO, MIA, SRE, TEAM, terms } from '../support/acme.ts';
import { handClock, type HandClock } from '../support/hand-clock.ts';

export { ANA, DANA, KEY, LEO, MIA, SRE, TEAM, terms };

export const CARD = { channel: 'C0APPROV1' as ChannelId, ts: '1764511201.000100' as MessageTs };

/** An agent that answers every member. */
export const agent = (name: string, more: Partial<Agent> = {}): Agent => ({
  name,
  requesters: null,
  followUps: 'requester',
  model: null,
  instructions: null,
  tools: null,
  handOffs: [],
  ...more,
});

/** A table, a world and a clock that processes of a test share. */
export class World {
  readonly clock: HandClock = handClock();
  readonly table = new MemoryTable();
  readonly ran: Execution[] = [];
  readonly deactivated = new Set<UserId>();
  readonly unreachable = new Set<UserId>();
  readonly guests = new Set<UserId>();
  /** People who are in no scope any more. */
  readonly left = new Set<UserId>();
  /** Nobody says who is in which scope. */
  directoryIsAway = false;
  readonly listeners: ((change: PeopleChange) => void)[] = [];
  readonly gone = new Set<string>(['gone']);
  readonly admins = new Set<UserId>([ANA]);
  /** Every scope that people may be in. */
  scopes: readonly Scope[] = [SRE];
  /** What happened, in order: `write <events>`, `run <tool>`, and what a test's views add. */
  readonly trace: string[] = [];
  /** Terms by tool; a tool without any is allowed. */
  readonly asks: Record<string, Terms> = { execute: terms() };
  readonly denies = new Set<string>();
  facts: Facts = {};
  timeoutMs = 60_000;
  /** What a tool's own check finds; null: it cannot tell. */
  check: (tool: string, key: CallId) => 'ran' | 'not_run' | 'unknown' = () => 'unknown';
  /** Tools that can say whether a call happened. */
  readonly checks = new Set<string>();
  auditors: readonly Scope[] = [];
  mayFreeze: readonly Scope[] | null = null;
  /** Agents by name; `main` listens everywhere. */
  agents: Record<string, Agent> = { main: agent('main') };
  policyText = 'policy';
  /** Digests of rules that policy does not have any more. */
  readonly goneRules = new Set<string>();
  /** Definitions that differ from the first ones, by tool. */
  readonly definitions: Record<string, string> = {};
  limits: Limits = { steps: 40, tokens: 400_000, wallMs: 30 * 60_000, openRequests: 8, personOpenRequests: 20 };
  outcome: (execution: Execution) => Promise<ToolOutcome> | ToolOutcome = () => ({
    how: 'succeeded',
    effect: 'done',
    result: 'hello',
  });
  answers: ((request: ModelRequest) => Promise<ModelAnswer> | ModelAnswer)[] = [];
  requests: ModelRequest[] = [];
  #fresh = 0;

  fresh = (): string => `fresh${String((this.#fresh += 1)).padStart(8, '0')}`;

  /** The model's next reply: these calls, or this text. */
  reply(...calls: { tool: string; args?: Json }[]): void {
    this.answers.push(() => ({
      reply: {
        model: 'scripted',
        text: '',
        calls: calls.map(call => ({ tool: call.tool, args: JSON.stringify(call.args ?? {}) })),
        usage: { input: 10, output: 5 },
      },
    }));
  }

  say(text: string): void {
    this.answers.push(() => ({ reply: { model: 'scripted', text, calls: [], usage: { input: 10, output: 5 } } }));
  }

  tool(name: string): ToolFacts | undefined {
    if (this.gone.has(name)) return undefined;
    const effect = name.startsWith('read') ? 'read' : 'write';
    return {
      name,
      server: 'builtin',
      digest: digestOf({ name, version: this.definitions[name] ?? null }),
      effect,
      risk: 'medium',
      idempotent: false,
      timeoutMs: this.timeoutMs,
      checks: this.checks.has(name),
    };
  }

  /** Who is in a scope now; `left` have gone since it was written down. */
  members(scope: Scope): readonly UserId[] {
    return scope.users.filter(user => !this.left.has(user));
  }

  /** Slack says that people have changed. */
  peopleChanged(change: PeopleChange): void {
    for (const listener of this.listeners) listener(change);
  }

  actor(user: UserId): ActorEvidence {
    const standing = this.#standing(user);
    return {
      user,
      team: TEAM,
      name: user,
      standing,
      scopes: this.scopes.filter(scope => this.members(scope).includes(user)).map(scope => scope.name),
      unknownScopes: [],
      admin: this.admins.has(user),
      lookedUpAtMs: this.clock.nowMs(),
    };
  }

  #standing(user: UserId): ActorEvidence['standing'] {
    if (this.unreachable.has(user)) return 'unknown';
    if (this.guests.has(user)) return 'guest';
    return this.deactivated.has(user) ? 'deactivated' : 'member';
  }

  /** The thread as its log says. */
  async thread(key: ThreadKey = KEY): Promise<Thread> {
    const { commits } = await this.log('reader/1').load(threadLog(key));
    return commits.reduce(fold, emptyThread(key));
  }

  log(writer: string): Log {
    return openMemoryLog({
      table: this.table,
      macKey: null,
      clock: this.clock,
      fresh: this.fresh,
      writer: writer as WriterId,
    });
  }

  /** What the workspace's log gets from somebody else. */
  async workspace(...events: WorkspaceEvent[]): Promise<void> {
    const log = this.log('console/1');
    const { commits } = await log.load(workspaceLog(TEAM));
    await log.append(workspaceLog(TEAM), commits.at(-1) ?? { number: 0, hash: '' }, events);
  }

  /** Lets time pass in small steps until this is done. */
  async until<T>(work: Promise<T>, stepMs = 5): Promise<T> {
    const state = { done: false };
    const watched = work.finally(() => (state.done = true));
    watched.catch(() => undefined);
    for (let step = 0; !state.done; step += 1) {
      if (step > 20_000) throw new Error('It is never done.');
      await this.clock.advance(stepMs);
    }
    return watched;
  }

  /** Starts a process under this writer id. */
  process(writer = 'node1/1', more: Partial<Ports> = {}, settings: Partial<WorkerSettings> = {}): Process {
    return new Process(this, writer as WriterId, more, settings);
  }
}

/** Views that post nothing but say that they did: one card per request. */
export class NullViews implements Views {
  passes = 0;
  room: Views['room'] = () => 'card';
  behind: Views['behind'] = () => false;
  card: Views['card'] = () => Promise.resolve({ is: 'ours', found: null });
  announce: Views['announce'] = () => Promise.resolve<readonly Posted[]>([]);
  working: Views['working'] = () => undefined;
  /** What was shown of answers while they grew. */
  readonly written: string[] = [];
  writing: Views['writing'] = (_, run, text) => void this.written.push(`${run}: ${text ?? '(given up)'}`);
  readonly toldDamaged: ThreadKey[] = [];
  damaged: Views['damaged'] = key => {
    this.toldDamaged.push(key);
    return Promise.resolve();
  };
  reconcile: Views['reconcile'] = () => {
    this.passes += 1;
    return Promise.resolve({ posted: [], retryAtMs: null });
  };
}

export class Process {
  readonly world: World;
  readonly worker: Worker;
  readonly ports: Ports;
  readonly told: string[] = [];
  #ts = 100;
  #dead = false;

  constructor(world: World, writer: WriterId, more: Partial<Ports>, settings: Partial<WorkerSettings>) {
    this.world = world;
    const model: Model = {
      reply: async request => {
        world.requests.push(request);
        const answer = world.answers.shift();
        if (!answer) throw new Error('The model was asked more often than the test expected.');
        return answer(request);
      },
    };
    this.ports = {
      team: TEAM,
      writer,
      log: world.log(writer),
      model,
      tools: {
        offered: () => [],
        facts: name => world.tool(name),
        definitions: () => [],
        inspect: (name, args) =>
          Promise.resolve({
            ok: true,
            args,
            summary: `Run ${name}`,
            impact: null,
            bind: world.facts,
            note: {},
            atMs: world.clock.nowMs(),
          }),
        execute: async execution => {
          world.ran.push(execution);
          world.trace.push(`run ${execution.tool}`);
          return world.outcome(execution);
        },
        check: (name, key) => Promise.resolve(world.check(name, key)),
      },
      policy: {
        judge: ({ tool }) => {
          if (world.denies.has(tool.name)) return { verdict: 'deny', rule: 'no', why: 'Not here.' };
          const asked = world.asks[tool.name] ?? (tool.mustAsk ? terms() : undefined);
          return asked
            ? { verdict: 'ask', rule: 'ask', why: null, terms: asked }
            : { verdict: 'allow', rule: 'look', why: null };
        },
        stands: rule => !world.goneRules.has(rule),
        loaded: {
          digest: digestOf(world.policyText),
          text: world.policyText,
          instructions: Object.fromEntries(
            Object.values(world.agents).flatMap(({ name, instructions }) =>
              instructions === null ? [] : [[name, instructions]],
            ),
          ),
        },
        defaults: { scopes: [SRE], channel: CARD.channel },
        admins: [],
        people: world.scopes,
        limits: world.limits,
        auditors: world.auditors,
        freeze: world.mayFreeze,
        agentFor: () => world.agents.main ?? null,
        agent: name => world.agents[name],
      },
      directory: {
        actor: user => Promise.resolve(world.actor(user)),
        deciders: scopes =>
          Promise.resolve(
            world.directoryIsAway
              ? undefined
              : scopes.flatMap(scope => world.members(scope)).filter(user => world.actor(user).standing === 'member'),
          ),
        listen: listener => void world.listeners.push(listener),
      },
      views: new NullViews(),
      signals: { notify: () => undefined, listen: () => undefined },
      operators: {
        report: (cause, code, detail) => void this.told.push(`${cause} ${code} ${detail}`),
        resolved: () => undefined,
      },
      clock: world.clock,
      fresh: world.fresh,
      ...more,
    };
    this.ports = { ...this.ports, log: this.#mortal(this.ports.log) };
    const quiet = {
      info: () => undefined,
      warn: () => undefined,
      error: (facts: object) => void this.told.push(JSON.stringify(facts)),
    };
    this.worker = new Worker(
      this.ports,
      new WorkspaceLog(this.ports, defaultSettings.evidenceMs),
      { ...defaultSettings, ...settings },
      quiet,
    );
  }

  /** What authors of messages were told of what was not carried out. */
  readonly refusals: { readonly to: UserId; readonly code: string | null }[] = [];

  /** A person's message arrives. */
  say(
    text: string,
    author: UserId = DANA,
    { key = KEY, ...more }: Partial<Omit<Incoming, 'followUps'>> & { readonly key?: ThreadKey } = {},
  ): Promise<boolean> {
    this.#ts += 1;
    const ts = `1764511202.${String(this.#ts).padStart(6, '0')}` as MessageTs;
    const message = { ts, channel: key.channel, author, team: TEAM, name: author, text, files: [] };
    return this.worker.inbox.receive(key, { ...message, mention: true, direct: false, ...more }, ({ refusal }) =>
      this.refusals.push({ to: author, code: refusal?.code ?? null }),
    );
  }

  /** As `kill -9`: nothing of it reaches the log any more, and nothing comes back. */
  kill(): void {
    this.#dead = true;
  }

  #mortal(log: Log): Log {
    const alive = async <T>(work: () => Promise<T>): Promise<T> => {
      if (this.#dead) return new Promise<T>(() => undefined);
      const result = await work();
      return this.#dead ? new Promise<T>(() => undefined) : result;
    };
    return {
      load: (...args) => alive(() => log.load(...args)),
      append: (key, after, events, wake) =>
        alive(async () => {
          const result = await log.append(key, after, events, wake);
          if ('won' in result) this.world.trace.push(`write ${events.map(event => event.type).join(' ')}`);
          return result;
        }),
      offerSnapshot: (...args) => alive(() => log.offerSnapshot(...args)),
      putBlob: (...args) => alive(() => log.putBlob(...args)),
      getBlob: (...args) => alive(() => log.getBlob(...args)),
      due: (...args) => alive(() => log.due(...args)),
      clearWake: (...args) => alive(() => log.clearWake(...args)),
      putMark: (...args) => alive(() => log.putMark(...args)),
      marksOf: (...args) => alive(() => log.marksOf(...args)),
      lately: (...args) => alive(() => log.lately(...args)),
    };
  }

  /** Lets everything happen that needs no person. */
  async settle(): Promise<void> {
    await this.world.clock.advance(0);
    await this.worker.idle();
  }

  /** Somebody clicks Approve or Reject on the request of a call. */
  async click(
    verdict: 'approve' | 'reject',
    actor: UserId = MIA,
    more: Partial<{
      thread: ThreadKey;
      call: Call;
      round: number;
      key: string;
      reason: string;
      then: OnReject;
      option: string;
      grant: GivenGrant;
    }> = {},
  ): Promise<Answer> {
    const thread = await this.worker.inbox.read(more.thread ?? KEY);
    const call = more.call ?? Object.values(thread.calls).find(each => each.state.is === 'waiting');
    const approval = thread.approvals[call?.approval ?? ''];
    if (!approval) throw new Error('No request waits.');
    const round = more.round ?? approval.round;
    const key = more.key ?? `${approval.id}.${round}.${actor}.${(this.#ts += 1)}`;
    return this.worker.inbox.decide(
      { thread: thread.key, actor: { user: actor, team: TEAM }, place: CARD, key },
      {
        approval: approval.id,
        round,
        verdict,
        reason: more.reason ?? null,
        then: more.then ?? null,
        origin: 'click',
        ...(more.option === undefined ? {} : { option: more.option }),
        ...(more.grant === undefined ? {} : { grant: more.grant }),
      },
    );
  }

  /** A person's act on a message of ours; another one each time. */
  act(user: UserId, thread: ThreadKey = KEY): Act {
    return { thread, actor: { user, team: TEAM }, place: CARD, key: `act.${user}.${(this.#ts += 1)}` };
  }

  /** Somebody answers the question that is open. */
  async answer(given: Given, user: UserId = DANA): Promise<Answer> {
    const thread = await this.worker.inbox.read(KEY);
    const question = openQuestions(thread)[0];
    if (!question) throw new Error('No question is open.');
    const { id, asked } = question;
    return this.worker.inbox.answer(this.act(user), { question: id, given, asked, origin: 'form' });
  }
}
