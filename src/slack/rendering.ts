/** Owns what the reconciler needs of the views: pure functions of a thread, bound to one language and configuration. */
import type { CallEvidence, WorkspaceEvidence } from '../thread/evidence.ts';
import type { RunId } from '../thread/ids.ts';
import type { Call, Thread } from '../thread/thread.ts';
import type { Workspace } from '../thread/workspace.ts';
import type { Deciding } from '../worker/ports.ts';
import type { Content, Message } from './message.ts';
import type { Growing } from './views/growing.ts';

export interface Rendering {
  /** Every message that should stand in Slack for what is live in the thread. */
  thread(thread: Thread, workspace: WorkspaceEvidence): readonly Message[];
  /** What operators must know. */
  operators(workspace: Workspace): readonly Message[];
  /** Whether a request can be shown in full. */
  room(call: Pick<Call, 'tool' | 'args'>, evidence: CallEvidence): CallEvidence['room'];
  /** Keys of the messages whose buttons decide this approval or say what became of this execution. */
  cards(thread: Thread, of: Deciding): readonly string[];
  /** What is said in a thread whose record does not fit together. */
  readonly damaged: Content;
  /** What stands in place of an extra copy. */
  readonly copyNotice: Content;
  /** What of an answer that is still written can be read already; undefined when the run has no answer to come. */
  growing(thread: Thread, run: RunId, text: string): Growing | undefined;
  /** What Slack shows as "is …" while the agent works; empty when it does not. */
  status(thread: Thread): string;
}
