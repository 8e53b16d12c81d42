/** Owns how a process of a simulated world reaches Slack, and what is on Slack's messages. */
import type { ChannelId, MessageTs } from '../../src/thread/ids.ts';
import type { SlackAnswer, SlackApi } from '../../src/slack/api.ts';
import { STRAY } from '../../src/slack/posting.ts';
import type { Args, FakeMessage, FakeSlack } from '../support/fake-slack.ts';
import type { Counters } from './counters.ts';
import type { Knobs } from './knobs.ts';
import type { Dice } from './random.ts';
import type { Fate, Wire } from './wire.ts';

export interface SlackWireParts {
  readonly slack: FakeSlack;
  readonly wire: Wire;
  readonly dice: Dice;
  readonly knobs: () => Knobs['slack'];
  readonly counters: Counters;
  /** Channels that do not let the app in for now. */
  readonly closed: ReadonlySet<string>;
  /** A message has come to stand in Slack; who posted it does not know yet. */
  readonly posted: (post: Posting) => void;
  /** Whoever looked at a place has learnt what stood there at that time (ms of the world). */
  readonly looked: (place: string, atMs: number) => void;
  readonly nowMs: () => number;
  /** Whoever posted it has learnt so. */
  readonly answered: (log: string, key: string) => void;
}

/** A message on its way into Slack. */
export interface Posting {
  readonly log: string;
  readonly key: string;
  readonly place: string;
  readonly sentAtMs: number;
}

const LOOKS = new Set(['conversations.history', 'conversations.replies']);

/** A channel, or a thread in it, as calls name it. */
const placeOf = (channel: unknown, thread: unknown): string => `${String(channel)}/${String(thread)}`;

const WRITES = new Set([
  'chat.postMessage',
  'chat.update',
  'chat.delete',
  'chat.startStream',
  'chat.appendStream',
  'chat.stopStream',
  'reactions.add',
]);
const LOST = new Error('no answer');
/** Longest time after which a call that seemed lost is carried out. */
const LATE_MS = 45_000;

/** Slack as one process reaches it. */
export function slackOver(parts: SlackWireParts): SlackApi {
  const { slack, wire, dice, knobs, counters, closed, posted, answered, looked, nowMs } = parts;
  const fateOf = (method: string): Fate => {
    const { unsure, late, slow } = knobs();
    const mostMs = dice.chance(slow) ? 8_000 : 200;
    const times = { thereMs: dice.spread(mostMs), backMs: dice.spread(mostMs) };
    const error = LOST;
    if (!WRITES.has(method)) return dice.chance(unsure) ? { ...times, error, effect: 'never' } : times;
    if (dice.chance(unsure)) {
      counters.saw('post of unknown outcome');
      return { ...times, error, effect: dice.chance(0.6) ? 'before' : 'never' };
    }
    if (!dice.chance(late)) return times;
    counters.saw('post that lands late');
    return { ...times, error, effect: { laterMs: dice.spread(LATE_MS) } };
  };
  return async (method, args) => {
    if (method === 'assistant.threads.setStatus') return { is: 'ok', data: { ok: true } };
    if (dice.chance(knobs().throttled)) {
      counters.saw('throttled');
      return { is: 'throttled', retryAfterMs: dice.between(1, 30) * 1_000 };
    }
    // What cannot be taken away can at least be changed: of a stray of which Slack refuses both nothing more can be asked.
    const isStray = method === 'chat.update' && keyOf(args) === STRAY;
    if (WRITES.has(method) && !isStray && dice.chance(knobs().refused))
      return { is: 'refused', code: 'restricted_action' };
    const what = `${method} ${String(args['channel'])} ${keyOf(args) || JSON.stringify(args['ts'] ?? '')}`;
    const sent = JSON.parse(JSON.stringify(args)) as Args;
    const sentAtMs = nowMs();
    let effectAtMs = sentAtMs;
    const effect = (): Promise<SlackAnswer> | SlackAnswer => {
      effectAtMs = nowMs();
      if (closed.has(String(args['channel'])) && WRITES.has(method)) return { is: 'refused', code: 'not_in_channel' };
      if (method === 'chat.postMessage')
        posted({
          log: logOf(args),
          key: keyOf(args),
          place: placeOf(args['channel'], args['thread_ts']),
          sentAtMs,
        });
      else if (method === 'chat.startStream') counters.saw('stream opened');
      else if (method === 'chat.delete') counters.saw('stray taken away');
      return slack.api(method, sent);
    };
    try {
      const answer = await wire.send(what, fateOf(method), effect);
      if (method === 'chat.postMessage' && answer.is === 'ok') answered(logOf(args), keyOf(args));
      if (LOOKS.has(method) && answer.is === 'ok') looked(placeOf(args['channel'], args['ts']), effectAtMs);
      return answer;
    } catch {
      return { is: 'unknown', why: 'timeout' };
    }
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** What stands in a message's metadata under this name. */
function marked(metadata: unknown, name: string): string {
  const payload = isRecord(metadata) ? metadata['event_payload'] : undefined;
  return isRecord(payload) ? String(payload[name]) : '';
}

const logOf = (args: Args): string => marked(args['metadata'], 'thread');
const keyOf = (args: Args): string => marked(args['metadata'], 'key');

export interface Control {
  readonly action: string;
  readonly value: string;
}

/** A message of ours as a person sees it. */
export interface Seen {
  readonly channel: ChannelId;
  readonly ts: MessageTs;
  readonly threadTs: MessageTs | null;
  /** Its key and log, which stand in its metadata. */
  readonly key: string;
  readonly log: string;
  readonly controls: readonly Control[];
  /** Everything that can be read on it. */
  readonly text: string;
}

/** Every message of ours, as it stands now. */
export const seenIn = (slack: FakeSlack): Seen[] => slack.messages.filter(message => message.bot_id).map(seen);

/** The message as it stands at this moment, whenever it is read. */
export function seen({ channel, ts, thread_ts, metadata, blocks }: FakeMessage): Seen {
  return {
    channel: channel as ChannelId,
    ts: ts as MessageTs,
    threadTs: (thread_ts ?? null) as MessageTs | null,
    key: marked(metadata, 'key'),
    log: marked(metadata, 'thread'),
    get controls() {
      return blocks.flatMap(controlsIn);
    },
    get text() {
      return readable(blocks);
    },
  };
}

/** All texts in blocks or in a form, in order, as somebody reads them. */
export function readable(value: unknown): string {
  if (Array.isArray(value)) return value.map(readable).join(' ');
  if (!isRecord(value)) return '';
  return Object.entries(value)
    .map(([name, inner]) => (name === 'text' && typeof inner === 'string' ? inner : readable(inner)))
    .join(' ');
}

function controlsIn(block: unknown): Control[] {
  if (!isRecord(block) || block['type'] !== 'actions' || !Array.isArray(block['elements'])) return [];
  return block['elements']
    .filter(isRecord)
    .filter(element => element['type'] === 'button')
    .map(element => ({ action: String(element['action_id']), value: String(element['value']) }));
}
