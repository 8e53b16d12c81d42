/** Owns when a grant that a decision gave has left this thread: the workspace's log has it, or refused it. */
import type { Thread } from '../thread.ts';
import { decided, nothing, type Command, type Decision } from './command.ts';

/** Records, once, what became of a grant of this thread. */
export function grantSettled(
  thread: Thread,
  { grant, given }: Extract<Command, { type: 'grantSettled' }>,
  _nowMs: number,
): Decision {
  if (!thread.grants.some(pending => pending.grant === grant)) return nothing;
  return decided({ type: 'grant.settled', grant, given, body: {} });
}
