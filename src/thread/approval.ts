/** Owns the shape of an approval in a folded thread, and its states. */
import type { Facts, GrantFacts, Json, OnReject, Option, Risk, Terms } from './events.ts';
import type { GrantPattern } from './grant.ts';
import type { ApprovalId, CallId, Digest, MessageTs, QuestionId, RunId, UserId } from './ids.ts';

export interface Vote {
  readonly by: UserId;
  readonly name: string;
  readonly verdict: 'approve' | 'reject';
  readonly reason: string | null;
  readonly atMs: number;
  readonly scopes: readonly string[];
  /** The way that was chosen; null for a plain approval. */
  readonly option: string | null;
  /** What the person allows for a while, once the request is approved. */
  readonly grant?: Readonly<GrantFacts> & { readonly sentence: string; readonly pattern: GrantPattern };
}

export type ApprovalState =
  | { readonly is: 'open' }
  | { readonly is: 'approved'; readonly option: string | null; readonly atMs: number }
  | {
      readonly is: 'rejected';
      readonly by: UserId;
      readonly name: string;
      readonly reason: string | null;
      readonly then: OnReject;
      readonly atMs: number;
    }
  | { readonly is: 'expired'; readonly atMs: number }
  | { readonly is: 'withdrawn'; readonly by: UserId | null; readonly instead: boolean; readonly atMs: number }
  | { readonly is: 'refused'; readonly code: string; readonly detail: string | null; readonly atMs: number };

/** A card that a re-ask closed. */
export interface ClosedCard {
  readonly card: number;
  readonly summary: string;
  readonly atMs: number;
  readonly changes: readonly Change[];
  readonly votes: readonly Vote[];
  readonly code: string;
}

export interface Change {
  readonly fact: string;
  readonly was: Json;
  readonly is: Json;
}

/** What people changed in the arguments: who did last, who had before, and what the agent had asked for. */
export interface Edit {
  readonly by: UserId;
  readonly name: string;
  readonly was: Json;
  /** Others whose changes went before; left out where there are none. */
  readonly before?: readonly { readonly by: UserId; readonly name: string }[];
}

/** Why a request that waits cannot be decided as people are now: nobody may, or fewer than it takes. */
export interface Lack {
  readonly code: 'no_approvers' | 'quorum_impossible';
  /** When a later step of its ladder brings enough people; null: no step does. */
  readonly fromMs: number | null;
}

export interface Approval {
  readonly id: ApprovalId;
  readonly call: CallId;
  readonly run: RunId;
  round: number;
  /** Counts cards: 1, and +1 for each re-ask. */
  card: number;
  /** The round with which the present card came. */
  cardRound: number;
  digest: Digest;
  callDigest: Digest;
  rule: string | null;
  ruleDigest: Digest;
  tool: Digest;
  terms: Terms;
  requesters: UserId[];
  /** How many may decide it without the further steps of its ladder, as far as is known. */
  eligible: number;
  /** Absent while enough people may decide it, as far as is known. */
  lack?: Lack;
  requestedAtMs: number;
  expiresAtMs: number;
  risk: Risk;
  /** `form`: too long for the card, so that only the review form approves it. `file`: too long for the form as well. */
  room: 'card' | 'form' | 'file';
  summary: string;
  impact: string | null;
  why: string | null;
  agentWords: string | null;
  salt: string;
  bind: Facts;
  note: Facts;
  noteAtMs: number;
  changes: readonly Change[];
  /** Votes of this round; a person's latest counts. */
  votes: Vote[];
  state: ApprovalState;
  closedCards: ClosedCard[];
  /** Re-asks because something had changed. */
  reasks: number;
  /** Messages that the requester wrote while it waited. */
  meanwhile: MessageTs[];
  editedBy: Edit | null;
  /** The ways that deciders choose among; empty for a plain approval. */
  options: readonly Option[];
  /** When each reminder of the present card was sent. */
  reminders: { readonly n: number; readonly round: number; readonly atMs: number }[];
  /** When each further step of the ladder was reached on the present card. */
  escalations: { readonly step: number; readonly round: number; readonly atMs: number }[];
  /** What approvers have asked the requester. */
  inquiries: QuestionId[];
}

/** The number of the latest reminder on the present card; 0 before any. */
export const remindersSent = ({ reminders }: Approval): number => Math.max(0, ...reminders.map(({ n }) => n));

/** How many reminders have had their time, sent or not. */
export const remindersDue = ({ terms, requestedAtMs }: Approval, nowMs: number): number =>
  terms.remindMs.filter(afterMs => requestedAtMs + afterMs <= nowMs).length;

/** Every vote that stands in the thread: of the present round, and of cards that were closed. */
export const allVotes = ({ votes, closedCards }: Approval): Vote[] => [
  ...votes,
  ...closedCards.flatMap(card => card.votes),
];

/** The approve votes of the present round, one per person. */
export const approvers = (approval: Approval): Vote[] => approval.votes.filter(vote => vote.verdict === 'approve');

/** True where one click on a card is not enough to approve: several people are needed, or the card does not show all of it. */
export const takesMoreThanAClick = ({ terms, room }: Pick<Approval, 'terms' | 'room'>): boolean =>
  terms.quorum > 1 || room !== 'card';
