/**
 * Owns the whole of one process: environment and policy in, a running Countersign out. Each side (Slack, model, table) is
 * the real one where it is configured, else the embedded one.
 */
import { join } from 'node:path';
import type { Environment } from '../config/environment.ts';
import { demoModelHandler } from '../local/demo-model.ts';
import { seedProject } from '../local/seed-project.ts';
import type { PolicyFile } from '../policy/normal-form.ts';
import { createPolicy } from '../policy/policy.ts';
import { idlePatterns, policyLine } from '../policy/static-verdict.ts';
import type { SlackApp } from '../slack/app.ts';
import { openDynamoLog } from '../store/dynamo-log.ts';
import type { StoreLog } from '../store/store-log.ts';
import { createTools } from '../tools/create-tools.ts';
import type { Tool } from '../tools/define.ts';
import { sha256 } from '../thread/digest.ts';
import type { ThreadKey } from '../thread/ids.ts';
import type { Ports, Signals } from '../worker/ports.ts';
import { defaultSettings, type WorkerSettings } from '../worker/settings.ts';
import { Troubles, type Journal } from '../worker/troubles.ts';
import { Worker } from '../worker/worker.ts';
import { WorkspaceLog } from '../worker/workspace-log.ts';
import { systemClock as clock, systemFresh as fresh } from './clock.ts';
import { healthHandler } from './health.ts';
import { openJournal } from './journal.ts';
import { modelSide, openModel } from './model-side.ts';
import { takeNode } from './node-lock.ts';
import { readPolicy } from './policy-side.ts';
import { serveHandlers, serveWorkspace, type Serving } from './serve.ts';
import { cardsLine, openSlack, slackSide } from './slack-side.ts';
import type { StartFacts } from './start-lines.ts';
import { openTable } from './table-side.ts';

/** What a caller changes: further tools; for tests the ports on their way to the worker, times, and the program's own log. */
export interface Overrides {
  readonly tools?: readonly Tool[];
  readonly ports?: (ports: Ports) => Ports;
  readonly settings?: Partial<WorkerSettings>;
  readonly journal?: Journal;
}

export interface Running {
  readonly facts: StartFacts;
  readonly worker: Worker;
  readonly serving: Serving;
  readonly slack: SlackApp;
  /** Requests that wait, as the index says. */
  waiting(): Promise<StartFacts['waiting']>;
  /** As at SIGTERM: nothing new is taken, running tools get 25 s, leases are given back. */
  stop(): Promise<void>;
}

/** What has been opened, closed in the opposite order; also when a later part cannot be opened. */
class Opened {
  readonly #closing: (() => Promise<void> | void)[] = [];

  add(close: () => Promise<void> | void): void {
    this.#closing.unshift(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closing) await close();
  }
}

/** Starts everything. Throws CannotStart with sentences, or PortTaken, FolderInUse, TableProblem. */
export async function start(environment: Environment, version: string, overrides: Overrides = {}): Promise<Running> {
  const file = readPolicy(environment.policyFile);
  const opened = new Opened();
  try {
    return await assemble(environment, version, file, overrides, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function assemble(
  environment: Environment,
  version: string,
  file: PolicyFile,
  overrides: Overrides,
  opened: Opened,
): Promise<Running> {
  const journal = overrides.journal ?? openJournal(environment.logLevel);
  const live: { slack?: SlackApp; troubles?: Troubles } = {};
  const node = takeNode(environment.dataFolder, fresh);
  opened.add(() => node.release());
  const key = environment.key === null ? node.key : Buffer.from(sha256(environment.key), 'hex');
  const table = await openTable(environment, clock);
  opened.add(() => table.close());
  const macKey = table.embedded || environment.key !== null ? key : null;
  const log = openDynamoLog({ client: table.client, table: table.table, macKey, clock, fresh, writer: node.writer });

  const serving = await serve(environment, live, journal);
  opened.add(() => serving.close());
  if (isOwnProject(environment)) await seedProject(environment.projectRoot);
  const tools = createTools({
    projectRoot: environment.projectRoot,
    language: file.language,
    clock,
    tools: overrides.tools ?? [],
  });
  const policy = createPolicy(file, {
    onConditionError: ({ rule, cause }) =>
      live.troubles?.report(`condition ${rule}`, 'condition_failed', `${rule}: ${cause}`),
  });
  const slack = await openSlack(environment, {
    file,
    policy,
    tools,
    clock,
    writer: node.writer,
    secretsKey: key,
    embeddedUrl: serving.workspace ? serving.url : null,
    tooManyConnections: count => reportConnections(live.troubles, count),
    notes: journal,
  });
  const model = openModel(environment, { demoUrl: `${serving.url}/v1`, clock, secretsKey: key });

  const settings = { ...defaultSettings, ...overrides.settings };
  const { team } = slack.identity;
  const workspace = new WorkspaceLog({ log, clock, team }, settings.evidenceMs);
  const troubles = new Troubles(workspace, slack.views, journal);
  Object.assign(live, { slack, troubles });
  const { directory, views } = slack;
  const own: Ports = {
    team,
    writer: node.writer,
    log,
    model,
    tools,
    policy,
    directory,
    views,
    signals: inProcess(),
    operators: troubles,
    clock,
    fresh,
  };
  const worker = new Worker(overrides.ports?.(own) ?? own, workspace, settings, journal);
  await worker.start();
  troubles.adopt();
  await slack.start(worker.inbox);
  const ticking = worker.run();
  const waiting = (): Promise<StartFacts['waiting']> => countWaiting(log, team);
  const names = tools.definitions().map(each => each.tool);
  return {
    worker,
    serving,
    slack,
    waiting,
    facts: {
      version,
      node: process.versions.node,
      slack: slackSide(environment, slack),
      model: modelSide(environment),
      table: { embedded: table.embedded, what: table.line, hint: 'set DYNAMODB_TABLE for a real one' },
      policy: policyLine(file, names),
      cards: environment.slack.tokens === null ? null : await cardsLine(slack),
      waiting: await waiting(),
      notes: [...file.notes, ...idlePatterns(file, names), ...(macKey === null ? [NO_KEY] : [])],
      url: serving.url,
    },
    stop: async () => {
      await slack.stop();
      await worker.stop();
      await ticking;
      await troubles.settled();
      await opened.close();
    },
  };
}

const NO_KEY = 'COUNTERSIGN_KEY is not set: no snapshots are kept in a real table, so that old threads are read whole';

/** The embedded workspace, unless a Slack is configured; beside it health, and the demo model where it is used. */
function serve(
  environment: Environment,
  live: { readonly slack?: SlackApp; readonly troubles?: Troubles },
  journal: Journal,
): Promise<Serving> {
  const startedMs = clock.nowMs();
  const health = healthHandler({
    socketDownMs: () =>
      live.slack?.health.connected ? null : clock.nowMs() - (live.slack?.health.sinceMs ?? startedMs),
    troubles: () => live.troubles?.open ?? new Map<string, string>(),
  });
  const handlers = [health, ...(environment.model === null ? [demoModelHandler()] : [])];
  const embedded = environment.slack.tokens === null && environment.slack.apiUrl === null;
  if (!embedded) return serveHandlers(environment.port, handlers);
  const folder = join(environment.dataFolder, 'workspace');
  return serveWorkspace(environment.port, folder, handlers, line => journal.warn({}, line));
}

/** Only a project folder of our own is filled; one that somebody names must be there. */
const isOwnProject = (environment: Environment): boolean =>
  environment.projectRoot === join(environment.dataFolder, 'project') && environment.slack.tokens === null;

function reportConnections(troubles: Troubles | undefined, count: number | null): void {
  if (count === null) troubles?.resolved('connections');
  else troubles?.report('connections', 'too_many_connections', `${count} connections of this app`);
}

function inProcess(): Signals {
  const listeners: ((thread: ThreadKey) => void)[] = [];
  return {
    notify: thread => listeners.forEach(listener => listener(thread)),
    listen: listener => void listeners.push(listener),
  };
}

async function countWaiting(log: StoreLog, team: Ports['team']): Promise<StartFacts['waiting']> {
  const open = (await log.open(team)).flatMap(thread => thread.open);
  const count = (kind: string): number => open.filter(item => item.kind === kind).length;
  return { approvals: count('approval'), inDoubt: count('in_doubt') };
}
