/** Owns the Slack of a simulated world: channels with messages, and the part of the Web API that posts and finds them. */
import type { KnownBlock } from '@slack/web-api';
import type { ChannelId, MessageTs } from '../../src/thread/ids.ts';
import type { SlackAnswer, SlackApi } from '../../src/slack/api.ts';
import type { Counters } from './counters.ts';
import type { Knobs } from './knobs.ts';
import type { Dice } from './random.ts';
import type { Fate, Wire } from './wire.ts';

export const BOT = { user: 'U0BOT0001', bot: 'B0BOT0001' };

/** A message as it stands in a channel. */
export interface Standing {
  readonly channel: ChannelId;
  readonly ts: MessageTs;
  readonly thread_ts: MessageTs | null;
  readonly key: string;
  readonly log: string;
  readonly metadata: unknown;
  text: string;
  blocks: readonly KnownBlock[];
  edits: number;
}

type Args = Readonly<Record<string, unknown>>;

export class SimSlack {
  readonly messages: Standing[] = [];
  readonly reactions = new Set<string>();
  /** Channels that refuse the bot for now. */
  readonly closed = new Set<string>();
  readonly #nowMs: () => number;
  #last = 0;

  /** `nowMs`: Slack's own clock (epoch ms). */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A fresh timestamp, unique in the workspace. */
  ts(): MessageTs {
    this.#last = Math.max(this.#last + 1, this.#nowMs() * 1000);
    return `${Math.floor(this.#last / 1e6)}.${String(this.#last % 1e6).padStart(6, '0')}` as MessageTs;
  }

  find(channel: string, ts: string): Standing | undefined {
    return this.messages.find(message => message.channel === channel && message.ts === ts);
  }

  call(method: string, args: Args): SlackAnswer {
    const channel = String(args['channel'] ?? '');
    if (this.closed.has(channel) && method.startsWith('chat.')) return { is: 'refused', code: 'not_in_channel' };
    switch (method) {
      case 'chat.postMessage':
        return this.#post(channel, args);
      case 'chat.update':
        return this.#update(channel, args);
      case 'reactions.add': {
        const name = `${channel} ${String(args['timestamp'])} ${String(args['name'])}`;
        if (this.reactions.has(name)) return { is: 'refused', code: 'already_reacted' };
        this.reactions.add(name);
        return ok({});
      }
      case 'conversations.history':
      case 'conversations.replies':
        return this.#list(channel, args, method === 'conversations.replies');
      case 'conversations.info':
        return ok({ channel: { id: channel, is_private: false } });
      case 'chat.getPermalink':
        return ok({ permalink: `https://acme.example/archives/${channel}/${String(args['message_ts'])}` });
      default:
        return ok({});
    }
  }

  #post(channel: string, args: Args): SlackAnswer {
    const metadata = args['metadata'];
    const payload = isRecord(metadata) ? metadata['event_payload'] : undefined;
    const mark = isRecord(payload) ? payload : {};
    const message: Standing = {
      channel: channel as ChannelId,
      ts: this.ts(),
      thread_ts: (args['thread_ts'] as MessageTs | undefined) ?? null,
      key: String(mark['key'] ?? ''),
      log: String(mark['thread'] ?? ''),
      metadata,
      text: String(args['text']),
      blocks: copied(args['blocks']),
      edits: 0,
    };
    this.messages.push(message);
    return ok({ channel, ts: message.ts, message: {} });
  }

  #update(channel: string, args: Args): SlackAnswer {
    const message = this.find(channel, String(args['ts']));
    if (!message) return { is: 'refused', code: 'message_not_found' };
    Object.assign(message, { text: String(args['text']), blocks: copied(args['blocks']), edits: message.edits + 1 });
    return ok({ channel, ts: message.ts });
  }

  #list(channel: string, args: Args, replies: boolean): SlackAnswer {
    const from = String(args['oldest'] ?? '0');
    const to = String(args['latest'] ?? '9999999999.000000');
    const root = args['ts'];
    const messages = this.messages
      .filter(message => message.channel === channel && message.ts >= from && message.ts <= to)
      .filter(message => (replies ? message.thread_ts === root || message.ts === root : message.thread_ts === null))
      .map(({ ts, text, blocks, metadata }) => ({ ts, text, blocks, metadata, user: BOT.user, bot_id: BOT.bot }));
    return ok({ messages });
  }
}

const ok = (data: Record<string, unknown>): SlackAnswer => ({ is: 'ok', data: { ok: true, ...data } });
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const copied = (blocks: unknown): readonly KnownBlock[] => JSON.parse(JSON.stringify(blocks ?? [])) as KnownBlock[];

export interface SlackWireParts {
  readonly slack: SimSlack;
  readonly wire: Wire;
  readonly dice: Dice;
  readonly knobs: () => Knobs['slack'];
  readonly counters: Counters;
}

const WRITES = new Set(['chat.postMessage', 'chat.update', 'reactions.add']);

/** Slack as one process reaches it. */
export function slackOver({ slack, wire, dice, knobs, counters }: SlackWireParts): SlackApi {
  const fateOf = (method: string): Fate => {
    const { unsure, late, slow } = knobs();
    const mostMs = dice.chance(slow) ? 30_000 : 200;
    const times = { thereMs: dice.spread(mostMs), backMs: dice.spread(mostMs) };
    const error = new Error('no answer');
    if (!WRITES.has(method)) return dice.chance(unsure) ? { ...times, error, effect: 'never' } : times;
    if (dice.chance(unsure)) {
      counters.saw('post of unknown outcome');
      return { ...times, error, effect: dice.chance(0.6) ? 'before' : 'never' };
    }
    if (dice.chance(late)) return { ...times, error, effect: { laterMs: dice.spread(60_000) } };
    return times;
  };
  return async (method, args) => {
    if (dice.chance(knobs().throttled)) {
      counters.saw('throttled');
      return { is: 'throttled', retryAfterMs: dice.between(1, 30) * 1_000 };
    }
    if (WRITES.has(method) && dice.chance(knobs().refused)) return { is: 'refused', code: 'restricted_action' };
    const what = `${method} ${keyOf(args) || String(args['ts'] ?? args['channel'])}`;
    const sent = JSON.parse(JSON.stringify(args)) as Args;
    return wire
      .send(what, fateOf(method), () => slack.call(method, sent))
      .catch((): SlackAnswer => ({ is: 'unknown', why: 'timeout' }));
  };
}

function keyOf(args: Args): string {
  const metadata = args['metadata'];
  const payload = isRecord(metadata) ? metadata['event_payload'] : undefined;
  return isRecord(payload) ? String(payload['key']) : '';
}
