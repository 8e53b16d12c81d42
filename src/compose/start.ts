/**
 * Owns the whole of one process: environment and policy in, a running Countersign out. Each side (Slack, model, table) is
 * the real one where it is configured, else the embedded one.
 */
import { join } from 'node:path';
import type { Environment } from '../config/environment.ts';
import { demoModelHandler } from '../local/demo-model.ts';
import type { Inspect } from '../local/inspect/inspect.ts';
import type { PolicyFile } from '../policy/normal-form.ts';
import { createPolicy } from '../policy/policy.ts';
import type { SlackApp } from '../slack/app.ts';
import { openDynamoLog } from '../store/dynamo-log.ts';
import { createTools } from '../tools/create-tools.ts';
import type { Tool } from '../tools/define.ts';
import { sha256 } from '../thread/digest.ts';
import type { ThreadKey } from '../thread/ids.ts';
import type { Log, Ports, Signals } from '../worker/ports.ts';
import { defaultSettings, type WorkerSettings } from '../worker/settings.ts';
import { Troubles, type Journal } from '../worker/troubles.ts';
import { Worker } from '../worker/worker.ts';
import { WorkspaceLog } from '../worker/workspace-log.ts';
import { systemClock as clock, systemFresh as fresh } from './clock.ts';
import { healthHandler } from './health.ts';
import { openJournal } from './journal.ts';
import { inspectorOf, watchedLog } from './inspector.ts';
import { openModel } from './model-side.ts';
import { takeNode, type Node } from './node-lock.ts';
import { Opened } from './opened.ts';
import { readPolicy, refuseIdleDenials } from './policy-side.ts';
import { checkProject, makeProject } from './project.ts';
import { tellAddresses } from './running-here.ts';
import { serveHandlers, serveWorkspace, type Serving } from './serve.ts';
import { embeddedAt, openSlack, slackPlace } from './slack-side.ts';
import { countWaiting, factsOf } from './start-facts.ts';
import type { StartFacts, Waiting } from './start-lines.ts';
import { openTable, type TableSide } from './table-side.ts';

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
  /** How long running tools get at a stop. */
  readonly drainMs: number;
  /**
   * As at SIGTERM: nothing new is taken, running tools get `drainMs`, leases are given back, everything is closed. Resolves
   * with what waits, null where that could not be read.
   */
  stop(): Promise<Waiting | null>;
}

/** What the parts of a start share. */
interface Starting {
  readonly environment: Environment;
  readonly file: PolicyFile;
  readonly overrides: Overrides;
  readonly opened: Opened;
  /** What comes later than those who ask for it. */
  readonly late: { slack?: SlackApp; troubles?: Troubles; started?: true };
}

/** Starts everything. Throws CannotStart, or another error with a sentence; then nothing is left open. */
export async function start(environment: Environment, version: string, overrides: Overrides = {}): Promise<Running> {
  const file = readPolicy(environment.policyFile);
  checkProject(environment);
  const opened = new Opened();
  try {
    return await assemble({ environment, file, overrides, opened, late: {} }, version);
  } catch (error) {
    // Why it could not start is what counts, not what closing says about it.
    await opened.close().catch(() => undefined);
    throw error;
  }
}

async function assemble(starting: Starting, version: string): Promise<Running> {
  const { overrides, opened, late } = starting;
  const settings = { ...defaultSettings, ...overrides.settings };
  const ground = await openGround(starting);
  const { journal, log, serving } = ground;
  const { ports, slack, place } = await openPorts(starting, ground);
  const workspace = new WorkspaceLog({ log, clock, team: ports.team }, settings.evidenceMs);
  const troubles = new Troubles(workspace, slack.views, journal);
  late.troubles = troubles;
  const own: Ports = { ...ports, operators: troubles };
  const worker = new Worker(overrides.ports?.(own) ?? own, workspace, settings, journal);

  let ticking = Promise.resolve();
  let left: Waiting | null = null;
  opened.add(async () => {
    left = await countWaiting(log, ports.team).catch(() => null);
  });
  opened.add(() => troubles.settled());
  opened.add(() => ticking);
  opened.add(() => worker.stop());
  opened.add(() => slack.stop());
  await worker.start();
  troubles.adopt();
  await slack.start(worker.inbox);
  ticking = worker.run();
  late.started = true;

  return {
    worker,
    serving,
    slack,
    facts: await factsOf(starting, { version, ground, place, slack, tools: ports.tools }),
    drainMs: settings.drainMs,
    stop: async () => {
      await opened.close();
      return left;
    },
  };
}

/** What everything else stands on. */
interface Ground {
  readonly node: Node;
  /** For fingerprints of masked secrets. */
  readonly secretsKey: Uint8Array;
  /** For snapshots; null where none are kept. */
  readonly macKey: Uint8Array | null;
  readonly journal: Journal;
  readonly table: TableSide;
  readonly log: Log;
  readonly serving: Serving;
}

async function openGround({ environment, overrides, opened, late }: Starting): Promise<Ground> {
  const node = takeNode(environment.dataFolder, fresh);
  opened.add(() => node.release());
  const secretsKey = environment.key === null ? node.key : Buffer.from(sha256(environment.key), 'hex');
  const journal = overrides.journal ?? openJournal({ level: environment.logLevel, secretsKey });
  const table = await openTable(environment, clock);
  opened.add(() => table.close());
  // Processes that share a table cannot verify snapshots under a key that only this folder knows.
  const macKey = table.side.embedded || environment.key !== null ? secretsKey : null;
  const kept = openDynamoLog({ client: table.client, table: table.table, macKey, clock, fresh, writer: node.writer });
  const serving = await serve(environment, late, journal, inspectorOf(kept));
  opened.add(() => serving.close());
  const addresses = { workspace: serving.workspace?.url ?? null, table: table.embeddedAt };
  opened.add(tellAddresses(environment.dataFolder, addresses));
  const feed = serving.workspace?.workspace.feed;
  const log = feed ? watchedLog(kept, place => feed.signal({ kind: 'log', ...place })) : kept;
  return { node, secretsKey, macKey, journal, table, log, serving };
}

/** The embedded workspace, unless a Slack is configured; beside it health, and the demo model where it is used. */
function serve(environment: Environment, late: Starting['late'], journal: Journal, inspect: Inspect): Promise<Serving> {
  const startedMs = clock.nowMs();
  const health = healthHandler({
    hasStarted: () => late.started === true,
    socketDownMs: () =>
      late.slack?.health.connected ? null : clock.nowMs() - (late.slack?.health.sinceMs ?? startedMs),
    troubles: () => late.troubles?.open ?? new Map<string, string>(),
  });
  const handlers = [health, ...(environment.model === null ? [demoModelHandler()] : [])];
  if (slackPlace(environment) !== null) return serveHandlers(environment.port, handlers);
  const folder = join(environment.dataFolder, 'workspace');
  return serveWorkspace(environment.port, folder, handlers, line => journal.warn({}, line), inspect);
}

/** Every port but the operators', which needs the views. */
async function openPorts({ environment, file, overrides, late }: Starting, ground: Ground) {
  const { node, secretsKey, journal, log, serving } = ground;
  const place = slackPlace(environment) ?? embeddedAt(serving.url);
  await makeProject(environment, place.embedded);
  const { projectRoot } = environment;
  const tools = createTools({
    projectRoot,
    language: file.language,
    clock,
    tools: overrides.tools ?? [],
    agents: file.agents,
  });
  refuseIdleDenials(file, tools);
  const policy = createPolicy(file, {
    onConditionError: ({ rule, cause }) =>
      late.troubles?.report(`condition ${rule}`, 'condition_failed', `${rule}: ${cause}`),
  });
  const slack = await openSlack(place, {
    file,
    policy,
    tools,
    clock,
    writer: node.writer,
    secretsKey,
    tooManyConnections: count => reportConnections(late.troubles, count),
    notes: journal,
  });
  late.slack = slack;
  const ports: Omit<Ports, 'operators'> = {
    team: slack.identity.team,
    writer: node.writer,
    log,
    model: openModel(environment, { demoUrl: `${serving.url}/v1`, clock, secretsKey, agents: file.agents }),
    tools,
    policy,
    directory: slack.directory,
    views: slack.views,
    signals: inProcess(),
    clock,
    fresh,
  };
  return { ports, slack, place };
}

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
