/**
 * Owns the loop that brings one thread on until it waits for people, rests, or belongs to somebody else.
 *
 * 1. Effects run side by side, commits one after the other. 2. Effects and posts only under the lease; a lease is as long as
 * the longest effect. 3. A decision's card loses its buttons before the decided call starts. 4. Whatever must wait (Slack's
 * rates, a model that is away, a look-up that failed) leaves the lease; a timer of this process or the wake index returns.
 */
import { next, type Effect } from '../thread/next.ts';
import type { WriterId } from '../thread/ids.ts';
import { at, type Thread } from '../thread/thread.ts';
import type { Cooling } from './cooling.ts';
import { perform, type Performer } from './effects.ts';
import { Flights } from './flights.ts';
import type { Leases, LeaseView } from './leases.ts';
import type { Marks } from './marks.ts';
import { NEVER } from './never.ts';
import { countPeople } from './people.ts';
import { Posts } from './posts.ts';
import type { Session } from './session.ts';
import { tellOperators } from './tell-operators.ts';

export interface Driver extends Performer {
  readonly leases: Leases;
  readonly cooling: Cooling;
  readonly marks: Marks;
  /** Aborted when the process is to stop: model calls end at once, tools get time. */
  readonly stopping: AbortSignal;
  /** Aborted when that time is over. */
  readonly drained: AbortSignal;
}

/** One drive. */
interface Drive {
  readonly driver: Driver;
  readonly session: Session;
  readonly posts: Posts;
  readonly flights: Flights;
}

/** What this process itself read or wrote so recently is new enough to begin with; each commit checks it. */
const YOUNG_MS = 1_000;

/** Brings the thread on. Resolves with the delay after which to look again, or null when an event will tell. */
export async function drive(driver: Driver, session: Session): Promise<number | null> {
  const { gate, leases, marks } = driver;
  const posts = new Posts(gate.ports, gate.workspace, session);
  const flights = new Flights();
  const silence = session.onChange(() => flights.changed(session.thread));
  try {
    await session.refresh(YOUNG_MS);
    await lookAtFreeze(gate);
    let goesOn = true;
    while (goesOn) goesOn = await look({ driver, session, posts, flights });
  } finally {
    silence();
    await flights.land();
  }
  // Before the thread rests: a run that has ended leaves the live ones then, and with it what is over.
  tellOperators(driver, session.thread);
  marks.keep(session.thread);
  await posts.rest();
  gate.ports.views.working(session.thread);
  if (leases.of(session.log, session.thread) === 'others') return null;
  return lookAgainIn(driver, session, posts);
}

/** One look at the thread: the first of what is due is done, or everything waited for; false when nothing is left to do. */
async function look(drive: Drive): Promise<boolean> {
  const { driver, session, posts, flights } = drive;
  const { gate, leases, settings } = driver;
  flights.check();
  const lease = leases.of(session.log, session.thread);
  const todo = wanted(driver, session, lease, flights);
  const over = todo.filter(needsNoLease);
  for (const effect of over) await performNow(driver, session, effect, NEVER);
  if (over.length > 0) return true;
  if (lease === 'others') return false;
  const rests = session.thread.rests || lease === 'mine' || gate.isStopping();
  if (todo.length === 0 && flights.isEmpty && !posts.due && rests) return false;
  const isOld =
    todo.length > 0 ? !freshLease(session.thread, driver) : posts.due && mayHaveLapsed(session.thread, driver);
  if (lease === 'free' || isOld) {
    await session.commit(() => leases.take(session.log, session.thread, settings.leaseMs));
    return true;
  }
  gate.ports.views.working(session.thread);
  if (posts.due) {
    await posts.post();
    return true;
  }
  for (const effect of todo)
    flights.launch(effect, effect.do === 'claim' ? driver.drained : driver.stopping, async signal => {
      await performNow(driver, session, effect, signal);
      posts.again();
    });
  await watch(drive);
  return true;
}

/** What time alone has ended. */
const needsNoLease = (effect: Effect): boolean => effect.do === 'expire' || effect.do === 'close_question';

/** What the freeze that we know of has become: nobody signals a thread when it is lifted. */
async function lookAtFreeze({ workspace }: Driver['gate']): Promise<void> {
  if (workspace.known.frozen !== null) await workspace.recent();
}

/** What `next` wants of this process. */
function wantedAtAll({ gate }: Driver, session: Session, lease: LeaseView): readonly Effect[] {
  const { ports, executing, isStopping, workspace } = gate;
  const { effects } = next(session.thread, {
    nowMs: ports.clock.nowMs(),
    me: ports.writer,
    lease,
    frozen: workspace.known.frozen !== null,
    limits: ports.policy.limits,
    policy: ports.policy.loaded.digest,
    definition: tool => ports.tools.facts(tool)?.digest ?? null,
    checks: tool => ports.tools.facts(tool)?.checks === true,
    executing,
  });
  // At a stop nothing begins any more; what this process claimed and did not start is given back.
  return isStopping() ? effects.filter(effect => isOwnClaim(session.thread, effect, ports.writer)) : effects;
}

function isOwnClaim(thread: Thread, effect: Effect, writer: WriterId): boolean {
  const state = effect.do === 'recover' ? at(thread.calls, effect.call)?.state : undefined;
  return state?.is === 'claimed' && state.claim.holder === writer;
}

/** What of it is neither in flight nor cooling. */
function wanted(driver: Driver, session: Session, lease: LeaseView, flights: Flights): readonly Effect[] {
  const claiming = flights.calls;
  return wantedAtAll(driver, session, lease).filter(
    effect =>
      !flights.has(effect.key) &&
      !(effect.do === 'recover' && claiming.has(effect.call)) &&
      driver.cooling.allows(session.log, effect.key),
  );
}

/** Performs an effect; one that came to nothing, or failed, is tried again later. */
async function performNow(driver: Driver, session: Session, effect: Effect, signal: AbortSignal): Promise<void> {
  let done = false;
  try {
    done = await perform(driver, session, effect, signal);
    // Whoever calls people about a request also says when there are not enough of them any more.
    if ('approval' in effect && effect.do !== 'expire') await countPeople(driver.gate.ports, session, effect.approval);
  } finally {
    driver.cooling.note(session.log, effect.key, done);
  }
}

/** Renewed when an effect starts and the holder's last commit is older than a tenth of the lease. */
function freshLease(thread: Thread, driver: Driver): boolean {
  const age = driver.gate.ports.clock.nowMs() - (thread.lease?.lastAtMs ?? 0);
  return age < driver.settings.leaseMs / 10;
}

/** True for a holder that has written nothing for the whole length of its lease: the thread may be somebody else's by now. */
const mayHaveLapsed = ({ lease }: Thread, { gate }: Driver): boolean =>
  lease !== null && gate.ports.clock.nowMs() - lease.lastAtMs >= lease.lengthMs;

/**
 * Waits for a change; while effects run the tail is read every `tailMs`, so that a cancel or freeze elsewhere is seen. What
 * rides with the next commit (results of reads, posts) is written then: a tool may take long.
 */
async function watch({ driver, session, flights }: Drive): Promise<void> {
  if (flights.isEmpty) return;
  const timer = new AbortController();
  const slept = driver.gate.ports.clock.sleep(driver.settings.tailMs, timer.signal).then(() => 'tail' as const);
  const why = await Promise.race([slept, flights.change().then(() => 'change' as const)]);
  timer.abort();
  if (why === 'change') return;
  if (flights.isExecuting) await putOnRecord(driver, session);
  await session.refresh();
  const { frozen } = await driver.gate.workspace.recent();
  if (frozen !== null && frozen !== 'unknown') flights.abortExecutions();
}

/** How far what runs is, as far as it has said so, and what is deferred; one commit, and none where there is neither. */
async function putOnRecord({ gate }: Driver, session: Session): Promise<void> {
  for (const sign of gate.signs.due(session.thread, gate.ports.clock.nowMs()))
    await session.commit({ type: 'sign', ...sign }, { defer: true });
  await session.flush();
}

function lookAgainIn(driver: Driver, session: Session, posts: Posts): number | null {
  const lease = driver.leases.of(session.log, session.thread);
  const still = new Set(wantedAtAll(driver, session, lease).map(effect => effect.key));
  const delays = driver.cooling.delaysOf(session.log, still);
  if (posts.retryInMs !== null) delays.push(posts.retryInMs);
  // Somebody else's commit may have come between the last look and the release: then there is work that nobody does.
  if (lease !== 'others' && wanted(driver, session, lease, new Flights()).length > 0) delays.push(0);
  return delays.length > 0 ? Math.max(50, Math.min(...delays)) : null;
}
