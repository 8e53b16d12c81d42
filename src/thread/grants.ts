/**
 * Owns what a grant covers: the pattern that is stored when it is given, and whether a call falls under it. Pure.
 *
 * 1. An empty pattern covers nothing. 2. A grant covers a call only of the same tool in the same definition, for the person
 * and the place it names, under the rule that offered it, while it stands and is not used up, and while whoever gave it could
 * still decide the call. 3. Where the rule names no arguments, all of them must be equal and there may be no other; where it
 * names some, `othersFree` is stored with them.
 */
import { canonical } from './digest.ts';
import type { EventOf, GrantTerms, Json } from './events.ts';
import type { Grant, GrantPattern } from './grant.ts';
import {
  threadLog,
  type CallId,
  type ChannelId,
  type Digest,
  type GrantId,
  type ThreadKey,
  type UserId,
} from './ids.ts';
import { isObject } from './json.ts';
import { at, type PendingGrant } from './thread.ts';

/** A call as far as grants look at it. */
export interface Granted {
  readonly tool: string;
  readonly toolDigest: Digest;
  /** The rule, as it stands, by which people would be asked about it. */
  readonly ruleDigest: Digest;
  readonly args: Json;
  readonly requester: UserId;
  /** Who may decide such a call now. */
  readonly deciders: readonly UserId[];
  readonly channel: ChannelId;
  readonly threadKey: ThreadKey;
  readonly nowMs: number;
  /** The call itself: a grant that it has used already still covers it. */
  readonly call?: CallId;
}

/** The arguments that a grant for the like of this call stores; null when nothing, or not all that the rule names, is there. */
export function grantPattern(args: Json, terms: Pick<GrantTerms, 'where'>): GrantPattern | null {
  if (!isObject(args)) return null;
  const names = terms.where.length > 0 ? terms.where : Object.keys(args);
  const pattern: Record<string, Json> = {};
  for (const name of names) {
    const value = at(args, name);
    if (value === undefined) return null;
    pattern[name] = value;
  }
  return names.length > 0 ? pattern : null;
}

/** How many calls a grant still covers. */
export const grantUsesLeft = (grant: Pick<Grant, 'uses' | 'used'>): number =>
  Math.max(0, grant.uses - grant.used.length);

/** True while a grant is neither revoked nor over nor used up. */
export const grantStands = (grant: Grant, nowMs: number): boolean =>
  grant.revoked === null && nowMs < grant.untilMs && grantUsesLeft(grant) > 0;

/** Whether the arguments are those of the pattern. */
function matches({ pattern, othersFree }: Pick<Grant, 'pattern' | 'othersFree'>, args: Json): boolean {
  const names = Object.keys(pattern);
  if (!isObject(args) || names.length === 0) return false;
  if (othersFree !== true && Object.keys(args).length !== names.length) return false;
  return names.every(name => {
    const value = at(args, name);
    return value !== undefined && canonical(value) === canonical(pattern[name]);
  });
}

function covers(grant: Grant, call: Granted): boolean {
  const usedByIt = call.call !== undefined && grant.used.includes(call.call);
  const stands = grant.revoked === null && call.nowMs < grant.untilMs && (usedByIt || grantUsesLeft(grant) > 0);
  const { channel, thread } = grant.where;
  return (
    stands &&
    grant.tool === call.tool &&
    grant.toolDigest === call.toolDigest &&
    (grant.ruleDigest === undefined || grant.ruleDigest === call.ruleDigest) &&
    grant.who === call.requester &&
    call.deciders.includes(grant.by) &&
    (channel === null || channel === call.channel) &&
    (thread === null || thread === threadLog(call.threadKey)) &&
    matches(grant, call.args)
  );
}

/** The grant that covers a call now: one that the call has used already, else the oldest; undefined when none does. */
export function coveringGrant(grants: Readonly<Record<string, Grant>>, call: Granted): Grant | undefined {
  const covering = Object.values(grants).filter(grant => covers(grant, call));
  const used = covering.find(grant => call.call !== undefined && grant.used.includes(call.call));
  return used ?? covering.toSorted((a, b) => a.givenAtMs - b.givenAtMs)[0];
}

/** Where a grant of this scope holds, for a call of this thread. */
export function grantPlace(scope: GrantTerms['scope'], key: ThreadKey): Grant['where'] {
  switch (scope) {
    case 'thread':
      return { channel: key.channel, thread: threadLog(key) };
    case 'channel':
      return { channel: key.channel, thread: null };
    case 'anywhere':
      return { channel: null, thread: null };
  }
}

/** What the workspace's log is told of a grant that a decision gave. */
export const grantGiven = (pending: PendingGrant): EventOf<'grant.given'> => ({
  type: 'grant.given',
  grant: pending.grant,
  by: pending.by,
  tool: pending.tool,
  toolDigest: pending.toolDigest as Digest,
  untilMs: pending.untilMs,
  uses: pending.uses,
  who: pending.who,
  where: pending.where,
  ...(pending.othersFree === true ? { othersFree: true } : {}),
  ...(pending.ruleDigest === undefined ? {} : { ruleDigest: pending.ruleDigest }),
  approval: pending.approval,
  body: { sentence: pending.sentence, pattern: pending.pattern, name: pending.name },
});

/** A grant as the workspace's log gives it; undefined when it does not say for whom and where. */
export function grantFrom(event: EventOf<'grant.given'>, givenAtMs: number): Grant | undefined {
  if (event.who === undefined || event.where === undefined) return undefined;
  return {
    grant: event.grant as GrantId,
    tool: event.tool,
    toolDigest: event.toolDigest,
    who: event.who,
    where: event.where,
    untilMs: event.untilMs,
    uses: event.uses,
    ...(event.othersFree === true ? { othersFree: true } : {}),
    ...(event.ruleDigest === undefined ? {} : { ruleDigest: event.ruleDigest }),
    by: event.by,
    name: event.body?.name ?? '',
    sentence: event.body?.sentence ?? '',
    pattern: isObject(event.body?.pattern) ? event.body.pattern : {},
    givenAtMs,
    used: [],
    revoked: null,
  };
}
