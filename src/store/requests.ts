/**
 * Owns how a request is made to the table: one attempt with a time-out of ours, and what its end says. The client never
 * repeats anything by itself; who repeats what is decided here and in the append.
 *
 * 1. No request outlives its time-out for the caller, whatever the client does. 2. `unknown` means that it may have been
 * carried out, may be carried out later, or not at all.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { sha256 } from '../thread/digest.ts';
import { LogUnavailable, type Clock } from '../worker/ports.ts';

/** How long and how often the table is asked; times in milliseconds. */
export interface Patience {
  /** For one request. */
  readonly requestMs: number;
  /** For everything that one read, or one append, needs. */
  readonly totalMs: number;
  /** How often a request is sent again beyond what settling an append needs. */
  readonly retries: number;
  /** The first pause; doubled each time, with jitter. */
  readonly backoffMs: number;
}

export const PATIENCE: Patience = { requestMs: 2000, totalMs: 8000, retries: 3, backoffMs: 40 };

/** Where the table is; without an endpoint in the cloud, with the usual chain of credentials. */
export interface Endpoint {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** A client that makes one attempt per request; retries are the log's own. */
export const dynamoClient = ({ endpoint, region, credentials }: Endpoint): DynamoDBClient =>
  new DynamoDBClient({
    maxAttempts: 1,
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(credentials && { credentials }),
    requestHandler: { connectionTimeout: 2000, requestTimeout: 15_000 },
  });

/** How one attempt ended: answered, its condition failed, refused for good, or nobody knows. */
export type Attempt<T> =
  | { readonly is: 'answered'; readonly answer: T }
  | { readonly is: 'condition_failed' }
  | { readonly is: 'refused'; readonly error: unknown }
  | { readonly is: 'unknown'; readonly error: unknown };

type Send<T> = (signal: AbortSignal) => Promise<T>;

/** Client errors by which the table did not refuse for good. */
const WORTH_ANOTHER_TRY = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'InternalServerError',
]);

function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('$metadata' in error)) return undefined;
  const { $metadata } = error;
  if (typeof $metadata !== 'object' || $metadata === null || !('httpStatusCode' in $metadata)) return undefined;
  return typeof $metadata.httpStatusCode === 'number' ? $metadata.httpStatusCode : undefined;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : '');

/** What a failure says about the request that it ended. */
export function failure(error: unknown): Exclude<Attempt<never>, { is: 'answered' }> {
  const name = nameOf(error);
  if (name === 'ConditionalCheckFailedException') return { is: 'condition_failed' };
  if (name === 'CredentialsProviderError') return { is: 'refused', error };
  const status = statusOf(error) ?? 0;
  const refused = status >= 400 && status < 500 && status !== 429 && !WORTH_ANOTHER_TRY.has(name);
  return { is: refused ? 'refused' : 'unknown', error };
}

/** Why a time-out is called off; one for all, for a fresh one with its stack is a good part of a short request. */
const OVER = new Error('The request is over.');

/** Makes requests against one table within given patience. */
export class Requests {
  readonly table: string;
  readonly patience: Patience;
  readonly #clock: Clock;

  constructor(table: string, clock: Clock, patience: Patience) {
    this.table = table;
    this.patience = patience;
    this.#clock = clock;
  }

  /** The monotonic time at which patience ends for something that starts now. */
  deadline(): number {
    return this.#clock.monotonicMs() + this.patience.totalMs;
  }

  /** One attempt; never throws, and ends after `requestMs` even when the client does not. */
  async attempt<T>(send: Send<T>): Promise<Attempt<T>> {
    const request = new AbortController();
    const timer = new AbortController();
    let open = true;
    const timeout = this.#clock.sleep(this.patience.requestMs, timer.signal).then((): Attempt<T> => {
      return { is: 'unknown', error: new Error(`No answer within ${this.patience.requestMs} ms.`) };
    });
    const sent = (async () => send(request.signal))()
      .then((answer): Attempt<T> => ({ is: 'answered', answer }), failure)
      .finally(() => (open = false));
    try {
      return await Promise.race([sent, timeout]);
    } finally {
      timer.abort(OVER);
      if (open) request.abort();
    }
  }

  /** Pauses before another attempt; false when there is no time for one. `seed` decides the jitter. */
  async pause(attempts: number, deadlineMs: number, seed: string): Promise<boolean> {
    const jitter = 0.5 + Number.parseInt(sha256(`${seed}${attempts}`).slice(0, 8), 16) / 0x1_0000_0000 / 2;
    const waitMs = Math.round(this.patience.backoffMs * 2 ** Math.min(attempts - 1, 6) * jitter);
    if (this.#clock.monotonicMs() + waitMs >= deadlineMs) return false;
    if (waitMs > 0) await this.#clock.sleep(waitMs);
    return true;
  }

  /** Repeats an attempt that may be repeated freely; throws LogUnavailable when it gets no answer. */
  async answer<T>(send: Send<T>, deadlineMs = this.deadline()): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      const attempt = await this.attempt(send);
      if (attempt.is === 'answered') return attempt.answer;
      if (attempt.is === 'condition_failed') throw new LogUnavailable(`${this.table} refused a request's condition.`);
      const again = attempt.is === 'unknown' && attempts <= this.patience.retries;
      if (!again || !(await this.pause(attempts, deadlineMs, this.table))) throw this.unavailable(attempt);
    }
  }

  /** The error for an attempt that nothing more can be made of. */
  unavailable(attempt: { readonly is: 'refused' | 'unknown'; readonly error: unknown }): LogUnavailable {
    const name = nameOf(attempt.error);
    if (name === 'ResourceNotFoundException') return new LogUnavailable(`There is no table ${this.table} here.`);
    const detail = attempt.error instanceof Error ? attempt.error.message : String(attempt.error);
    const what = attempt.is === 'refused' ? 'refused a request' : 'did not answer';
    return new LogUnavailable(`The table ${this.table} ${what} (${name || 'error'}: ${detail}).`, {
      cause: attempt.error,
    });
  }
}
