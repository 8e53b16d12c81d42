/**
 * Owns the socket's life: opened within a time, opened again whenever it closes, watched for other processes.
 *
 * 1. Reconnecting is ours: the vendor's own gives up for good when Slack cannot be reached for a moment. 2. More connections
 * than expected are said once per change, since each delivery then goes to only one of the processes.
 */
import type { SocketModeReceiver } from '@slack/bolt';
import { WebAPIPlatformError } from '@slack/web-api';
import { z } from 'zod';
import type { Clock } from '../worker/ports.ts';

export interface ConnectionOptions {
  readonly client: SocketModeReceiver['client'];
  readonly clock: Clock;
  /** Hears how many there are, at every connect. */
  readonly counted: (connections: number) => void;
}

/** Since when the socket is up or down, on the wall clock. */
export interface ConnectionHealth {
  readonly connected: boolean;
  readonly sinceMs: number;
  readonly connections: number | null;
}

const hello = z.looseObject({ type: z.literal('hello'), num_connections: z.optional(z.number()) });
const WAITS_MS = [100, 500, 1_000, 2_000, 5_000, 10_000];
const STOP_MS = 2_000;

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #stopping = new AbortController();
  #health: ConnectionHealth;
  #opening = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#health = { connected: false, sinceMs: options.clock.nowMs(), connections: null };
    options.client.on('ws_message', (data: unknown) => this.#heard(data));
    options.client.on('disconnected', () => this.#lost());
  }

  get health(): ConnectionHealth {
    return this.#health;
  }

  /** Resolves when Slack has said hello. Throws a sentence when it has not in time, or refuses the token. */
  async open(timeoutMs: number): Promise<void> {
    this.#opening = true;
    try {
      await this.#openWithin(timeoutMs);
    } finally {
      this.#opening = false;
    }
  }

  async #openWithin(timeoutMs: number): Promise<void> {
    const { clock } = this.#options;
    const deadlineMs = clock.monotonicMs() + timeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      const leftMs = deadlineMs - clock.monotonicMs();
      if (leftMs <= 0 || this.#stopping.signal.aborted)
        throw new Error(`Slack did not open a socket within ${Math.round(timeoutMs / 1_000)} s.`);
      const why = await this.#attempt(leftMs);
      if (why === null) return;
      if (why instanceof WebAPIPlatformError)
        throw new Error(`Slack refuses to open a socket: ${why.data.error}.`, { cause: why });
      await clock.sleep(Math.min(waitMs(attempt), deadlineMs - clock.monotonicMs()), this.#stopping.signal);
    }
  }

  /** Closes the socket; deliveries that are not acknowledged by now go to the next connection. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#disconnect();
  }

  async #disconnect(): Promise<void> {
    const patience = new AbortController();
    const { client, clock } = this.#options;
    await Promise.race([client.disconnect(), clock.sleep(STOP_MS, patience.signal)]);
    patience.abort();
  }

  /** Null when the socket is open, else why not. */
  async #attempt(timeoutMs: number): Promise<unknown> {
    const { client, clock } = this.#options;
    const patience = new AbortController();
    const late = Symbol('late');
    try {
      const opened = await Promise.race([
        client.start().then(() => null),
        clock.sleep(timeoutMs, patience.signal).then(() => late),
      ]);
      // What was begun must not open behind the next attempt's back.
      if (opened === late) await this.#disconnect();
      return opened;
    } catch (error) {
      return error ?? new Error('The socket closed before Slack said hello.');
    } finally {
      patience.abort();
    }
  }

  #heard(data: unknown): void {
    if (typeof data !== 'string' || !data.includes('"hello"')) return;
    const read = hello.safeParse(JSON.parse(data));
    if (!read.success) return;
    const connections = read.data.num_connections ?? null;
    this.#health = { connected: true, sinceMs: this.#options.clock.nowMs(), connections };
    if (connections !== null) this.#options.counted(connections);
  }

  #lost(): void {
    if (this.#health.connected)
      this.#health = { connected: false, sinceMs: this.#options.clock.nowMs(), connections: null };
    if (this.#stopping.signal.aborted || this.#opening) return;
    this.#opening = true;
    this.#reopen().then(
      () => (this.#opening = false),
      () => (this.#opening = false),
    );
  }

  async #reopen(): Promise<void> {
    for (let attempt = 0; !this.#stopping.signal.aborted; attempt += 1) {
      await this.#options.clock.sleep(waitMs(attempt), this.#stopping.signal);
      if (this.#stopping.signal.aborted) return;
      if ((await this.#attempt(OPEN_MS)) === null) return;
    }
  }
}

const OPEN_MS = 15_000;
const waitMs = (attempt: number): number => WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)] ?? 10_000;
