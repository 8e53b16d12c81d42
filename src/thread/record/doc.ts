/**
 * Owns the form of a record: everything that is known of one call, as data, for whoever shows it (terminal, Slack). Times are
 * epoch ms. `null` stands for what is not known: not said, erased, or not kept by the fold.
 */
import type { Facts, Json, OnReject, Option, Terms } from '../events.ts';
import type { Change } from '../approval.ts';
import type { Sign } from '../call.ts';
import type {
  ApprovalId,
  CallId,
  ChannelId,
  Digest,
  ExecutionId,
  GrantId,
  MessageTs,
  QuestionId,
  RunId,
  ThreadKey,
  UserId,
  WriterId,
} from '../ids.ts';
import type { Outcome } from '../outcome.ts';
import type { Question } from '../question.ts';

/** Somebody, with the name as it was seen then; '' when it is not known. */
export interface Named {
  readonly id: UserId;
  readonly name: string;
}

/** What somebody wrote to the agent. */
export interface Words {
  readonly by: Named;
  readonly text: string;
  readonly channel: ChannelId;
  readonly ts: MessageTs;
  readonly atMs: number;
}

/** One round that was put to people. */
export interface Shown {
  /** Null for a card that was closed, of which the fold keeps no more. */
  readonly round: number | null;
  readonly card: number;
  readonly atMs: number;
  /** `first`, `message`, `edited`, `changed`, `not_run`, or another code. */
  readonly why: string;
  /** The requester's message that opened it. */
  readonly message: Words | null;
  readonly digest: Digest | null;
  readonly summary: string;
  readonly bind: Facts;
  readonly note: Facts;
  readonly changes: readonly Change[];
  /** The ways among which people choose; empty for a plain approval. */
  readonly options: readonly Option[];
  readonly terms: Terms | null;
  readonly expiresAtMs: number | null;
}

/** One person's word on a round. */
export interface Decided {
  readonly atMs: number;
  readonly round: number | null;
  readonly by: Named;
  readonly verdict: 'approve' | 'reject';
  /** Names of `people:` that they were found in when they decided. */
  readonly scopes: readonly string[];
  readonly reason: string | null;
  /** The way that was chosen. */
  readonly option: string | null;
  readonly then: OnReject | null;
  /** When the vote fell, and why; null while it counts (or fell with its round). */
  readonly fell: { readonly atMs: number; readonly code: string } | null;
}

/** An act that was not counted. */
interface Refused {
  /** Null where only the fold is known. */
  readonly atMs: number | null;
  readonly round: number;
  readonly by: Named;
  readonly code: string;
  readonly verdict: 'approve' | 'reject' | null;
}

/** The look at everything just before an attempt could start. */
export interface Checked {
  readonly atMs: number;
  readonly execution: ExecutionId;
  readonly facts: Facts;
  /** Commit of the workspace's log at which freeze and grants were read. */
  readonly workspace: number;
}

/** What came of one attempt. `open`: it may be running. */
export interface Ran {
  readonly execution: ExecutionId;
  readonly attempt: number;
  /** The idempotency key that the tool was given. */
  readonly key: CallId;
  /** The process that ran it, with the rights of its own; null where only the fold is known. */
  readonly holder: WriterId | null;
  readonly claimedAtMs: number | null;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly how: 'open' | 'suspended' | 'not_started' | 'succeeded' | 'failed' | 'in_doubt';
  /** Why it failed or was not started. */
  readonly code: string | null;
  readonly effect: 'none' | 'done' | 'possible' | null;
  readonly result: { readonly digest: Digest | null; readonly bytes: number; readonly blob: string | null } | null;
  readonly text: string | null;
  /** True when it came after people, or a process that took over, had settled the execution. */
  readonly late: boolean;
}

/** What was found out, or said, of an execution in doubt. */
export type Doubt =
  | {
      readonly is: 'in_doubt';
      readonly execution: ExecutionId;
      readonly atMs: number;
      readonly lastSign: Sign | null;
    }
  | { readonly is: 'checked'; readonly execution: ExecutionId; readonly atMs: number; readonly found: string }
  /** Its process told late what came of it, or that it had not started. */
  | { readonly is: 'reported'; readonly execution: ExecutionId; readonly atMs: number; readonly as: 'ran' | 'not_run' }
  | {
      readonly is: 'said';
      readonly execution: ExecutionId;
      readonly atMs: number;
      readonly as: 'ran' | 'not_run' | 'abandoned';
      readonly by: Named;
    };

export interface Edited {
  readonly atMs: number | null;
  readonly by: Named;
  readonly was: Json;
  readonly is: Json;
  /** Top-level arguments that differ. */
  readonly changes: readonly Change[];
}

/** A standing permission that was given with a decision, or under which the call was allowed. */
export interface GrantNote {
  readonly grant: GrantId;
  readonly is: 'given' | 'used';
  readonly atMs: number | null;
  readonly by: Named | null;
  readonly sentence: string | null;
  /** Whether the workspace's log has taken it; null while it is not known. */
  readonly taken: boolean | null;
}

/** A question that the tool, or an approver, asked; `answer` as it was given. */
export interface Asked {
  readonly question: QuestionId;
  readonly kind: Question['kind'];
  readonly atMs: number;
  /** Null when the agent or a tool asks. */
  readonly by: Named | null;
  readonly prompt: string;
  readonly answer: { readonly atMs: number; readonly by: Named; readonly value: Json } | null;
  /** Set when it ended without an answer. */
  readonly over: { readonly atMs: number; readonly how: 'expired' | 'withdrawn' } | null;
  /** Answers that were not taken, and why. */
  readonly wrong: readonly {
    readonly atMs: number;
    readonly by: Named;
    readonly given: string;
    readonly why: string;
  }[];
}

/** How the request was settled. */
export interface Settled {
  readonly atMs: number;
  readonly how: 'approved' | 'rejected' | 'expired' | 'withdrawn' | 'refused';
  readonly round: number | null;
  readonly by: readonly Named[];
  readonly code: string | null;
  readonly detail: string | null;
  readonly option: string | null;
}

/** Somebody asked to stop the call, or cancelled its run. */
export interface Stopped {
  readonly atMs: number | null;
  readonly what: 'stop' | 'cancel';
  readonly by: Named;
  readonly source: string | null;
}

/** What does not fit together in a record; an empty list is good news. */
export type Finding =
  /** The digest of a round is not that of what the record says was shown. */
  | { readonly code: 'shown_digest'; readonly round: number }
  /** The call's digest is not that of its arguments and definition. */
  | { readonly code: 'call_digest' }
  /** A decision was bound to another digest than its round showed. */
  | { readonly code: 'decided_digest'; readonly round: number; readonly by: Named }
  /** An attempt was bound to another digest than was approved. */
  | { readonly code: 'claimed_digest'; readonly attempt: number }
  /** An attempt began though fewer people than the rule wants had approved that round. */
  | { readonly code: 'claimed_without_approval'; readonly attempt: number }
  /** A requester's own word counted where the rule does not let it. */
  | { readonly code: 'requester_decided'; readonly round: number; readonly by: Named }
  /** The kept result is not the one whose digest was recorded. */
  | { readonly code: 'result_digest'; readonly attempt: number }
  /** A late outcome is not what people had said. */
  | { readonly code: 'contradiction'; readonly attempt: number }
  /** Texts were erased: digests over them cannot be recomputed. */
  | { readonly code: 'erased' };

/** The call that waits, the request that it was (null: none was needed), and the name under which it waits. */
export interface Inside {
  readonly call: CallId;
  readonly approval: ApprovalId | null;
  readonly name: string;
}

export interface RecordDoc {
  readonly key: ThreadKey;
  readonly call: CallId;
  readonly approval: ApprovalId | null;
  /** In code's own words; the tool's name before it was judged. */
  readonly summary: string;
  readonly impact: string | null;
  readonly outcome: Outcome;
  readonly asked: {
    readonly atMs: number;
    readonly by: readonly Named[];
    readonly words: readonly Words[];
    readonly agent: string;
    readonly run: RunId;
    /** What a nested run was given to do, and the call that waits for it. */
    readonly task: string | null;
    readonly inside: Inside | null;
    readonly repeats: CallId | null;
  };
  readonly called: {
    readonly atMs: number | null;
    readonly tool: string;
    /** As they would run (or ran) now. */
    readonly args: Json;
    /** What the model wrote when it is not JSON. */
    readonly raw: string | null;
    readonly effect: 'read' | 'write' | null;
    readonly definition: Digest | null;
    readonly digest: Digest | null;
    /** The call whose tool put this request to people from inside. */
    readonly inside: Inside | null;
    /** The model that proposed it, and the agent's own instructions then; null where none did, or only the fold is known. */
    readonly model: string | null;
    readonly instructions: { readonly digest: Digest; readonly loadedAtMs: number | null } | null;
  };
  /** What policy said of it; null before it was judged. */
  readonly rule: {
    readonly atMs: number | null;
    readonly verdict: 'allow' | 'ask' | 'deny' | 'refuse';
    /** Null: no rule matched, the defaults asked. */
    readonly id: string | null;
    readonly why: string | null;
    readonly digest: Digest;
    readonly policy: Digest;
    readonly loadedAtMs: number | null;
  } | null;
  readonly shown: readonly Shown[];
  readonly decided: readonly Decided[];
  readonly refused: readonly Refused[];
  readonly settled: readonly Settled[];
  readonly checked: readonly Checked[];
  readonly ran: readonly Ran[];
  readonly doubts: readonly Doubt[];
  readonly stopped: readonly Stopped[];
  readonly edits: readonly Edited[];
  readonly grants: readonly GrantNote[];
  readonly reminders: readonly { readonly atMs: number; readonly round: number; readonly n: number }[];
  readonly escalations: readonly { readonly atMs: number; readonly round: number; readonly step: number }[];
  /** What the tool asked people from inside. */
  readonly questions: readonly Asked[];
  /** What approvers asked the requester. */
  readonly inquiries: readonly Asked[];
  readonly steps: readonly {
    readonly name: string;
    readonly beganAtMs: number | null;
    readonly doneAtMs: number | null;
  }[];
  readonly findings: readonly Finding[];
  /** `log`: every event was read; `fold`: what the folded thread keeps, so that some times and earlier rounds are missing. */
  readonly from: 'log' | 'fold';
}
