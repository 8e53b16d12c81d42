/**
 * The stage of these tests: real processes of Countersign, ended by their own ids; a workspace and a table that several of
 * them share; folders that are gone afterwards.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDynalite } from '../../src/local/dynalite.ts';
import { startWorkspace, type RunningWorkspace, type ServerOptions } from '../../src/local/server.ts';
import { EMBEDDED_APP_TOKEN, EMBEDDED_BOT_TOKEN, TEAM } from '../../src/local/world.ts';
import { systemClock, systemFresh } from '../../src/compose/clock.ts';
import { dynamoClient } from '../../src/store/requests.ts';
import { openDynamoLog } from '../../src/store/dynamo-log.ts';
import { createTable } from '../../src/store/table.ts';
import type { Commit } from '../../src/thread/commit.ts';
import { fold } from '../../src/thread/fold.ts';
import { threadLog, type ThreadKey, type WriterId } from '../../src/thread/ids.ts';
import { emptyThread, type Thread } from '../../src/thread/thread.ts';
import { repositoryRoot, textOf } from '../support/repository.ts';
import { People, until } from './people.ts';
import type { Changes, Point } from './point.ts';

const TABLE = 'countersign-e2e';
/** Modules are compiled once for all processes of these tests. */
const COMPILED = join(repositoryRoot, 'node_modules/.cache/countersign-e2e');

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One process and everything that it wrote. */
export class Process {
  readonly #child: ChildProcess;
  readonly ended: Promise<Ended>;
  out = '';
  err = '';
  #end: Ended | undefined;

  constructor(script: readonly string[], cwd: string, variables: Readonly<Record<string, string>>) {
    const { PATH = '' } = process.env;
    this.#child = spawn(process.execPath, script, {
      cwd,
      env: { PATH, LOG_LEVEL: 'warn', NODE_COMPILE_CACHE: COMPILED, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.err += text));
    this.ended = new Promise(resolve =>
      this.#child.once('close', (code, signal) => resolve((this.#end = { code, signal }))),
    );
  }

  get over(): boolean {
    return this.#end !== undefined;
  }

  /** The address it prints, once everything is up. */
  address(): Promise<string> {
    return until(
      'the process to be up',
      () => {
        if (this.over) throw new Error(`The process ended before it was up.\n${this.out}${this.err}`);
        if (!/^(Ready|Ctrl-C)/m.test(this.out)) return undefined;
        return /^(?:Ready\. Health: )?(http:\/\/127\.0\.0\.1:\d+)/m.exec(this.out)?.[1];
      },
      { seen: () => this.out + this.err },
    );
  }

  /** Sends a signal to this very process. */
  send(signal: NodeJS.Signals): void {
    if (!this.over) this.#child.kill(signal);
  }

  /** As a power cut. */
  async kill(): Promise<void> {
    this.send('SIGKILL');
    await this.ended;
  }

  /** As the operator does; how it ended. */
  async stop(): Promise<Ended> {
    this.send('SIGTERM');
    return this.ended;
  }

  /** Waits for the process to end by itself. */
  async end(patienceMs = 20_000): Promise<Ended> {
    return until('the process to end', () => this.#end, { patienceMs, seen: () => this.out + this.err });
  }
}

/** What one test (or file) has on stage; `close` ends it all. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'countersign-e2e-'));
  readonly processes: Process[] = [];
  readonly #armed = join(this.folder, 'armed.json');
  readonly #closing: (() => Promise<unknown> | void)[] = [];

  /** A stage that is closed at the end of a test. */
  static until(onTestFinished: (close: () => Promise<void>) => void): Stage {
    const stage = new Stage();
    onTestFinished(() => stage.close());
    return stage;
  }

  /** A file of this stage. */
  file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  onClose(close: () => Promise<unknown> | void): void {
    this.#closing.unshift(close);
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map(each => each.kill()));
    for (const close of this.#closing.splice(0)) await close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A process of `src/main.ts`; with changes one of the root that watches its ports. */
  process(variables: Readonly<Record<string, string>>, changes?: Changes): Process {
    const script = changes
      ? [join(repositoryRoot, 'test/e2e/process.ts'), JSON.stringify(changes), this.#armed]
      : [join(repositoryRoot, 'src/main.ts')];
    return this.#run(script, variables);
  }

  /** The process with watched ports that comes to this point next dies there. */
  arm(point: Point): void {
    writeFileSync(this.#armed, JSON.stringify(point));
  }

  /** A command of `src/cli.ts`. */
  command(words: readonly string[], variables: Readonly<Record<string, string>>): Process {
    return this.#run([join(repositoryRoot, 'src/cli.ts'), ...words], variables);
  }

  #run(script: readonly string[], variables: Readonly<Record<string, string>>): Process {
    const started = new Process(script, this.folder, {
      PORT: '0',
      COUNTERSIGN_CONFIG: join(repositoryRoot, 'countersign.yaml'),
      COUNTERSIGN_DATA: join(this.folder, 'data'),
      ...variables,
    });
    this.processes.push(started);
    return started;
  }
}

export interface TownOptions extends ServerOptions {
  /** Changes the shipped policy file. */
  readonly policy?: (text: string) => string;
  /** The policy file of every process instead, as it stands in the repository. */
  readonly policyFile?: string;
  /** Further variables of every process. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Stands between the processes and the table, if it is to fail. */
  readonly table?: (endpoint: string) => Promise<{ readonly endpoint: string; close(): Promise<void> }>;
}

/** A workspace and a table in this process, for one or more processes of Countersign. */
export interface Town {
  readonly stage: Stage;
  readonly people: People;
  readonly slack: RunningWorkspace;
  /** Where tools work. */
  readonly project: string;
  /** Starts a process and waits until it is up; `name` is its data folder. */
  start(name?: string, changes?: Changes): Promise<Process & { readonly url: string }>;
  /** Changes the policy file, for processes that start later. */
  changePolicy(change: (text: string) => string): void;
  /** Waits until everything that people did has been acknowledged. */
  delivered(): Promise<void>;
  /** A thread as the table has it. */
  thread(channel: string, ts: string): Promise<{ thread: Thread; commits: readonly Commit[] }>;
  /** Kills every process that still runs. */
  killAll(): Promise<void>;
  close(): Promise<void>;
}

export async function openTown({
  policy,
  policyFile,
  table: between,
  variables: more = {},
  ...options
}: TownOptions = {}): Promise<Town> {
  const stage = new Stage();
  const slack = await startWorkspace({ log: () => {}, ...options });
  stage.onClose(() => slack.close());
  const table = await startDynalite();
  stage.onClose(() => table.close());
  const client = dynamoClient({
    endpoint: table.endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  await createTable(client, TABLE, systemClock);
  stage.onClose(() => client.destroy());
  const writer = 'test/1' as WriterId;
  const log = openDynamoLog({ client, table: TABLE, macKey: null, clock: systemClock, fresh: systemFresh, writer });
  const reached = between ? await between(table.endpoint) : table;
  if (between) stage.onClose(() => reached.close());
  const project = join(stage.folder, 'project');
  mkdirSync(join(project, 'notes'), { recursive: true });
  writeFileSync(join(project, 'notes/old.txt'), 'old\n');
  const shipped = textOf('countersign.yaml');
  const file = stage.file('countersign.yaml', policy ? policy(shipped) : shipped);
  return {
    stage,
    slack,
    project,
    people: new People(slack.url),
    start: async (name = 'one', changes) => {
      const variables = {
        COUNTERSIGN_DATA: join(stage.folder, name),
        COUNTERSIGN_CONFIG: policyFile ?? file,
        PROJECT_ROOT: project,
        SLACK_BOT_TOKEN: EMBEDDED_BOT_TOKEN,
        SLACK_APP_TOKEN: EMBEDDED_APP_TOKEN,
        SLACK_API_URL: `${slack.url}/api/`,
        DYNAMODB_ENDPOINT: reached.endpoint,
        DYNAMODB_TABLE: TABLE,
        COUNTERSIGN_KEY: 'a-key-for-tests-that-is-long-enough',
        ...more,
      };
      const started = stage.process(variables, changes);
      return Object.assign(started, { url: await started.address() });
    },
    changePolicy: change => writeFileSync(file, change(readFileSync(file, 'utf8'))),
    delivered: async () => {
      const { deliveries } = slack.workspace;
      await until('everything to be acknowledged', () => deliveries.pending().length === 0 || undefined, {
        seen: () => `${deliveries.pending().length} are not`,
      });
    },
    thread: async (channel, ts) => {
      const key = { team: TEAM.id, channel, ts } as ThreadKey;
      const { commits } = await log.load(threadLog(key));
      const thread = emptyThread(key);
      for (const commit of commits) fold(thread, commit);
      return { thread, commits };
    },
    killAll: async () => void (await Promise.all(stage.processes.map(each => each.kill()))),
    close: () => stage.close(),
  };
}
