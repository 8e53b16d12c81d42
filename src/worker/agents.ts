/** Owns which agent answers in a thread. */
import { at, type Run, type Thread } from '../thread/thread.ts';
import type { Agent, Policy } from './ports.ts';

/** The agent that has answered the thread's messages before, if it is still there. */
export function agentOf(policy: Pick<Policy, 'agent'>, thread: Thread): Agent | undefined {
  const before = Object.values(thread.runs).findLast((run: Run) => run.within === null);
  return before && policy.agent(before.agent);
}

/** The agent that answers what waits in this thread: the one that listens there, else the one that has answered before. */
export function agentFor(policy: Pick<Policy, 'agent' | 'agentFor'>, thread: Thread): Agent | undefined {
  const direct = thread.queue.some(ts => at(thread.messages, ts)?.direct === true);
  return policy.agentFor({ channel: thread.key.channel, direct }) ?? agentOf(policy, thread);
}
