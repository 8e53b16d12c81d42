/** The stage for this room's tests: a running workspace, people who act over HTTP, and the real Bolt client as the app. */
import { App, LogLevel, SocketModeReceiver } from '@slack/bolt';
import { onTestFinished } from 'vitest';
import type { Json, JsonObject } from '../../src/local/json.ts';
import { isObject, textIn } from '../../src/local/json.ts';
import { startWorkspace } from '../../src/local/server.ts';
import type { RunningWorkspace, ServerOptions } from '../../src/local/server.ts';
import type { WorkspaceClock } from '../../src/local/workspace/time.ts';
import { EVERYTHING } from './everything.ts';
import { EMBEDDED_APP_TOKEN, EMBEDDED_BOT_TOKEN } from '../../src/local/world.ts';

/** A clock that moves only when the test moves it. */
export class HandClock implements WorkspaceClock {
  #nowMs = Date.parse('2026-11-30T14:00:00Z');
  readonly #timers = new Set<{ atMs: number; run: () => void }>();

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Moves time forward, firing what falls due on the way, in order. */
  pass(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      const due = [...this.#timers].filter(timer => timer.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      due.run();
    }
    this.#nowMs = untilMs;
  }
}

/** A workspace for one test, closed when it ends. */
export async function openWorkspace(options: ServerOptions = {}): Promise<RunningWorkspace> {
  const running = await startWorkspace({ log: () => {}, installation: EVERYTHING, ...options });
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await running.close();
  };
  onTestFinished(close);
  return { ...running, close };
}

export interface HumanAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

/** Calls people's side. */
export async function human(url: string, method: 'GET' | 'POST', path: string, body?: Json): Promise<HumanAnswer> {
  const response = await fetch(`${url}/human/${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  return { status: response.status, body: isObject(answer) ? answer : {} };
}

/** Lets a person write; returns the message's timestamp. */
export async function say(
  url: string,
  user: string,
  channel: string,
  text: string,
  threadTs?: string,
): Promise<string> {
  const { body } = await human(url, 'POST', 'say', {
    user,
    channel,
    text,
    ...(threadTs ? { thread_ts: threadTs } : {}),
  });
  return textIn(body, 'ts') ?? '';
}

/** Calls the Web API as the app's client does: form-encoded, with lists and objects as JSON in their fields. */
export async function api(url: string, method: string, fields: JsonObject = {}): Promise<JsonObject> {
  const token = method.startsWith('apps.') ? EMBEDDED_APP_TOKEN : EMBEDDED_BOT_TOKEN;
  const form = new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(key, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const response = await fetch(`${url}/api/${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const answer: unknown = await response.json();
  return isObject(answer) ? answer : {};
}

const QUIET = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  setName() {},
  getLevel: () => LogLevel.ERROR,
};

/** The real Bolt client in Socket Mode against this workspace, not yet started. Stopped when the test ends. */
export async function boltApp(url: string): Promise<App> {
  const clientOptions = { slackApiUrl: `${url}/api/`, retryConfig: { retries: 0 } };
  const receiver = new SocketModeReceiver({
    appToken: EMBEDDED_APP_TOKEN,
    installerOptions: { clientOptions },
    logger: QUIET,
    clientPingTimeout: 50,
  });
  const app = new App({
    token: EMBEDDED_BOT_TOKEN,
    receiver,
    clientOptions,
    deferInitialization: true,
    convoStore: false,
    logger: QUIET,
  });
  await app.init();
  onTestFinished(async () => void (await app.stop()));
  return app;
}

/** A promise to wait for, and how to keep it. */
export function signal<T = void>(): { done: Promise<T>; fire: (value: T) => void } {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { done: promise, fire: resolve };
}
