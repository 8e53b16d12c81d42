/**
 * Owns the forms of evidence: plain data that a worker gathers just before deciding. What could not be learnt is a value
 * (`unknown`), and never allows anything.
 */
import type { Facts, Risk, Terms } from './events.ts';
import type { Grant } from './grant.ts';
import type { ChannelId, Digest, GrantId, MessageTs, TeamId, UserId } from './ids.ts';

/** What Slack says a person is; only a `member` may decide or ask. */
export type Standing = 'member' | 'guest' | 'external' | 'deactivated' | 'bot' | 'unknown';

/** One person, as looked up at `lookedUpAtMs`. */
export interface ActorEvidence {
  readonly user: UserId;
  readonly team: TeamId;
  readonly name: string;
  readonly standing: Standing;
  /** Names of the asked-for scopes that the person is in, and of those that could not be read. */
  readonly scopes: readonly string[];
  readonly unknownScopes: readonly string[];
  readonly admin: boolean | 'unknown';
  readonly lookedUpAtMs: number;
}

/** A tool as the registry has it now. */
export interface ToolFacts {
  readonly name: string;
  readonly server: string;
  readonly digest: Digest;
  readonly effect: 'read' | 'write';
  readonly risk: Risk;
  readonly idempotent: boolean;
  readonly timeoutMs: number;
  /** True when it can say whether a call happened; default false. */
  readonly checks?: boolean;
}

/** Policy's answer; `why` is the rule's own sentence. */
export type Judged =
  | { readonly verdict: 'allow'; readonly rule: string | null; readonly why: string | null }
  | { readonly verdict: 'deny'; readonly rule: string; readonly why: string }
  | { readonly verdict: 'ask'; readonly rule: string | null; readonly why: string | null; readonly terms: Terms };

/** What a look at the arguments and at the world gave. `bind` must be equal at the claim; `note` is shown with its time. */
export type Inspection =
  | {
      readonly ok: true;
      readonly args: unknown;
      readonly summary: string;
      readonly impact: string | null;
      readonly bind: Facts;
      readonly note: Facts;
      readonly atMs: number;
    }
  | { readonly ok: false; readonly code: 'invalid_arguments' | 'inspect_failed'; readonly detail: string };

/** Everything about one call that judging, asking again and claiming need. */
export interface CallEvidence {
  /** Null when the tool is gone. */
  readonly tool: ToolFacts | null;
  readonly inspection: Inspection;
  readonly judged: Judged;
  readonly policy: Digest;
  /** People who could decide now, the requesters left out; `unknown` when it could not be learnt. */
  readonly eligible: readonly UserId[] | 'unknown';
  /** How many of them may decide before the ladder widens; absent where it never does. */
  readonly eligibleAtFirst?: number;
  readonly room: 'card' | 'form' | 'file' | 'too_long';
  /** The standing permission that covers the call now; never one in a thread that has read what strangers wrote. */
  readonly grant?: GrantId;
  /** Requests of the requester that wait in other threads; absent when nobody counts them. */
  readonly openElsewhere?: number | 'unknown';
  /** Fresh text for the approval digest. */
  readonly salt: string;
}

/** Who has frozen the workspace, and since when. */
export interface Frozen {
  readonly by: UserId;
  readonly name: string;
  readonly why: string;
  readonly sinceMs: number;
}

/** The workspace log as it was read; `version` is its last commit's number. */
export interface WorkspaceEvidence {
  readonly version: number;
  readonly frozen: Frozen | null | 'unknown';
  /** Permissions that stand, by id; those that are used up, over or revoked among them. */
  readonly grants?: Readonly<Record<string, Grant>>;
}

/** The card that was clicked: ours with this approval's key, or not. */
export interface CardEvidence {
  readonly channel: ChannelId;
  readonly ts: MessageTs;
  readonly is: 'ours' | 'other_environment' | 'wrong';
}
