/** Owns who performs effects for a thread: taking the lease, also in one commit with what it is taken for, and giving it back. */
import type { Thread } from '../thread.ts';
import { decided, nothing, type Command, type Decision, type Take } from './command.ts';

/** A lease that is free, one's own, or known to have lapsed; not one that somebody else took meanwhile. */
export function take(thread: Thread, { holder, lengthMs, lapsed }: Take): Decision {
  const { lease } = thread;
  if (lease !== null && lease.holder !== holder && lease.lastCommit !== lapsed) return nothing;
  return decided({ type: 'lease.taken', holder, lengthMs, body: {} });
}

/** What was decided, and the lease of the process that goes on with it; whoever is refused goes on with nothing. */
export function alsoTaking(thread: Thread, decision: Decision, lease: Take | undefined): Decision {
  if (lease === undefined || decision.refusal || decision.events.length === 0) return decision;
  return { ...decision, events: [...decision.events, ...take(thread, lease).events] };
}

/** The holder gives it back; `synced` says that every message is in line. */
export const release = ({ lease }: Thread, { holder, synced }: Extract<Command, { type: 'release' }>): Decision =>
  lease?.holder === holder ? decided({ type: 'lease.released', holder, synced, body: {} }) : nothing;
