/** Owns what Slack's side may ask of the worker, and what it is answered. */
import type { Decide, Given, Incoming, Settle } from '../thread/decide/command.ts';
import type { CallEvidence, WorkspaceEvidence } from '../thread/evidence.ts';
import type { Json } from '../thread/events.ts';
import type { Grant } from '../thread/grant.ts';
import type {
  ApprovalId,
  CallId,
  Digest,
  GrantId,
  MessageTs,
  QuestionId,
  RunId,
  TeamId,
  ThreadKey,
  UserId,
} from '../thread/ids.ts';
import type { RecordDoc } from '../thread/record.ts';
import type { Refusal } from '../thread/refusal.ts';
import type { Call, Question, Run, Thread } from '../thread/thread.ts';
import type { Place } from './exchange.ts';

/** Who acts, as Slack delivered it. */
export interface Person {
  readonly user: UserId;
  readonly team: TeamId;
}

/** A person's act on a message of ours, as Slack delivered it. `key` makes the same act count once. */
export interface Act {
  readonly thread: ThreadKey;
  readonly actor: Person;
  readonly place: Place;
  readonly key: string;
}

/** What came of an act; the thread and the workspace as they are now, for the sentence. */
export interface Answer {
  readonly refusal: Refusal | null;
  readonly thread: Thread;
  readonly workspace: WorkspaceEvidence;
}

/** An edited call as it would run: what the second view shows; or why it cannot be put to people. */
export type EditPreview =
  | { readonly refusal: Refusal; readonly thread: Thread }
  | {
      readonly refusal: null;
      readonly thread: Thread;
      readonly args: Json;
      readonly evidence: CallEvidence;
      /** True when the editor's word counts as an approval of the edited call; false where its rule asks others. */
      readonly counts: boolean;
      /** True when the editor's word alone lets it run; else others must approve it as well. */
      readonly approves: boolean;
      /** Bound by the second submit. */
      readonly shown: Digest;
    };

/** What waits, asks or has happened, for Home and `/countersign`; each with its thread as it is now. */
export interface Overview {
  readonly waitingForYou: readonly OpenCall[];
  readonly questionsForYou: readonly OpenQuestion[];
  readonly youAsked: readonly OpenCall[];
  readonly grants: readonly Grant[];
  /** Those of them that apply to nothing now: their rule or their tool is another than when they were given. */
  readonly idle?: readonly string[];
  readonly lately: readonly OpenCall[];
  readonly workspace: WorkspaceEvidence;
  readonly mayFreeze: boolean;
  readonly mayUnfreeze: boolean;
  /** False when the table or Slack did not answer for some of it. */
  readonly complete: boolean;
}
export interface OpenCall {
  readonly thread: Thread;
  readonly run: Run;
  readonly call: Call;
}
export interface OpenQuestion {
  readonly thread: Thread;
  readonly question: Question;
}

/** What came of a freeze or unfreeze; `running`: calls that still run, with their threads. */
export interface Frozen {
  readonly refusal: Refusal | null;
  readonly workspace: WorkspaceEvidence;
  readonly running: readonly OpenCall[];
}

/** A request to open a record: by the link of a message, a short id, or the message itself. */
export type RecordWanted =
  { readonly short: string } | { readonly place: Place & { readonly threadTs: MessageTs | null } };

/** The calls that a record is about; none: not found. */
export interface RecordFound {
  readonly refusal: Refusal | null;
  readonly calls: readonly OpenCall[];
}

/** Every method may throw LogUnavailable, then nothing was counted; all but `receive` throw LogDamaged. */
export interface Inbox {
  /**
   * In the log when this resolves; false when the message is not for us (dropped). A message that asks for an act which is
   * not carried out ("cancel" by somebody else) is in no log: `told` hears what its author is to be told.
   */
  receive(thread: ThreadKey, message: Omit<Incoming, 'followUps'>, told?: (answer: Answer) => void): Promise<boolean>;
  /** Its author has changed a message; false when it is none of ours. */
  amend(thread: ThreadKey, message: { ts: MessageTs; author: UserId; text: string }): Promise<boolean>;
  /** Its author has taken a message back; false when it is none of ours. */
  remove(thread: ThreadKey, message: MessageTs): Promise<boolean>;
  /** Somebody has taken a message of ours away: it is posted again where people can still act on it; false when it is none. */
  lost(thread: ThreadKey, place: Place): Promise<boolean>;
  /** One person's approve or reject on a round. */
  decide(
    act: Act,
    decision: Pick<Decide, 'approval' | 'round' | 'verdict' | 'reason' | 'then' | 'origin' | 'option' | 'grant'>,
  ): Promise<Answer>;
  /** What would run if the arguments were these; nothing changes. */
  previewEdit(act: Act, edit: { approval: ApprovalId; round: number; args: Json }): Promise<EditPreview>;
  /** The edit as it was shown (`shown`): the edited call is put to people, the editor's word with it. */
  edit(act: Act, edit: { approval: ApprovalId; round: number; args: Json; shown: Digest }): Promise<Answer>;
  /** An answer to a question, choice or review; `asked` is the count of answers not taken that the person saw. */
  answer(
    act: Act,
    answer: { question: QuestionId; given: Given; asked: number; origin: 'click' | 'form' },
  ): Promise<Answer>;
  /** An approver asks the requester something about a request. */
  inquire(act: Act, inquiry: { approval: ApprovalId; round: number; text: string }): Promise<Answer>;
  /** What a person says became of an execution in doubt. */
  settle(act: Act, doubt: Pick<Settle, 'call' | 'attempt' | 'as'>): Promise<Answer>;
  /** Stops a call that runs. */
  stop(act: Act, call: CallId): Promise<Answer>;
  /** Withdraws what waits and ends the run. */
  cancel(act: Act, run: RunId): Promise<Answer>;
  /** Slack's own Stop in a thread: cancels the run in progress. */
  stopThread(thread: ThreadKey, actor: Person, key: string): Promise<Answer>;
  /** Cancels the run during which the message arrived; the message starts the next one. */
  useInstead(act: Act, message: MessageTs): Promise<Answer>;
  /** The request stays as it is; the message waits for the next run. */
  keepWaiting(act: Act, message: MessageTs): Promise<Answer>;
  /** Repeats the call of an expired or refused request in a run of its own. */
  askAgain(act: Act, call: CallId): Promise<Answer>;
  /** The thread as it is now, for forms. */
  read(thread: ThreadKey): Promise<Thread>;
  /** Whether everything is frozen, as lately read; for forms. */
  house(): Promise<WorkspaceEvidence>;
  /** What waits, asks or has happened lately for this person. */
  overview(person: Person): Promise<Overview>;
  /** Nothing starts any more; asks why (`reason_needed` for an empty text). */
  freeze(person: Person, why: string): Promise<Frozen>;
  /** Lifts the freeze; admins only. */
  unfreeze(person: Person): Promise<Frozen>;
  /** Ends a permission for everything that has not started. */
  revokeGrant(person: Person, grant: GrantId): Promise<{ refusal: Refusal | null; grant: Grant | null }>;
  /** The calls that were meant, as far as the person may see them. */
  record(person: Person, wanted: RecordWanted): Promise<RecordFound>;
  /** Everything on record of a call that `record` has let the person see, with its times; reads the whole log. */
  wholeRecord(found: OpenCall): Promise<RecordDoc>;
}
