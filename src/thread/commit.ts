/**
 * Owns the form of a commit and its hash chain, the same for every store.
 *
 * 1. A commit's hash covers its facts and the previous hash; the facts hold the digest of the salted body. Erasing a body
 *    leaves a chain that still verifies. 2. Number 1's previous hash is the empty string.
 */
import { z } from 'zod';
import { canonical, sha256 } from './digest.ts';
import { SCHEMA_VERSION, threadEvents, workspaceEvents, type Event } from './events.ts';
import type { Digest, LogKey, WriterId } from './ids.ts';

/** Where a log's next commit goes: the number and hash of its last one; `{number: 0, hash: ''}` for an empty log. */
export interface Head {
  readonly number: number;
  readonly hash: string;
}

/** One immutable entry of a log. */
export interface Commit extends Head {
  readonly nonce: string;
  readonly atMs: number;
  readonly version: number;
  readonly writer: WriterId;
  readonly previous: string;
  readonly bodyDigest: Digest;
  readonly salt: string;
  readonly events: readonly Event[];
}

/** Where an event stands: its commit's number and time. */
export type Standing = Pick<Commit, 'number' | 'atMs'>;

/** The two parts that a store keeps: facts as canonical JSON, and the salted body. */
export interface CommitParts {
  readonly facts: string;
  readonly body: string;
}

/** What a writer knows before the commit is sealed; nonce and salt are fresh random text. */
export interface Draft {
  readonly after: Head;
  readonly events: readonly Event[];
  readonly atMs: number;
  readonly writer: WriterId;
  readonly nonce: string;
  readonly salt: string;
}

/** The digest of a body with its salt, as it stands among the facts. */
const saltedDigest = (salt: string, body: string): Digest => sha256(`${salt}\n${body}`);

/** A commit without its events: what the hash covers beside their facts, the hash, and the body's salt. */
export type Envelope = Omit<Commit, 'events'>;

/** SHA-256 of the canonical JSON of everything but the body; `facts` stands in it as it is, so that it is not written again. */
function hashOf(key: LogKey, commit: Omit<Envelope, 'hash' | 'salt'>, facts: string): string {
  const { number, previous, nonce, atMs, version, writer, bodyDigest } = commit;
  const before = canonical({ at: atMs, body: bodyDigest });
  const after = canonical({ key, nonce, number, previous, version, writer });
  return sha256(`${before.slice(0, -1)},"events":${facts},${after.slice(1)}`);
}

/** What a store keeps of events: facts (canonical JSON without bodies) and body (canonical JSON). */
export const partsOf = ({ events }: Pick<Commit, 'events'>): CommitParts => ({
  facts: canonical(events.map(({ body: _, ...facts }) => facts)),
  body: canonical(events.map(event => event.body)),
});

/** Numbers, hashes and closes a draft for the log `key`; `parts` are its events' own, for those who have them already. */
export function seal(key: LogKey, draft: Draft, parts = partsOf(draft)): Commit {
  const unsealed = {
    number: draft.after.number + 1,
    previous: draft.after.hash,
    nonce: draft.nonce,
    atMs: draft.atMs,
    version: SCHEMA_VERSION,
    writer: draft.writer,
    events: draft.events,
    bodyDigest: saltedDigest(draft.salt, parts.body),
  };
  return { ...unsealed, salt: draft.salt, hash: hashOf(key, unsealed, parts.facts) };
}

/** Why a stored commit cannot be used. */
export type Damage = 'chain' | 'body' | 'unreadable';

const declared: Record<string, { facts: z.ZodType; body: z.ZodType } | undefined> = {
  ...workspaceEvents,
  ...threadEvents,
};
const storedFacts = z.array(z.looseObject({ type: z.string() }));

/** Joins facts and body (null once erased) to events again; undefined when they do not parse as events of this version. */
export function eventsFrom(facts: unknown, body: unknown): Event[] | undefined {
  const parsed = storedFacts.safeParse(facts);
  if (!parsed.success || (body !== null && !Array.isArray(body))) return undefined;
  const events: unknown[] = [];
  for (const [index, { type, ...rest }] of parsed.data.entries()) {
    const schema = Object.hasOwn(declared, type) ? declared[type] : undefined;
    const own = schema?.facts.safeParse(rest);
    const content = schema?.body.safeParse(body === null ? null : body[index]);
    if (!own?.success || !content?.success) return undefined;
    events.push({ type, ...(own.data as object), body: content.data });
  }
  return events as Event[];
}

/**
 * Checks a commit against the one before it; undefined when it fits. `parts` are the texts that its events were read from: a
 * text that was changed in any way does not fit. A null body (erased) is not checked against its digest.
 */
export function damageOf(
  key: LogKey,
  previous: Head,
  commit: Envelope,
  parts: { readonly facts: string; readonly body: string | null },
): Damage | undefined {
  const { number, hash, bodyDigest, salt } = commit;
  if (number !== previous.number + 1 || commit.previous !== previous.hash || hash !== hashOf(key, commit, parts.facts))
    return 'chain';
  return parts.body === null || bodyDigest === saltedDigest(salt, parts.body) ? undefined : 'body';
}
