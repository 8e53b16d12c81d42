/**
 * Owns what a store keeps of a commit, and the way back: whatever is stored was first read back, and whatever is loaded was
 * first verified. Shared by every implementation of the log.
 *
 * 1. Events are what was hashed, not what a schema made of them: a schema only says whether they may be used. So a key such
 *    as `__proto__` comes back as the data that it was, and a key that was added in the table breaks the chain.
 */
import {
  damageOf,
  eventsFrom,
  partsOf,
  seal,
  type Commit,
  type Damage,
  type Draft,
  type Envelope,
  type Head,
} from '../thread/commit.ts';
import { SCHEMA_VERSION, type Event } from '../thread/events.ts';
import type { Digest, LogKey, WriterId } from '../thread/ids.ts';
import { LogDamaged, type Wake } from '../worker/ports.ts';

/** A commit as it is kept; hashes in hex, facts and body as canonical JSON. */
export interface StoredCommit {
  readonly number: number;
  readonly nonce: string;
  readonly atMs: number;
  readonly version: number;
  readonly writer: string;
  readonly previous: string;
  readonly hash: string;
  readonly bodyDigest: string;
  readonly facts: string;
  /** Null once erased. */
  readonly content: { readonly salt: string; readonly body: string } | null;
  /** Stands outside the hash. */
  readonly wake: Wake | null;
}

/** Seals a draft and reads it back; throws a TypeError, before anything is written, for events that could not be loaded again. */
export function sealed(key: LogKey, draft: Draft, wake: Wake | null): { commit: Commit; stored: StoredCommit } {
  if (draft.events.length === 0) throw new TypeError('A commit needs at least one event.');
  const parts = partsOf(draft);
  const { events: _, salt, ...envelope } = seal(key, draft, parts);
  const stored: StoredCommit = { ...envelope, facts: parts.facts, content: { salt, body: parts.body }, wake };
  const commit = unsealed(stored);
  if (commit) return { commit, stored };
  const wrong = draft.events.filter(event => !isSound(event)).map(event => event.type);
  throw new TypeError(`Nothing was written: ${wrong.join(', ')} does not have its declared form.`);
}

/** Whether one event has its declared form. */
function isSound({ body, ...facts }: Event): boolean {
  return eventsFrom([facts], [body]) !== undefined;
}

/** The commit that was stored; undefined when it cannot be read as events of this version. Its hash is not yet checked. */
function unsealed(stored: StoredCommit): Commit | undefined {
  const facts = parsed(stored.facts);
  const body = stored.content === null ? null : parsed(stored.content.body);
  if (!isRecords(facts) || (body !== null && !Array.isArray(body))) return undefined;
  if (eventsFrom(facts, body) === undefined) return undefined;
  return {
    ...envelopeOf(stored),
    events: facts.map((own, index): unknown => ({
      ...own,
      body: body === null ? null : (body[index] as unknown),
    })) as Event[],
  };
}

const envelopeOf = ({ content, ...stored }: StoredCommit): Envelope => ({
  number: stored.number,
  nonce: stored.nonce,
  atMs: stored.atMs,
  version: stored.version,
  writer: stored.writer as WriterId,
  previous: stored.previous,
  hash: stored.hash,
  bodyDigest: stored.bodyDigest as Digest,
  salt: content?.salt ?? '',
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecords = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.every(each => typeof each === 'object' && each !== null && !Array.isArray(each));

const SENTENCES: Record<Damage, string> = {
  chain: 'does not fit the one before it: a commit was changed, removed, moved or overwritten in the table',
  body: 'has a text that is not the one its facts were written with: it was changed in the table',
  unreadable: 'cannot be read: it was changed in the table, or written by something else',
};

/** The error that stops a log at a commit. */
export const damagedAt = (key: LogKey, number: number, damage: Damage): LogDamaged =>
  new LogDamaged(`Commit ${number} of ${key} ${SENTENCES[damage]}.`);

/** The error that stops a log at a commit of another version of the events. */
export const otherForm = (key: LogKey, number: number, version: number): LogDamaged =>
  new LogDamaged(
    `Commit ${number} of ${key} was written in form ${version}; this version of Countersign reads form ${SCHEMA_VERSION}.`,
  );

/** Throws LogDamaged unless a commit follows `previous` and its texts are those that it was sealed with. */
function mustFit(key: LogKey, previous: Head, stored: StoredCommit): void {
  const { number, version, facts, content } = stored;
  if (version !== SCHEMA_VERSION) throw otherForm(key, number, version);
  const damage = damageOf(key, previous, envelopeOf(stored), { facts, body: content?.body ?? null });
  if (damage) throw damagedAt(key, number, damage);
}

/** Follows the chain of commits in order without reading their events; returns its end, and throws as `verified` does. */
export function followed(key: LogKey, previous: Head, stored: readonly StoredCommit[]): Head {
  let head = previous;
  for (const each of stored) {
    mustFit(key, head, each);
    head = each;
  }
  return { number: head.number, hash: head.hash };
}

/** Reads commits in order, the first of which must follow `previous`; throws LogDamaged with the first that does not fit. */
export function verified(key: LogKey, previous: Head, stored: readonly StoredCommit[]): Commit[] {
  let head = previous;
  return stored.map(each => {
    mustFit(key, head, each);
    const commit = unsealed(each);
    if (!commit) throw damagedAt(key, each.number, 'unreadable');
    head = commit;
    return commit;
  });
}
