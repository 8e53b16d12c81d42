/**
 * Owns every hash of what is shown and what runs: canonical JSON (RFC 8785) under SHA-256.
 *
 * 1. The call digest says what "the same call" is. 2. The approval digest binds a decision and a claim to what was shown;
 * its salt stays in the body, so that the facts of a commit tell nothing about erased content.
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Facts, Json, OnReject, Option, Scope, Terms } from './events.ts';
import type { Digest, ThreadKey, UserId } from './ids.ts';

/** SHA-256 of text (UTF-8) or bytes, lower-case hex. */
export const sha256 = (data: string | Uint8Array): Digest => createHash('sha256').update(data).digest('hex') as Digest;

/** What stands for the definition of a tool that is gone. */
export const NO_DEFINITION = '0'.repeat(64) as Digest;

/** RFC 8785 canonical JSON of a value; throws a TypeError for what JSON cannot hold (undefined, NaN, a lone surrogate). */
export function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('This value has no JSON form.');
  return text;
}

/** SHA-256 over canonical JSON. */
export const digestOf = (value: unknown): Digest => sha256(canonical(value));

/** What makes two calls the same call. `server` is `builtin` for our own tools, `definition` the digest of the tool's definition. */
export interface CallIdentity {
  readonly thread: ThreadKey;
  readonly server: string;
  readonly tool: string;
  readonly definition: Digest;
  readonly args: Json;
  /** What a tool puts to people from inside: its name there, and the ways that it offers; absent for the model's calls. */
  readonly asking?: { readonly name: string; readonly options: readonly Option[] };
}

/** The digest that stands for a call in every rule about repeats. */
export const callDigest = ({ thread, server, tool, definition, args, asking }: CallIdentity): Digest =>
  digestOf({
    v: 1,
    team: thread.team,
    channel: thread.channel,
    ts: thread.ts,
    server,
    tool,
    definition,
    args,
    ...(asking ? { asking } : {}),
  });

/** A rule in normal form: what it decides, not where it stands in a file. */
export interface NormalRule {
  readonly id: string | null;
  readonly terms: Terms | null;
}

/** The digest of a rule in normal form (ladder, quorum, expiry, everything that was approved with it). */
export const ruleDigest = (rule: NormalRule): Digest => digestOf({ v: 1, ...rule });

/** Everything that an approval binds. */
export interface ApprovalContent {
  readonly callDigest: Digest;
  readonly requesters: readonly UserId[];
  readonly bind: Facts;
  readonly ruleDigest: Digest;
  readonly expiresAtMs: number;
  readonly round: number;
  readonly salt: string;
  /** The ways that deciders choose among; none, or absent, for a plain approval. */
  readonly options?: readonly Option[];
}

/** The digest that decisions and claims are bound to. */
export const approvalDigest = ({ options = [], ...content }: ApprovalContent): Digest =>
  digestOf({
    v: 1,
    ...content,
    requesters: [...content.requesters].sort(),
    ...(options.length > 0 ? { options } : {}),
  });

/** The scopes that may decide at a time: the ladder's steps whose time has come; the first at once, whatever clock is read. */
export const scopesAt = (terms: Terms, requestedAtMs: number, nowMs: number): Scope[] =>
  terms.ladder.filter(step => step.afterMs === 0 || requestedAtMs + step.afterMs <= nowMs).flatMap(step => step.scopes);

/** The content of a decision, so that the same key with another content can be told apart. */
export const decisionContent = (content: {
  verdict: string;
  reason?: string | undefined;
  then?: OnReject | undefined;
  option?: string | undefined;
  grant?: { readonly forMs: number; readonly uses: number; readonly sentence: string } | undefined;
}): Digest =>
  digestOf({
    verdict: content.verdict,
    reason: content.reason ?? null,
    then: content.then ?? null,
    ...(content.option === undefined ? {} : { option: content.option }),
    ...(content.grant === undefined ? {} : { grant: content.grant }),
  });
