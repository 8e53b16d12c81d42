/** Messages that one person alone can see. Slack forgets them at a reload; here the last hundred of each person are kept. */
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { SlackMessage } from './messages.ts';
import type { Collection, Storage } from './storage.ts';

export interface Ephemeral {
  readonly user: string;
  readonly channel: string;
  readonly message: SlackMessage;
}

export class Ephemerals {
  readonly #kept: Collection<Ephemeral>;

  constructor(storage: Storage) {
    this.#kept = storage.collection<Ephemeral>('ephemeral');
  }

  put(ephemeral: Ephemeral): void {
    this.#kept.put(key(ephemeral.user, ephemeral.message.ts), ephemeral);
    const keys = this.#kept.keys({ prefix: `${ephemeral.user}/` });
    for (const old of keys.slice(0, -limits.ephemeralsKept)) this.#kept.delete(old);
  }

  get(user: string, ts: string): Ephemeral | undefined {
    return this.#kept.get(key(user, ts));
  }

  delete(user: string, ts: string): void {
    this.#kept.delete(key(user, ts));
  }

  /** The person's private messages, oldest first, each with its channel. */
  of(user: string): JsonObject[] {
    return this.#kept.list({ prefix: `${user}/` }).map(one => ({ ...one.message, channel: one.channel }));
  }
}

function key(user: string, ts: string): string {
  return `${user}/${ts}`;
}
