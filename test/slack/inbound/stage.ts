/** The stage of the inbound tests: the embedded workspace, the real Bolt app of this room, and an inbox that a test scripts. */
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../../src/local/json.ts';
import { isObject, objectsIn, textIn } from '../../../src/local/json.ts';
import { startWorkspace, type RunningWorkspace } from '../../../src/local/server.ts';
import type { Answer as Delivered } from '../../../src/local/workspace/deliveries.ts';
import { EMBEDDED_APP_TOKEN, EMBEDDED_BOT_TOKEN } from '../../../src/local/world.ts';
import type { WorkspaceClock } from '../../../src/local/workspace/time.ts';
import { createSlackApp, type SlackApp, type SlackOptions } from '../../../src/slack/app.ts';
import type { WorkspaceEvidence } from '../../../src/thread/evidence.ts';
import type { ChannelId, MessageTs, ThreadKey, WriterId } from '../../../src/thread/ids.ts';
import { recordOfThread } from '../../../src/thread/record.ts';
import { emptyThread, type Thread } from '../../../src/thread/thread.ts';
import type { Act, Answer, Clock, Inbox, Overview } from '../../../src/worker/ports.ts';
import { setTimeout as timeout } from 'node:timers/promises';

const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    await timeout(ms, undefined, signal ? { signal } : {}).catch(() => {});
  },
};

/** The longest that the app waits for a worker, and for Slack to show a view, while somebody has a form open. */
const ANSWER_MS = 2_000;
const impatientClock: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms <= ANSWER_MS ? 0 : ms, signal),
};

export interface Received {
  readonly thread: ThreadKey;
  readonly message: Parameters<Inbox['receive']>[1];
  readonly told?: Parameters<Inbox['receive']>[2];
}

type Acted = readonly [method: string, act: Act, what: unknown];

/** What an inbox was asked beside acts on messages of ours. */
type Asked = readonly [method: string, ...of: unknown[]];

const untroubled: WorkspaceEvidence = { version: 1, frozen: null };
export const nothingOpen: Overview = {
  waitingForYou: [],
  questionsForYou: [],
  youAsked: [],
  grants: [],
  lately: [],
  workspace: untroubled,
  mayFreeze: true,
  mayUnfreeze: false,
  complete: true,
};

/** An inbox that notes what it is asked; each answer can be scripted. */
export class ScriptedInbox implements Inbox {
  readonly received: Received[] = [];
  readonly acts: Acted[] = [];
  readonly asked: Asked[] = [];
  thread: Thread = emptyThread({ team: 'T0ACME001', channel: 'C0OPS0001', ts: '1.000001' } as ThreadKey);
  workspace: WorkspaceEvidence = untroubled;
  open: Overview = nothingOpen;
  onReceive: (received: Received) => Promise<boolean> = () => Promise.resolve(true);
  onAct: (...acted: Acted) => Promise<Pick<Answer, 'refusal' | 'thread'>> = () =>
    Promise.resolve({ refusal: null, thread: this.thread });
  onPreview: Inbox['previewEdit'] = () => Promise.resolve({ refusal: { code: 'not_editable' }, thread: this.thread });
  onFreeze: Inbox['freeze'] = () => Promise.resolve({ refusal: null, workspace: this.workspace, running: [] });
  onRecord: Inbox['record'] = () => Promise.resolve({ refusal: null, calls: [] });
  onWholeRecord: Inbox['wholeRecord'] = ({ thread, call }) => Promise.resolve(recordOfThread(thread, call));
  #waiting: (() => void)[] = [];

  receive: Inbox['receive'] = async (thread, message, told) => {
    const received = { thread, message };
    const taken = await this.onReceive(told ? { ...received, told } : received);
    this.received.push(received);
    this.#tell();
    return taken;
  };
  amend: Inbox['amend'] = (...of) => this.#note(['amend', ...of], true);
  remove: Inbox['remove'] = (...of) => this.#note(['remove', ...of], true);
  lost: Inbox['lost'] = (...of) => this.#note(['lost', ...of], true);
  stopThread: Inbox['stopThread'] = (...of) => this.#note(['stopThread', ...of], this.#answer());
  decide: Inbox['decide'] = (act, decision) => this.#act('decide', act, decision);
  previewEdit: Inbox['previewEdit'] = async (act, edit) => {
    await this.#note(['previewEdit', act, edit], true);
    return this.onPreview(act, edit);
  };
  edit: Inbox['edit'] = (act, edit) => this.#act('edit', act, edit);
  answer: Inbox['answer'] = (act, answer) => this.#act('answer', act, answer);
  inquire: Inbox['inquire'] = (act, inquiry) => this.#act('inquire', act, inquiry);
  settle: Inbox['settle'] = (act, doubt) => this.#act('settle', act, doubt);
  stop: Inbox['stop'] = (act, call) => this.#act('stop', act, call);
  cancel: Inbox['cancel'] = (act, run) => this.#act('cancel', act, run);
  useInstead: Inbox['useInstead'] = (act, message) => this.#act('useInstead', act, message);
  keepWaiting: Inbox['keepWaiting'] = (act, message) => this.#act('keepWaiting', act, message);
  askAgain: Inbox['askAgain'] = (act, call) => this.#act('askAgain', act, call);
  read: Inbox['read'] = () => Promise.resolve(this.thread);
  house: Inbox['house'] = () => Promise.resolve(this.workspace);
  overview: Inbox['overview'] = person => this.#note(['overview', person], this.open);
  freeze: Inbox['freeze'] = async (...of) => {
    await this.#note(['freeze', ...of], true);
    return this.onFreeze(...of);
  };
  unfreeze: Inbox['unfreeze'] = async person => {
    await this.#note(['unfreeze', person], true);
    return { refusal: null, workspace: this.workspace, running: [] };
  };
  revokeGrant: Inbox['revokeGrant'] = (...of) => this.#note(['revokeGrant', ...of], { refusal: null, grant: null });
  record: Inbox['record'] = async (...of) => {
    await this.#note(['record', ...of], true);
    return this.onRecord(...of);
  };
  wholeRecord: Inbox['wholeRecord'] = found => this.onWholeRecord(found);

  /** Resolves when the condition holds; looked at after every message and act. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>(resolve => this.#waiting.push(resolve));
  }

  #answer(): Answer {
    return { refusal: null, thread: this.thread, workspace: this.workspace };
  }

  #note<T>(asked: Asked, answer: T): Promise<T> {
    this.asked.push(asked);
    this.#tell();
    return Promise.resolve(answer);
  }

  async #act(...acted: Acted): Promise<Answer> {
    const answer = await this.onAct(...acted);
    this.acts.push(acted);
    this.#tell();
    return { ...answer, workspace: this.workspace };
  }

  #tell(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

export interface Scene {
  readonly workspace: RunningWorkspace;
  readonly slack: SlackApp;
  readonly inbox: ScriptedInbox;
  readonly notes: string[];
  readonly say: (user: string, channel: string, text: string, threadTs?: string) => Promise<MessageTs>;
  readonly click: (user: string, channel: string, ts: string, action: string) => Promise<void>;
  readonly human: (method: 'GET' | 'POST', path: string, body?: JsonObject) => Promise<JsonObject>;
  /** Delivers a body as Slack would; resolves with the acknowledgement, or with the news that there is none. */
  readonly deliver: (type: 'events_api' | 'interactive' | 'slash_commands', payload: JsonObject) => Promise<Delivered>;
  /** An `event_callback` around an event, with an id of its own. */
  readonly event: (event: JsonObject, more?: JsonObject) => JsonObject;
  /** Posts a message of ours, as the reconciler would. */
  readonly post: (
    channel: string,
    blocks: readonly unknown[],
    payload: JsonObject,
    threadTs?: string,
  ) => Promise<MessageTs>;
  /** Private messages that a person sees, once there are `count`. */
  readonly whispers: (user: string, count?: number) => Promise<string[]>;
  /** Forms that a person has open, once `holds`. */
  readonly form: (user: string, holds: (view: JsonObject) => boolean) => Promise<JsonObject>;
}

export const optionsFor = (url: string, notes: string[]): SlackOptions => ({
  tokens: { bot: EMBEDDED_BOT_TOKEN, app: EMBEDDED_APP_TOKEN },
  apiUrl: `${url}/api/`,
  writer: 'node/1' as WriterId,
  clock: systemClock,
  admins: [{ name: 'leads', label: 'Leads', users: [], groups: ['S0LEADS01'] }],
  context: {
    language: 'en',
    environment: 'local',
    approvals: 'C0APPROV1' as ChannelId,
    operators: 'C0OPSALRT' as ChannelId,
    defaults: { scopes: [], channel: 'C0APPROV1' as ChannelId },
    secretsKey: 'k'.repeat(32),
    argumentOrder: () => [],
  },
  notes: { info: () => {}, warn: (_, message) => notes.push(message) },
});

export interface StageOptions {
  readonly started?: boolean;
  /** Resolves at once what the app would wait for a slow worker before it answers a form. */
  readonly impatient?: boolean;
  /** Drives the workspace's time by hand. */
  readonly clock?: WorkspaceClock;
}

export async function open(options: StageOptions = {}): Promise<Scene> {
  const workspace = await startWorkspace({ log: () => {}, ...(options.clock ? { clock: options.clock } : {}) });
  let events = 0;
  const notes: string[] = [];
  const given = optionsFor(workspace.url, notes);
  const slack = await createSlackApp(options.impatient === true ? { ...given, clock: impatientClock } : given);
  const inbox = new ScriptedInbox();
  if (options.started !== false) await slack.start(inbox);
  onTestFinished(async () => {
    await slack.stop();
    await workspace.close();
  });
  const call = async (path: string, init: RequestInit): Promise<JsonObject> => {
    const response = await fetch(`${workspace.url}/${path}`, init);
    const answer: unknown = await response.json();
    if (!response.ok || !isObject(answer)) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
    return answer;
  };
  const human: Scene['human'] = (method, path, body) =>
    call(`human/${path}`, {
      method,
      ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
    });
  /** The workspace says when anything has changed for this person; then it is looked again. */
  const seen = async <T>(look: () => Promise<T | undefined>): Promise<T> => {
    for (;;) {
      const changed = new Promise<void>(resolve => {
        const stop = workspace.workspace.feed.listen(() => {
          stop();
          resolve();
        });
      });
      const found = await look();
      if (found !== undefined) return found;
      await changed;
    }
  };
  return {
    workspace,
    slack,
    inbox,
    notes,
    human,
    say: async (user, channel, text, threadTs) => {
      const { ts } = await human('POST', 'say', { user, channel, text, ...(threadTs ? { thread_ts: threadTs } : {}) });
      return ts as MessageTs;
    },
    click: async (user, channel, ts, action) => {
      await human('POST', 'click', { user, channel, ts, action_id: action });
    },
    deliver: (type, payload) => new Promise(resolve => workspace.workspace.deliveries.add(type, payload, resolve)),
    event: (event, more = {}) => ({
      type: 'event_callback',
      team_id: 'T0ACME001',
      api_app_id: 'A0APP0001',
      event_id: `Ev${(events += 1)}`,
      event_time: 1_796_047_200,
      authorizations: [{ team_id: 'T0ACME001', user_id: 'U0BOT0001', is_bot: true, is_enterprise_install: false }],
      event: { event_ts: '1796047200.000100', ...event },
      ...more,
    }),
    post: async (channel, blocks, payload, threadTs) => {
      const form = new URLSearchParams({
        channel,
        text: 'a message of ours',
        blocks: JSON.stringify(blocks),
        metadata: JSON.stringify({ event_type: 'countersign', event_payload: payload }),
        ...(threadTs ? { thread_ts: threadTs } : {}),
      });
      const { ts } = await call('api/chat.postMessage', {
        method: 'POST',
        headers: { authorization: `Bearer ${EMBEDDED_BOT_TOKEN}` },
        body: form,
      });
      return ts as MessageTs;
    },
    whispers: (user, count = 1) =>
      seen(async () => {
        const { messages } = await human('GET', `ephemerals?user=${user}`);
        const texts = objectsIn(messages).map(message => textIn(message, 'text') ?? '');
        return texts.length >= count ? texts : undefined;
      }),
    form: (user, holds) =>
      seen(async () => {
        const { views } = await human('GET', `views?user=${user}`);
        return objectsIn(views).find(holds);
      }),
  };
}
