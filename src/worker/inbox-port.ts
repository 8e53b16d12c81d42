/** Owns what Slack's side may ask of the worker, and what it is answered. */
import type { Decide, Incoming, Settle } from '../thread/decide/command.ts';
import type { CallId, ChannelId, MessageTs, RunId, TeamId, ThreadKey, UserId } from '../thread/ids.ts';
import type { Refusal } from '../thread/refusal.ts';
import type { Thread } from '../thread/thread.ts';

/** A person's act on a message of ours, as Slack delivered it. `key` makes the same act count once. */
export interface Act {
  readonly thread: ThreadKey;
  readonly actor: { readonly user: UserId; readonly team: TeamId };
  readonly place: { readonly channel: ChannelId; readonly ts: MessageTs };
  readonly key: string;
}

/** What came of an act; the thread as it is now, for the sentence. */
export interface Answer {
  readonly refusal: Refusal | null;
  readonly thread: Thread;
}

/** Every method may throw LogUnavailable, then nothing was counted; all but `receive` throw LogDamaged. */
export interface Inbox {
  /** In the log when this resolves; false when the message is not for us (dropped). */
  receive(thread: ThreadKey, message: Incoming): Promise<boolean>;
  decide(
    act: Act,
    decision: Pick<Decide, 'approval' | 'round' | 'verdict' | 'reason' | 'then' | 'origin'>,
  ): Promise<Answer>;
  settle(act: Act, doubt: Pick<Settle, 'call' | 'attempt' | 'as'>): Promise<Answer>;
  cancel(act: Act, run: RunId): Promise<Answer>;
  /** Cancels the run during which the message arrived; the message starts the next one. */
  useInstead(act: Act, message: MessageTs): Promise<Answer>;
  keepWaiting(act: Act, message: MessageTs): Promise<Answer>;
  askAgain(act: Act, call: CallId): Promise<Answer>;
  /** The thread as it is now, for forms. */
  read(thread: ThreadKey): Promise<Thread>;
}
