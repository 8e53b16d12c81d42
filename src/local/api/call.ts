/** One call of the Web API: its arguments, read without trusting them, and how a method refuses. */
import { isList, isObject, parseJson } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import type { StoredMessage } from '../workspace/messages.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Channel } from '../world.ts';

/** Ends a call with `ok: false` and one of Slack's error codes. */
export class Refusal extends Error {
  readonly code: string;
  readonly details: JsonObject;

  constructor(code: string, problems: readonly string[] = [], more: JsonObject = {}) {
    super(code);
    this.code = code;
    const messages = problems.map(problem => `[ERROR] ${problem}`);
    this.details = { ...more, ...(messages.length === 0 ? {} : { response_metadata: { messages } }) };
  }
}

/** A method: what it answers besides `ok`. Throws a `Refusal`. */
export type Method = (call: Call) => JsonObject;

export class Call {
  readonly method: string;
  readonly workspace: Workspace;
  /** The server's own address, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly #fields: JsonObject;

  constructor(method: string, workspace: Workspace, url: string, fields: JsonObject) {
    this.method = method;
    this.workspace = workspace;
    this.url = url;
    this.#fields = fields;
  }

  /** The field as text, or undefined if absent or empty. Numbers and booleans come as text from real clients. */
  text(key: string): string | undefined {
    const value = this.#fields[key];
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  /** The field as text; refuses the call without it. */
  required(key: string): string {
    const value = this.text(key);
    if (value === undefined) throw new Refusal('invalid_arguments', [`missing required field: ${key}`]);
    return value;
  }

  flag(key: string): boolean {
    return ['true', '1'].includes(this.text(key) ?? '');
  }

  number(key: string, otherwise: number): number {
    const value = Number(this.text(key) ?? otherwise);
    if (!Number.isFinite(value)) throw new Refusal('invalid_arguments', [`must be a number: ${key}`]);
    return value;
  }

  /** Says whether the field was sent at all, even empty. */
  has(key: string): boolean {
    return this.#fields[key] !== undefined;
  }

  /** The field as JSON: real clients send lists and objects as JSON in a text field. Refuses with `code` what is not JSON. */
  json(key: string, code = 'invalid_arguments'): Json | undefined {
    const value = this.#fields[key];
    if (typeof value !== 'string') return value;
    if (value === '') return undefined;
    const parsed = parseJson(value);
    if (parsed === undefined) throw new Refusal(code, [`not JSON: ${key}`]);
    return parsed;
  }

  list(key: string, code = 'invalid_arguments'): readonly Json[] | undefined {
    const value = this.json(key, code);
    if (value === undefined) return undefined;
    if (!isList(value)) throw new Refusal(code, [`must be a list: ${key}`]);
    return value;
  }

  object(key: string, code = 'invalid_arguments'): JsonObject | undefined {
    const value = this.json(key, code);
    if (value === undefined) return undefined;
    if (!isObject(value)) throw new Refusal(code, [`must be an object: ${key}`]);
    return value;
  }

  /** The channel by id; what the app cannot see does not exist for it. */
  channel(key = 'channel'): Channel {
    const { directory } = this.workspace;
    const channel = directory.channel(this.required(key));
    if (!channel || (channel.isPrivate && !directory.appIsIn(channel))) throw new Refusal('channel_not_found');
    return channel;
  }

  /** A channel in which the app sits. */
  ownChannel(key = 'channel'): Channel {
    const channel = this.channel(key);
    if (!this.workspace.directory.appIsIn(channel)) throw new Refusal('not_in_channel');
    return channel;
  }

  message(channel: Channel, key = 'ts'): StoredMessage {
    const stored = this.workspace.messages.get(channel.id, this.required(key));
    if (!stored || stored.message.subtype === 'tombstone') throw new Refusal('message_not_found');
    return stored;
  }

  /** A fresh id for a block or element without one. */
  readonly newId = (): string => this.workspace.ids.hex(5);
}

/** Cuts one page out of a whole list; cursors are opaque to the client. */
export function page<T>(
  all: readonly T[],
  cursor: string | undefined,
  limit: number,
): { items: readonly T[]; next: string } {
  const start = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64').toString('utf8').replace(/^at:/, ''));
  if (!Number.isInteger(start) || start < 0 || start > all.length) throw new Refusal('invalid_cursor');
  const end = start + limit;
  const next = end < all.length ? Buffer.from(`at:${end}`).toString('base64') : '';
  return { items: all.slice(start, end), next };
}
