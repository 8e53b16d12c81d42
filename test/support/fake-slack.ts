/**
 * Slack's Web API in memory, driven by hand: deterministic, no timers, every call recorded. Each call is carried out at once,
 * in the order of arrival; faults decide whether it is, and what the caller is told.
 */
import { refusalOf } from './fake-slack-limits.ts';
import { isLiveStream, streamMethods } from './fake-streams.ts';
import type { SlackAnswer, SlackApi } from '../../src/slack/api.ts';

export type Args = Readonly<Record<string, unknown>>;

export interface FakeMessage {
  readonly channel: string;
  readonly ts: string;
  readonly thread_ts?: string;
  readonly user: string;
  readonly bot_id?: string;
  text: string;
  blocks: readonly unknown[];
  metadata?: unknown;
  /** Of a message that was or is a stream. */
  streaming_state?: string;
  stopped_by_user?: boolean;
  readonly files?: readonly { readonly title: string; readonly content: string }[];
  readonly reactions: string[];
  edits: number;
}

export interface FakeUser {
  readonly id: string;
  readonly team_id?: string;
  readonly real_name?: string;
  readonly [flag: string]: unknown;
}

/** What happens to a call instead of being carried out and answered. */
export type Fault =
  /** Not carried out; nobody knows. */
  | { readonly kind: 'lost' }
  /** Carried out, but the answer is lost. */
  | { readonly kind: 'applied_then_lost' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number }
  | { readonly kind: 'refused'; readonly code: string }
  /** Answered with `ok` and nothing else; not carried out. */
  | { readonly kind: 'empty_ok' }
  /** Not carried out now: it lands when `land` is called. */
  | { readonly kind: 'late' };

export interface Call {
  readonly method: string;
  readonly args: Args;
}

interface Planned {
  readonly matches: (call: Call) => boolean;
  readonly fault: Fault;
  left: number;
}

const BOT = { user: 'U0BOT0001', bot: 'B0BOT0001' } as const;
const unknown = (why: string): SlackAnswer => ({ is: 'unknown', why });

export class FakeSlack {
  readonly self = BOT;
  readonly calls: Call[] = [];
  readonly messages: FakeMessage[] = [];
  readonly ephemerals: { channel: string; user: string; text: string }[] = [];
  readonly statuses: { channel: string; thread: string; text: string }[] = [];
  readonly users = new Map<string, FakeUser>();
  readonly groups = new Map<string, string[]>();
  /** Flags of a channel as conversations.info gives them; a channel that is not here has none. */
  readonly channels = new Map<string, Readonly<Record<string, unknown>>>();
  readonly #faults: Planned[] = [];
  readonly #late: Call[] = [];
  readonly #uploads = new Map<string, string | null>();
  readonly #nowMs: () => number;
  #count = 1_000;

  constructor(nowMs: () => number = () => Date.UTC(2026, 10, 30, 14)) {
    this.#nowMs = nowMs;
  }

  readonly api: SlackApi = (method, args) => {
    const call = { method, args };
    this.calls.push(call);
    return Promise.resolve(this.#answer(call));
  };

  /** Takes the bytes of a file at an address that was asked for; false for any other. */
  readonly upload = (url: string, bytes: Uint8Array): Promise<boolean> => {
    this.calls.push({ method: 'upload', args: { url } });
    const planned = this.#faults.find(one => one.left > 0 && one.matches({ method: 'upload', args: { url } }));
    if (planned) planned.left -= 1;
    if (planned || !this.#uploads.has(url)) return Promise.resolve(false);
    this.#uploads.set(url, Buffer.from(bytes).toString('utf8'));
    return Promise.resolve(true);
  };

  /** Plans a fault for the next `times` calls of a method (or those that a test picks). */
  plan(which: string | ((call: Call) => boolean), fault: Fault, times = 1): void {
    const matches = typeof which === 'string' ? (call: Call) => call.method === which : which;
    this.#faults.push({ matches, fault, left: times });
  }

  /** Carries out what was held back. */
  land(): void {
    for (const call of this.#late.splice(0)) this.#carryOut(call);
  }

  called(method: string): readonly Args[] {
    return this.calls.filter(call => call.method === method).map(call => call.args);
  }

  message(channel: string, ts: string): FakeMessage | undefined {
    return this.messages.find(message => message.channel === channel && message.ts === ts);
  }

  /** A message that somebody else (or another process of ours) wrote. */
  add(message: Partial<FakeMessage> & { readonly channel: string; readonly text: string }): FakeMessage {
    const added = { user: 'U0DANA001', blocks: [], reactions: [], edits: 0, ...message, ts: message.ts ?? this.#ts() };
    this.messages.push(added);
    return added;
  }

  remove(channel: string, ts: string): void {
    const index = this.messages.findIndex(message => message.channel === channel && message.ts === ts);
    if (index >= 0) this.messages.splice(index, 1);
  }

  #ts(): string {
    this.#count += 1;
    return `${Math.floor(this.#nowMs() / 1_000)}.${String(this.#count).padStart(6, '0')}`;
  }

  #answer(call: Call): SlackAnswer {
    const planned = this.#faults.find(one => one.left > 0 && one.matches(call));
    if (!planned) return this.#carryOut(call);
    planned.left -= 1;
    const { fault } = planned;
    switch (fault.kind) {
      case 'lost':
        return unknown('connection lost');
      case 'applied_then_lost':
        this.#carryOut(call);
        return unknown('connection lost');
      case 'late':
        this.#late.push(call);
        return unknown('timed out');
      case 'throttled':
        return { is: 'throttled', retryAfterMs: fault.retryAfterMs };
      case 'refused':
        return { is: 'refused', code: fault.code };
      case 'empty_ok':
        return { is: 'ok', data: { ok: true } };
    }
  }

  #carryOut({ method, args }: Call): SlackAnswer {
    const run = this.#methods[method];
    if (!run) return { is: 'refused', code: 'unknown_method' };
    const outcome = run(args);
    return typeof outcome === 'string'
      ? { is: 'refused', code: outcome }
      : { is: 'ok', data: { ok: true, ...outcome } };
  }

  /** Each returns Slack's error code, or the fields of its answer. */
  readonly #methods: Readonly<Record<string, (args: Args) => string | Readonly<Record<string, unknown>>>> = {
    'chat.postMessage': args => {
      const problem = refusalOf(args);
      if (problem) return problem;
      const message = this.add({
        channel: String(args['channel']),
        text: String(args['text']),
        user: BOT.user,
        bot_id: BOT.bot,
        blocks: args['blocks'] as unknown[],
        ...(args['metadata'] === undefined ? {} : { metadata: args['metadata'] }),
        ...(typeof args['thread_ts'] === 'string' ? { thread_ts: args['thread_ts'] } : {}),
      });
      return { channel: message.channel, ts: message.ts, message };
    },
    'chat.update': args => {
      const message = this.message(String(args['channel']), String(args['ts']));
      if (!message) return 'message_not_found';
      if (message.user !== BOT.user) return 'cant_update_message';
      if (isLiveStream(message, this.#nowMs())) return 'streaming_state_conflict';
      const problem = refusalOf(args);
      if (problem) return problem;
      if (args['metadata'] !== undefined) message.metadata = args['metadata'];
      message.text = String(args['text']);
      message.blocks = args['blocks'] as unknown[];
      message.edits += 1;
      return { channel: message.channel, ts: message.ts };
    },
    ...streamMethods({
      nowMs: () => this.#nowMs(),
      add: message => this.add({ ...message, user: BOT.user, bot_id: BOT.bot }),
      find: args => this.message(String(args['channel']), String(args['ts'])),
      remove: ({ channel, ts }) => this.remove(channel, ts),
    }),
    'chat.postEphemeral': args => {
      const ephemeral = { channel: String(args['channel']), user: String(args['user']), text: String(args['text']) };
      this.ephemerals.push(ephemeral);
      return { message_ts: this.#ts() };
    },
    'files.getUploadURLExternal': () => {
      const id = `F${(this.#count += 1)}`;
      this.#uploads.set(`upload/${id}`, null);
      return { upload_url: `upload/${id}`, file_id: id };
    },
    'files.completeUploadExternal': args => {
      const [file] = args['files'] as { id: string; title: string }[];
      const text = this.#uploads.get(`upload/${file?.id ?? ''}`) ?? null;
      if (!file || text === null) return 'file_not_found';
      this.#uploads.delete(`upload/${file.id}`);
      this.add({
        channel: String(args['channel_id']),
        text: typeof args['initial_comment'] === 'string' ? args['initial_comment'] : '',
        user: BOT.user,
        bot_id: BOT.bot,
        files: [{ title: file.title, content: text }],
        ...(typeof args['thread_ts'] === 'string' ? { thread_ts: args['thread_ts'] } : {}),
      });
      return { files: [{ id: file.id, title: file.title }] };
    },
    'chat.getPermalink': args => {
      const [channel, ts] = [String(args['channel']), String(args['message_ts'])];
      if (!this.message(channel, ts)) return 'message_not_found';
      return { permalink: `https://acme.example/archives/${channel}/p${ts.replace('.', '')}` };
    },
    'reactions.add': args => {
      const message = this.message(String(args['channel']), String(args['timestamp']));
      if (!message) return 'message_not_found';
      if (message.reactions.includes(String(args['name']))) return 'already_reacted';
      message.reactions.push(String(args['name']));
      return {};
    },
    'conversations.history': args => this.#list(args, message => message.thread_ts === undefined),
    'conversations.replies': args => {
      const root = String(args['ts']);
      const known = this.messages.some(
        message => message.channel === args['channel'] && (message.ts === root || message.thread_ts === root),
      );
      if (!known) return 'thread_not_found';
      return this.#list(args, message => message.ts === root || message.thread_ts === root);
    },
    'conversations.info': args => {
      const id = String(args['channel']);
      return { channel: { id, is_im: id.startsWith('D'), ...this.channels.get(id) } };
    },
    'users.info': args => {
      const user = this.users.get(String(args['user']));
      return user ? { user } : 'user_not_found';
    },
    'users.list': args => {
      const from = Number(args['cursor'] ?? 0);
      const size = Number(args['limit'] ?? 100);
      const all = [...this.users.values()];
      const next = from + size < all.length ? String(from + size) : '';
      return { members: all.slice(from, from + size), response_metadata: { next_cursor: next } };
    },
    'usergroups.users.list': args => {
      const users = this.groups.get(String(args['usergroup']));
      return users ? { users } : 'no_such_subteam';
    },
    'assistant.threads.setStatus': args => {
      this.statuses.push({
        channel: String(args['channel_id']),
        thread: String(args['thread_ts']),
        text: String(args['status']),
      });
      return {};
    },
  };

  #list(args: Args, belongs: (message: FakeMessage) => boolean) {
    const withMetadata = args['include_all_metadata'] === true;
    const oldest = Number(args['oldest'] ?? 0);
    const latest = Number(args['latest'] ?? Number.POSITIVE_INFINITY);
    const messages = this.messages
      .filter(message => message.channel === args['channel'] && belongs(message))
      .filter(message => Number(message.ts) >= oldest && Number(message.ts) <= latest)
      .map(({ metadata, ...message }) => (withMetadata && metadata !== undefined ? { ...message, metadata } : message));
    return { messages, response_metadata: { next_cursor: '' } };
  }
}
