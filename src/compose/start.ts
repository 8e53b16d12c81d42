/**
 * Owns the whole of one process: environment and policy in, a running Countersign out. Each side (Slack, model, table) is
 * the real one where it is configured, else the embedded one.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../config/environment.ts';
import { demoModelHandler, DEMO_MODEL } from '../local/demo-model.ts';
import { seedProject } from '../local/seed-project.ts';
import { EMBEDDED_APP_TOKEN, EMBEDDED_BOT_TOKEN } from '../local/world.ts';
import { createModel } from '../model/model.ts';
import type { PolicyFile } from '../policy/normal-form.ts';
import { loadPolicyFile, problemsText } from '../policy/policy-file.ts';
import { createPolicy } from '../policy/policy.ts';
import { idlePatterns, policyLine } from '../policy/static-verdict.ts';
import { createSlackApp, type SlackApp } from '../slack/app.ts';
import { resultText } from '../slack/views/result.ts';
import { openDynamoLog } from '../store/dynamo-log.ts';
import type { StoreLog } from '../store/store-log.ts';
import { createTools } from '../tools/create-tools.ts';
import type { Tool } from '../tools/define.ts';
import { sha256 } from '../thread/digest.ts';
import type { Ports } from '../worker/ports.ts';
import { defaultSettings, type WorkerSettings } from '../worker/settings.ts';
import { Troubles, type Journal } from '../worker/troubles.ts';
import { Worker } from '../worker/worker.ts';
import { WorkspaceLog } from '../worker/workspace-log.ts';
import { systemClock, systemFresh } from './clock.ts';
import { healthHandler } from './health.ts';
import { openJournal } from './journal.ts';
import { takeNode } from './node-lock.ts';
import { serveHandlers, serveWorkspace, type Serving } from './serve.ts';
import type { StartFacts } from './start-lines.ts';
import { openTable } from './table-side.ts';

/** What was configured cannot be started with; `lines` say why, for the terminal. */
export class CannotStart extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

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
  waiting(): Promise<{ approvals: number; inDoubt: number }>;
  /** As at SIGTERM: nothing new is taken, running tools get 25 s, leases are given back. */
  stop(): Promise<void>;
}

/** Reads the policy file. Throws CannotStart with every problem in it. */
export function readPolicy(path: string): PolicyFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new CannotStart([`${path} cannot be read; nothing was started. Set COUNTERSIGN_CONFIG to where it is.`]);
  }
  const read = loadPolicyFile(text, path);
  if ('problems' in read) throw new CannotStart([problemsText(path, read.problems)]);
  return read.ok;
}

/** Starts everything. Throws CannotStart with sentences, or PortTaken, FolderInUse, TableProblem. */
export async function start(environment: Environment, version: string, overrides: Overrides = {}): Promise<Running> {
  const file = readPolicy(environment.policyFile);
  const journal = overrides.journal ?? openJournal(environment.logLevel);
  const closing: (() => Promise<void> | void)[] = [];
  const onStop = (close: () => Promise<void> | void): void => void closing.unshift(close);
  const closeAll = async (): Promise<void> => {
    for (const close of closing) await close();
  };
  try {
    return await assemble(environment, version, file, journal, overrides, onStop, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function assemble(
  environment: Environment,
  version: string,
  file: PolicyFile,
  journal: Journal,
  overrides: Overrides,
  onStop: (close: () => Promise<void> | void) => void,
  closeAll: () => Promise<void>,
): Promise<Running> {
  const clock = systemClock;
  const fresh = systemFresh;
  mkdirSync(environment.dataFolder, { recursive: true });
  const node = takeNode(environment.dataFolder, fresh);
  onStop(() => node.release());
  const key = environment.key === null ? node.key : Buffer.from(sha256(environment.key), 'hex');

  const table = await openTable(environment, clock);
  onStop(() => table.close());
  const macKey = table.embedded || environment.key !== null ? key : null;
  const log: StoreLog = openDynamoLog({
    client: table.client,
    table: table.table,
    macKey,
    clock,
    fresh,
    writer: node.writer,
  });

  const embedded = environment.slack.tokens === null;
  let troubles: Troubles | undefined;
  let slack: SlackApp | undefined;
  const health = healthHandler({
    socketDownMs: () => (slack?.health.connected ? null : clock.nowMs() - (slack?.health.sinceMs ?? clock.nowMs())),
    troubles: () => troubles?.open ?? new Map(),
  });
  const handlers = [health, ...(environment.model === null ? [demoModelHandler()] : [])];
  const serving =
    embedded && environment.slack.apiUrl === null
      ? await serveWorkspace(environment.port, join(environment.dataFolder, 'workspace'), handlers, line =>
          journal.warn({}, line),
        )
      : await serveHandlers(environment.port, handlers);
  onStop(() => serving.close());

  if (await needsSeed(environment)) await seedProject(environment.projectRoot);
  const tools = createTools({
    projectRoot: environment.projectRoot,
    language: file.language,
    clock,
    tools: overrides.tools ?? [],
  });
  const policy = createPolicy(file, {
    onConditionError: error =>
      troubles?.report(`condition ${error.rule}`, 'condition_failed', `${error.rule}: ${error.cause}`),
  });
  slack = await createSlackApp({
    tokens: environment.slack.tokens ?? { bot: EMBEDDED_BOT_TOKEN, app: EMBEDDED_APP_TOKEN },
    apiUrl: environment.slack.apiUrl ?? (embedded ? `${serving.url}/api/` : null),
    writer: node.writer,
    clock,
    admins: policy.admins,
    context: {
      language: file.language,
      environment: file.environment,
      approvals: file.channels.approvals,
      operators: file.channels.operators,
      defaults: policy.defaults,
      secretsKey: key,
      argumentOrder: tool => argumentNames(tools.definitions().find(each => each.tool === tool)?.definition),
    },
    tooManyConnections: count =>
      count === null
        ? troubles?.resolved('connections')
        : troubles?.report('connections', 'too_many_connections', `${count} connections of this app`),
    notes: journal,
  });
  const model = createModel({
    baseURL:
      environment.model?.baseUrl ?? (environment.model === null ? `${serving.url}/v1` : 'https://api.openai.com/v1'),
    apiKey: environment.model?.apiKey ?? 'embedded',
    model: environment.model?.model ?? (environment.model === null ? DEMO_MODEL : DEFAULT_MODEL),
    clock,
    instructions: '',
    resultText: outcome => resultText(outcome, { secretsKey: key }),
  });

  const settings: WorkerSettings = { ...defaultSettings, ...overrides.settings };
  const workspace = new WorkspaceLog({ log, clock, team: slack.identity.team }, settings.evidenceMs);
  troubles = new Troubles(workspace, slack.views, journal);
  const listeners: ((key: Parameters<Ports['signals']['notify']>[0]) => void)[] = [];
  const own: Ports = {
    team: slack.identity.team,
    writer: node.writer,
    log,
    model,
    tools,
    policy,
    directory: slack.directory,
    views: slack.views,
    signals: {
      notify: thread => listeners.forEach(listener => listener(thread)),
      listen: listener => void listeners.push(listener),
    },
    operators: troubles,
    clock,
    fresh,
  };
  const ports = overrides.ports?.(own) ?? own;
  const worker = new Worker(ports, workspace, settings, journal);
  await worker.start();
  troubles.adopt();
  await slack.start(worker.inbox);
  const ticking = worker.run();
  const names = tools.definitions().map(each => each.tool);
  const waiting = () => countWaiting(log, own.team);
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
      cards: embedded ? null : await cardsLine(slack),
      waiting: await waiting(),
      notes: [...file.notes, ...idlePatterns(file, names), ...(macKey === null ? [NO_KEY] : [])],
      url: serving.url,
    },
    stop: async () => {
      await slack.stop();
      await worker.stop();
      await ticking;
      await troubles.settled();
      await closeAll();
    },
  };
}

const DEFAULT_MODEL = 'gpt-5.2';
const NO_KEY = 'COUNTERSIGN_KEY is not set: no snapshots are kept in a real table, so that old threads are read whole';

/** Only a project folder of our own is filled; one that somebody names must be there. */
async function needsSeed(environment: Environment): Promise<boolean> {
  return environment.projectRoot === join(environment.dataFolder, 'project') && environment.slack.tokens === null;
}

function argumentNames(definition: unknown): string[] {
  const schema =
    typeof definition === 'object' && definition !== null && 'parameters' in definition
      ? definition.parameters
      : undefined;
  const properties =
    typeof schema === 'object' && schema !== null && 'properties' in schema ? schema.properties : undefined;
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
}

async function countWaiting(log: StoreLog, team: Ports['team']): Promise<{ approvals: number; inDoubt: number }> {
  const open = (await log.open(team)).flatMap(thread => thread.open);
  return {
    approvals: open.filter(item => item.kind === 'approval').length,
    inDoubt: open.filter(item => item.kind === 'in_doubt').length,
  };
}

function slackSide(environment: Environment, slack: SlackApp): StartFacts['slack'] {
  const { teamName, team, name } = slack.identity;
  if (environment.slack.tokens !== null)
    return { embedded: false, what: `${teamName} (${team}), @${name}, Socket Mode, 1 connection`, hint: '' };
  return {
    embedded: true,
    what: `workspace "${teamName}", 9 people`,
    hint: 'set SLACK_BOT_TOKEN, SLACK_APP_TOKEN for a real one',
  };
}

function modelSide({ model }: Environment): StartFacts['model'] {
  if (model === null)
    return { embedded: true, what: 'demo model: rules, not an LLM', hint: 'set OPENAI_API_KEY for a real one' };
  const host = new URL(model.baseUrl ?? 'https://api.openai.com').host;
  return { embedded: false, what: `${model.model ?? DEFAULT_MODEL} at ${host} (chat completions)`, hint: '' };
}

async function cardsLine(slack: SlackApp): Promise<string> {
  const findings = await slack.findings();
  return findings
    .filter(finding => finding.about !== 'scopes')
    .map(finding => `${finding.about} (${finding.says})`)
    .join(' · ');
}
