/** Slack's rate limits, for those who want to feel them: counts calls in a sliding minute and says how long to wait. */
import type { JsonObject } from './json.ts';
import { textIn } from './json.ts';

/** Seconds to wait before this call would be taken; undefined when it is taken now. */
export type Limiter = (method: string, fields: JsonObject, nowMs: number) => number | undefined;

const MINUTE_MS = 60_000;
const PER_MINUTE: Readonly<Record<string, number>> = {
  'chat.update': 50,
  'chat.startStream': 20,
  'chat.stopStream': 20,
  'views.open': 100,
  'views.update': 100,
  'views.push': 100,
  'views.publish': 100,
  'users.info': 100,
  'usergroups.list': 20,
  'usergroups.users.list': 20,
};
/** Posting is counted by channel: one message a second, with a little patience for bursts. */
const POST_BURST = 5;
const POST_EVERY_MS = 1_000;

/** A limiter with the published figures; posts by channel, the rest by method. Methods that are not listed are never limited. */
export function slackRates(): Limiter {
  const calls = new Map<string, number[]>();
  const take = (key: string, most: number, withinMs: number, nowMs: number): number | undefined => {
    const recent = (calls.get(key) ?? []).filter(atMs => nowMs - atMs < withinMs);
    const oldest = recent[0];
    if (recent.length < most || oldest === undefined) {
      calls.set(key, [...recent, nowMs]);
      return undefined;
    }
    return Math.max(1, Math.ceil((oldest + withinMs - nowMs) / 1_000));
  };
  return (method, fields, nowMs) => {
    if (method === 'chat.postMessage') {
      return take(`${method} ${textIn(fields, 'channel') ?? ''}`, POST_BURST, POST_BURST * POST_EVERY_MS, nowMs);
    }
    const most = PER_MINUTE[method];
    return most === undefined ? undefined : take(method, most, MINUTE_MS, nowMs);
  };
}
