/**
 * Owns the software under measure: the real worker, store, policy, tools, rendering and model adapter; only Slack answers at
 * once. Each half of a turn is done by a fresh process object, which has run for a minute and knows nothing of the thread; or
 * all turns by one process that goes on.
 */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { z } from 'zod';
import { systemFresh } from '../../src/compose/clock.ts';
import { createModel } from '../../src/model/model.ts';
import { loadPolicyFile } from '../../src/policy/policy-file.ts';
import { createPolicy } from '../../src/policy/policy.ts';
import type { RenderContext } from '../../src/slack/views/context.ts';
import { resultText } from '../../src/slack/views/result.ts';
import { openDynamoLog } from '../../src/store/dynamo-log.ts';
import type { ActorEvidence } from '../../src/thread/evidence.ts';
import {
  approvalId,
  callId,
  questionId,
  type ApprovalId,
  type CallId,
  type ChannelId,
  type MessageTs,
  type QuestionId,
  type RunId,
  type TeamId,
  type ThreadKey,
  type UserId,
  type WriterId,
} from '../../src/thread/ids.ts';
import type { Refusal } from '../../src/thread/refusal.ts';
import { at } from '../../src/thread/thread.ts';
import { defineTool } from '../../src/tools/define.ts';
import { createRegistry } from '../../src/tools/registry.ts';
import { askUser } from '../../src/tools/people/ask-user.ts';
import { words } from '../../src/tools/words.ts';
import type { Act, Directory, Inbox, Model, Place, Policy, Ports, Tools } from '../../src/worker/ports.ts';
import { defaultSettings } from '../../src/worker/settings.ts';
import { Worker } from '../../src/worker/worker.ts';
import { WorkspaceLog } from '../../src/worker/workspace-log.ts';
import type { Account } from './account.ts';
import type { BenchClock } from './bench-clock.ts';
import { NullSlack } from './null-slack.ts';
import type { Click, Effects, Subject, Turn } from './script.ts';

/** What the software is called in the report. */
export const SOFTWARE = 'countersign';

const MINUTE_MS = 60_000;
const TEAM = 'T0ACME001' as TeamId;
const DANA = 'U0DANA001' as UserId;
const MIA = 'U0MIA0001' as UserId;
const BOT = 'U0BOT0001' as UserId;
const CHANNEL = 'C0SUPPORT' as ChannelId;

const POLICY = `
version: 1
people: { sre: { users: [${DANA}, ${MIA}] } }
channels: { approvals: C0APPROV1, operators: C0OPSALRT }
defaults: { approvers: [sre], notify: nobody, expires: 4h, on_reject: replan }
rules:
  - id: look-freely
    allow: [lookup, ask_user]
  - id: money
    ask: [refund]
    why: Money leaves the house.
`;

function policyOf(text: string): Policy {
  const read = loadPolicyFile(text, 'countersign.yaml');
  if ('problems' in read) throw new Error(read.problems.join('\n'));
  const fail = (error: object): never => {
    throw new Error(`A condition failed: ${JSON.stringify(error)}`);
  };
  return createPolicy(read.ok, { onConditionError: fail });
}

const toolsOf = (effects: Effects, clock: BenchClock): Tools =>
  createRegistry(
    [
      defineTool({
        name: 'lookup',
        description: 'Looks up an order.',
        parameters: z.object({ order: z.string() }),
        effect: 'read',
        risk: 'low',
        summary: ({ order }) => `Look up ${order}`,
        execute: ({ order }) => Promise.resolve(effects.lookup(order)),
      }),
      defineTool({
        name: 'refund',
        description: 'Refunds an order.',
        parameters: z.object({ note: z.string(), order: z.string(), reason: z.string() }),
        effect: 'write',
        risk: 'medium',
        summary: ({ order }) => `Refund ${order}`,
        execute: args => Promise.resolve(effects.refund(args)),
      }),
      askUser(words.en),
    ],
    'en',
    clock,
  );

interface CountersignOptions {
  readonly client: DynamoDBClient;
  readonly table: string;
  readonly model: string;
  readonly effects: Effects;
  readonly account: Account;
  readonly clock: BenchClock;
  /** A process object of its own for each half of a turn. */
  readonly fresh: boolean;
  /** What the rule about money says beside that people are asked. */
  readonly offers?: string;
}

/** Where people act on the `index`-th turn of a thread. */
export interface Desk {
  readonly inbox: Inbox;
  /** The request about the turn's sensitive call. */
  readonly approval: ApprovalId;
  /** What the turn asks, where it begins with a question. */
  readonly question: QuestionId;
  readonly mia: () => Act;
  readonly dana: () => Act;
  readonly act: (work: Promise<{ readonly refusal: Refusal | null }>) => Promise<void>;
  /** The answer as it is on record. */
  readonly answer: () => Promise<string>;
}

export class Countersign implements Subject {
  readonly name: string;
  readonly slack = new NullSlack();
  readonly #options: CountersignOptions;
  readonly #policy: Policy;
  readonly #context: RenderContext;
  readonly #tools: Tools;
  readonly #model: Model;
  readonly #told: string[] = [];
  #boots = 0;
  #worker: Worker | undefined;

  constructor(options: CountersignOptions) {
    const { clock } = options;
    this.#options = options;
    this.#policy = policyOf(`${POLICY}${options.offers ?? ''}`);
    this.name = options.fresh ? SOFTWARE : `${SOFTWARE}, one process`;
    this.#context = {
      language: 'en',
      environment: 'bench',
      approvals: this.#policy.defaults.channel,
      operators: null,
      botUser: BOT,
      defaults: this.#policy.defaults,
      secretsKey: 'bench',
      argumentOrder: () => ['note', 'order', 'reason'],
      isPrivate: () => false,
    };
    this.#tools = toolsOf(options.effects, clock);
    this.#model = createModel({
      baseURL: options.model,
      apiKey: 'bench',
      model: 'bench',
      clock,
      agent: () => undefined,
      argumentsText: args => JSON.stringify(args),
      resultText: outcome => resultText(outcome, this.#context),
    });
  }

  pause(thread: number, turn: Turn): Promise<void> {
    return this.say(thread, turn.question);
  }

  /** A person writes; resolves when people are needed, or all is done. */
  async say(thread: number, text: string): Promise<void> {
    const worker = await this.#boot();
    const { clock } = this.#options;
    const taken = await worker.inbox.receive(keyOf(thread), {
      ts: `${(clock.nowMs() / 1000).toFixed(6)}` as MessageTs,
      channel: CHANNEL,
      author: DANA,
      team: TEAM,
      name: 'Dana Ito',
      text: `<@${BOT}> ${text}`,
      files: [],
      mention: true,
      direct: false,
    });
    if (!taken) throw new Error('The message was not taken.');
    await worker.idle();
    this.#check();
  }

  async open(thread: number, index: number): Promise<Click> {
    const worker = await this.#boot();
    const key = keyOf(thread);
    const run = `r${index}` as RunId;
    const approval = approvalId(key, run, callId(key, run, 2, 0));
    const place = this.slack.place(`card/${approval}/1`);
    return {
      approve: async () => {
        const { refusal } = await worker.inbox.decide(
          { thread: key, actor: { user: MIA, team: TEAM }, place, key: `${approval}.1.${MIA}.${place.ts}` },
          { approval, round: 1, verdict: 'approve', reason: null, then: null, origin: 'click' },
        );
        if (refusal) throw new Error(`The click was refused: ${refusal.code}.`);
        await worker.idle();
        this.#check();
      },
      answer: () => this.#answered(worker, key, run),
    };
  }

  /** A process object that has just started; what a person does in it is over when `act` is and all of it is written. */
  async desk(thread: number, index: number): Promise<Desk> {
    const worker = await this.#boot();
    const key = keyOf(thread);
    const run = `r${index}` as RunId;
    const call = (turn: number): CallId => callId(key, run, turn, 0);
    const approval = approvalId(key, run, call(2));
    const by = (user: UserId, place: Place): Act => ({
      thread: key,
      actor: { user, team: TEAM },
      place,
      key: systemFresh(),
    });
    return {
      inbox: worker.inbox,
      approval,
      question: questionId(key, call(1), 'answer'),
      mia: () => by(MIA, this.slack.place(`card/${approval}/1`)),
      dana: () => by(DANA, { channel: CHANNEL, ts: key.ts }),
      act: async work => {
        const { refusal } = await work;
        if (refusal) throw new Error(`Refused: ${refusal.code}.`);
        await worker.idle();
        this.#check();
      },
      answer: () => this.#answered(worker, key, run),
    };
  }

  wait(): Promise<void> {
    return this.#pass(20 * MINUTE_MS);
  }

  rest(): Promise<void> {
    return this.#pass(12 * 60 * MINUTE_MS);
  }

  /** Time passes, and the process that is there looks for what is due. */
  async #pass(ms: number): Promise<void> {
    this.#options.clock.pass(ms);
    await this.#worker?.tick();
    await this.#worker?.idle();
    this.#check();
  }

  /** What the thread says at the end; nobody pays for this look. */
  async #answered(worker: Worker, key: ThreadKey, run: RunId): Promise<string> {
    const thread = await this.#unpaid(() => worker.inbox.read(key));
    const found = at(thread.runs, run);
    if (found?.end?.how !== 'succeeded' || thread.lease !== null) throw new Error('The turn did not come to its end.');
    return found.answer ?? '';
  }

  /** A process object that has started, and then run for a minute with its ticker. */
  #boot(): Promise<Worker> {
    return this.#unpaid(async () => {
      const worker = this.#options.fresh ? undefined : this.#worker;
      this.#worker = worker ?? (await this.#started());
      await this.#pass(MINUTE_MS);
      return this.#worker;
    });
  }

  async #started(): Promise<Worker> {
    this.#boots += 1;
    const ports = this.#ports(`node/${this.#boots}`);
    const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const worker = new Worker(ports, new WorkspaceLog(ports, defaultSettings.evidenceMs), defaultSettings, quiet);
    await worker.start();
    return worker;
  }

  async #unpaid<T>(work: () => Promise<T>): Promise<T> {
    const { account } = this.#options;
    const { payer } = account;
    account.payer = 'nobody';
    try {
      return await work();
    } finally {
      account.payer = payer;
    }
  }

  #ports(writer: string): Ports {
    const { client, table, clock } = this.#options;
    const told = (cause: string, code: string, detail: string): void =>
      void this.#told.push(`${cause} ${code} ${detail}`);
    const named = { writer: writer as WriterId, clock, fresh: systemFresh };
    return {
      team: TEAM,
      ...named,
      log: openDynamoLog({ client, table, macKey: Buffer.alloc(32, 7), ...named }),
      model: this.#model,
      tools: this.#tools,
      policy: this.#policy,
      directory: directoryAt(clock),
      views: this.slack.views(this.#context, clock, named.writer, TEAM),
      signals: { notify: () => undefined, listen: () => undefined },
      operators: { report: told, resolved: () => undefined },
    };
  }

  #check(): void {
    if (this.#told.length > 0) throw new Error(`Operators were told: ${this.#told.join('; ')}`);
  }
}

const keyOf = (thread: number): ThreadKey => ({
  team: TEAM,
  channel: CHANNEL,
  ts: `1796047${String(thread).padStart(3, '0')}.000100` as MessageTs,
});

const directoryAt = (clock: BenchClock): Directory => {
  const actor = (user: UserId): ActorEvidence => ({
    user,
    team: TEAM,
    name: user === MIA ? 'Mia Chen' : 'Dana Ito',
    standing: 'member',
    scopes: ['sre'],
    unknownScopes: [],
    admin: false,
    lookedUpAtMs: clock.nowMs(),
  });
  return {
    actor: user => Promise.resolve(actor(user)),
    deciders: scopes => Promise.resolve(scopes.flatMap(scope => scope.users)),
  };
};
