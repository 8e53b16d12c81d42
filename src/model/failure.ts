/** Owns what a failed request means: worth another try, or not. No vendor error passes; what is kept is a code and one line of text. */
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import type { ModelAnswer } from '../worker/ports.ts';

/** What is read of the client's errors; `status` is undefined for an error inside a stream. */
interface Problem {
  readonly status: number | undefined;
  readonly code: string | null | undefined;
  readonly message: string;
}
/** An answer that is no reply. */
export type Failure = Exclude<ModelAnswer, { reply: unknown }>;

const TOO_LONG_CODES = new Set(['context_length_exceeded', 'string_above_max_length', 'request_too_large']);
const TOO_LONG_WORDS =
  /context (length|window|size|limit)|maximum context|prompt is too long|too many (input )?tokens|reduce the length|(input|prompt|request)[^.]* (too long|exceeds)/i;
const FILTER_CODES = new Set(['content_filter', 'content_policy_violation']);

/** One line of at most 300 characters without control characters and without the key, which some servers repeat. */
function plainDetail(error: Problem, apiKey: string): string {
  const masked = apiKey === '' ? error.message : error.message.replaceAll(apiKey, '••••');
  return masked
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .slice(0, 300)
    .toWellFormed();
}

function ofWords(error: Problem, apiKey: string): Failure | null {
  const code = error.code ?? '';
  if (TOO_LONG_CODES.has(code) || TOO_LONG_WORDS.test(error.message))
    return { refused: 'context_too_long', detail: plainDetail(error, apiKey) };
  if (FILTER_CODES.has(code)) return { refused: 'content_filter', detail: plainDetail(error, apiKey) };
  return null;
}

/** An error that came inside a stream, after status 200. */
function ofStream(error: Problem, apiKey: string): Failure {
  if (error.code === 'rate_limit_exceeded') return { away: 'model_rate_limited' };
  if (error.code === 'insufficient_quota') return { away: 'model_quota' };
  return ofWords(error, apiKey) ?? { away: 'model_error' };
}

function ofStatus(status: number, error: Problem, apiKey: string): Failure {
  switch (status) {
    case 401:
    case 403:
      return { refused: 'model_auth', detail: `The server refused the key (HTTP ${status}).` };
    case 404:
      return { refused: 'model_not_found', detail: plainDetail(error, apiKey) };
    case 413:
      return { refused: 'context_too_long', detail: plainDetail(error, apiKey) };
    case 408:
      return { away: 'model_timeout' };
    case 402:
      return { away: 'model_quota' };
    case 429:
      return { away: error.code === 'insufficient_quota' ? 'model_quota' : 'model_rate_limited' };
  }
  if (status >= 500 || status === 409 || status === 425) return { away: 'model_error' };
  return ofWords(error, apiKey) ?? { refused: 'model_bad_request', detail: plainDetail(error, apiKey) };
}

/** Statuses with which servers refuse what they do not know. */
const UNKNOWN_THERE = new Set([400, 405, 415, 422, 501]);

/** True for a server that says that it does not stream. */
export const refusesStreaming = (error: unknown): boolean =>
  error instanceof APIError &&
  UNKNOWN_THERE.has(Number(error.status)) &&
  /\bstream(ing|_options|ed)?\b/i.test(error.message);

/** What an error of the client or of the connection means; anything unknown counts as a broken connection. */
export function failureOf(error: unknown, apiKey: string): Failure {
  if (error instanceof APIConnectionTimeoutError) return { away: 'model_timeout' };
  if (error instanceof APIConnectionError) return { away: 'model_unreachable' };
  if (error instanceof SyntaxError) return { away: 'model_garbled' };
  if (!(error instanceof APIError)) return { away: 'model_cut_off' };
  const problem: Problem = error;
  return problem.status === undefined ? ofStream(problem, apiKey) : ofStatus(problem.status, problem, apiKey);
}
