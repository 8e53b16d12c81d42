/**
 * Owns the web clients and their settings. A client of Slack's by default waits for ever, sends again whatever failed, and
 * stops everything at a 429.
 */
import type { Logger } from '@slack/bolt';
import { WebClient, type WebClientOptions } from '@slack/web-api';
import { apiOf, type SlackApi } from './api.ts';

export interface ClientOptions {
  readonly token: string;
  /** Null: Slack itself. */
  readonly apiUrl: string | null;
  readonly logger: Logger;
}

const TIMEOUT_MS = 10_000;
const READ_TIMEOUT_MS = 5_000;

/** Settings for a client that sends each call once and says at once when Slack has had too many. */
export const onceOnly = ({ apiUrl, logger }: Omit<ClientOptions, 'token'>): WebClientOptions => ({
  logger,
  timeout: TIMEOUT_MS,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  ...(apiUrl === null ? {} : { slackApiUrl: apiUrl }),
});

/** The Web API for one token: writes are sent once, reads are tried a second time. */
export function slackApi(options: ClientOptions): SlackApi {
  const once = onceOnly(options);
  return apiOf({
    writing: new WebClient(options.token, once),
    reading: new WebClient(options.token, {
      ...once,
      timeout: READ_TIMEOUT_MS,
      retryConfig: { retries: 1, minTimeout: 100, maxTimeout: 300 },
    }),
  });
}
