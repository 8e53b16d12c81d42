/**
 * Owns how this room talks to Slack's Web API: one function, whose answer is a value. Vendor's errors end here; whoever
 * posts has to know the difference between "refused" (nothing happened) and "unknown" (nobody knows).
 */
import { WebAPIPlatformError, WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import { z } from 'zod';

export type SlackAnswer =
  | { readonly is: 'ok'; readonly data: unknown }
  /** Slack's own error code; nothing was changed. */
  | { readonly is: 'refused'; readonly code: string }
  | { readonly is: 'throttled'; readonly retryAfterMs: number }
  /** No answer, or one that does not say what happened: it may have been carried out. */
  | { readonly is: 'unknown'; readonly why: string };

/** One call of the Web API; never throws. */
export type SlackApi = (method: string, args: Readonly<Record<string, unknown>>) => Promise<SlackAnswer>;

/** Codes with which Slack says that it does not know itself how far it got. */
const UNCLEAR = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
]);
const THROTTLED = new Set(['ratelimited', 'rate_limited']);
const THROTTLED_MS = 30_000;

const answered = z.looseObject({ ok: z.boolean(), error: z.optional(z.string()) });

/** Reads an answer's body; `ok: false` and bodies without `ok` are no success. */
export function answerOf(data: unknown): SlackAnswer {
  const read = answered.safeParse(data);
  if (!read.success) return { is: 'unknown', why: 'unreadable_answer' };
  if (read.data.ok) return { is: 'ok', data: read.data };
  return refusedWith(read.data.error ?? 'unknown_error');
}

function refusedWith(code: string): SlackAnswer {
  if (THROTTLED.has(code)) return { is: 'throttled', retryAfterMs: THROTTLED_MS };
  return UNCLEAR.has(code) ? { is: 'unknown', why: code } : { is: 'refused', code };
}

function answerOfError(error: unknown): SlackAnswer {
  if (error instanceof WebAPIRateLimitedError) return { is: 'throttled', retryAfterMs: error.retryAfter * 1_000 };
  if (error instanceof WebAPIPlatformError) return refusedWith(error.data.error);
  return { is: 'unknown', why: error instanceof Error ? error.name : 'error' };
}

/** Calls that change nothing may be sent again by the client; all others are sent once. */
export function apiOf(clients: { readonly reading: WebClient; readonly writing: WebClient }): SlackApi {
  return async (method, args) => {
    const client = READS.has(method) ? clients.reading : clients.writing;
    try {
      return answerOf(await client.apiCall(method, { ...args }));
    } catch (error) {
      return answerOfError(error);
    }
  };
}

const READS = new Set([
  'auth.test',
  'users.info',
  'users.list',
  'usergroups.users.list',
  'conversations.info',
  'conversations.history',
  'conversations.replies',
  'chat.getPermalink',
]);
