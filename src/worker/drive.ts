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
import { perform, type Performer } from './effects.ts';
import type { Leases, LeaseView } from './leases.ts';
import { Posts } from './posts.ts';
import type { Session } from './session.ts';
import { tellOperators } from './tell-operators.ts';

export interface Driver extends Performer {
  readonly leases: Leases;
  /** Aborted when the process is to stop: model calls end at once, tools get time. */
  readonly stopping: AbortSignal;
  /** Aborted when that time is over. */
  readonly drained: AbortSignal;
  /** Effects that must not be tried again before a time (monotonic ms), over all drives of this process. */
  readonly cooling: Map<string, { readonly untilMs: number; readonly times: number }>;
}

interface Flight {
  readonly effect: Effect;
  readonly abort: AbortController;
  readonly landed: Promise<void>;
}

interface Loop {
  readonly flights: Map<string, Flight>;
  readonly bell: Bell;
  readonly fail: (error: Error) => void;
}

/** What this process itself read or wrote so recently is new enough to begin with; each commit checks it. */
const YOUNG_MS = 1_000;

/** Brings the thread on. Resolves with the delay after which to look again, or null when an event will tell. */
export async function drive(driver: Driver, session: Session): Promise<number | null> {
  const { gate, leases } = driver;
  const { ports } = gate;
  const flights = new Map<string, Flight>();
  const posts = new Posts(ports, gate.workspace, session);
  const bell = new Bell();
  const silence = session.onChange(() => {
    abortEnded(session.thread, flights);
    bell.ring();
  });
  let failure: Error | undefined;
  const fail = (error: Error): void => void (failure = error);
  try {
    await session.refresh(YOUNG_MS);
    await lookAtFreeze(driver.gate);
    for (;;) {
      if (failure !== undefined) throw failure;
      const lease = leases.of(session.log, session.thread);
      const todo = wanted(driver, session, lease, flights);
      const expired = todo.filter(each => each.do === 'expire');
      for (const effect of expired)
        cool(driver, session, effect, await perform(driver, session, effect, new AbortController().signal));
      if (expired.length > 0) continue;
      if (lease === 'others') break;
      const rests = session.thread.rests || lease === 'mine' || driver.gate.isStopping();
      if (todo.length === 0 && flights.size === 0 && !posts.due && rests) break;
      if (lease === 'free' || (todo.length > 0 && !freshLease(session.thread, driver))) {
        await session.commit(() => leases.take(session.log, session.thread, driver.settings.leaseMs));
        continue;
      }
      ports.views.working(session.thread);
      if (posts.due) {
        await posts.post();
        continue;
      }
      for (const effect of todo) {
        const flight = launch(driver, session, effect, { flights, bell, fail });
        flights.set(effect.key, flight);
      }
      await watch(driver, session, flights, bell);
    }
  } finally {
    silence();
    for (const { effect, abort } of flights.values()) if (effect.do !== 'claim') abort.abort();
    await Promise.all([...flights.values()].map(flight => flight.landed));
  }
  // Before the thread rests: a run that has ended leaves the live ones then, and with it what is over.
  tellOperators(driver, session.thread);
  await posts.rest();
  ports.views.working(session.thread);
  if (leases.of(session.log, session.thread) === 'others') return null;
  return lookAgainIn(driver, session, posts);
}

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
function wanted(
  driver: Driver,
  session: Session,
  lease: LeaseView,
  flights: ReadonlyMap<string, Flight>,
): readonly Effect[] {
  const effects = wantedAtAll(driver, session, lease);
  const nowMs = driver.gate.ports.clock.monotonicMs();
  const claiming = new Set([...flights.values()].flatMap(({ effect }) => (effect.do === 'claim' ? [effect.call] : [])));
  return effects.filter(
    effect =>
      !flights.has(effect.key) &&
      !(effect.do === 'recover' && claiming.has(effect.call)) &&
      (driver.cooling.get(coolingKey(session, effect))?.untilMs ?? 0) <= nowMs,
  );
}

const coolingKey = (session: Session, effect: Effect): string => `${session.log} ${effect.key}`;

/** Renewed when an effect starts and the holder's last commit is older than a tenth of the lease. */
function freshLease(thread: Thread, driver: Driver): boolean {
  const age = driver.gate.ports.clock.nowMs() - (thread.lease?.lastAtMs ?? 0);
  return age < driver.settings.leaseMs / 10;
}

/** Starts an effect; when it has landed it leaves `flights`. A failure is kept for the loop to throw. */
function launch(driver: Driver, session: Session, effect: Effect, loop: Loop): Flight {
  const abort = new AbortController();
  const end = effect.do === 'claim' ? driver.drained : driver.stopping;
  const landed = perform(driver, session, effect, AbortSignal.any([abort.signal, end]))
    .then(
      done => cool(driver, session, effect, done),
      (error: unknown) => {
        cool(driver, session, effect, false);
        loop.fail(error instanceof Error ? error : new Error(String(error)));
      },
    )
    .finally(() => {
      loop.flights.delete(effect.key);
      loop.bell.ring();
    });
  return { effect, abort, landed };
}

/** An effect that came to nothing is tried again after 2, 4, 8 … 60 s. */
function cool(driver: Driver, session: Session, effect: Effect, done: boolean): void {
  const key = coolingKey(session, effect);
  if (done) {
    driver.cooling.delete(key);
    return;
  }
  const times = (driver.cooling.get(key)?.times ?? 0) + 1;
  driver.cooling.set(key, {
    untilMs: driver.gate.ports.clock.monotonicMs() + Math.min(60_000, 1_000 * 2 ** times),
    times,
  });
}

/**
 * Waits for a change; while effects run the tail is read every `tailMs`, so that a cancel or freeze elsewhere is seen. What
 * rides with the next commit (results of reads, posts) is written then: a tool may take long.
 */
async function watch(
  driver: Driver,
  session: Session,
  flights: ReadonlyMap<string, Flight>,
  bell: Bell,
): Promise<void> {
  if (flights.size === 0) return;
  const timer = new AbortController();
  const slept = driver.gate.ports.clock.sleep(driver.settings.tailMs, timer.signal).then(() => 'tail' as const);
  const why = await Promise.race([slept, bell.wait().then(() => 'change' as const)]);
  timer.abort();
  if (why === 'change') return;
  if ([...flights.values()].some(flight => flight.effect.do === 'claim')) await session.flush();
  await session.refresh();
  const { frozen } = await driver.gate.workspace.recent();
  for (const flight of flights.values())
    if (frozen !== null && frozen !== 'unknown' && flight.effect.do === 'claim') flight.abort.abort();
}

/** A cancelled run's model call and tools are aborted. */
function abortEnded(thread: Thread, flights: ReadonlyMap<string, Flight>): void {
  for (const { effect, abort } of flights.values()) {
    const run = 'run' in effect ? effect.run : 'call' in effect ? at(thread.calls, effect.call)?.run : undefined;
    if (run !== undefined && at(thread.runs, run)?.end) abort.abort();
  }
}

function lookAgainIn(driver: Driver, session: Session, posts: Posts): number | null {
  const nowMs = driver.gate.ports.clock.monotonicMs();
  const lease = driver.leases.of(session.log, session.thread);
  const delays = coolingOf(driver, session, lease).map(untilMs => untilMs - nowMs);
  if (posts.retryInMs !== null) delays.push(posts.retryInMs);
  // Somebody else's commit may have come between the last look and the release: then there is work that nobody does.
  if (lease !== 'others' && wanted(driver, session, lease, new Map()).length > 0) delays.push(0);
  return delays.length > 0 ? Math.max(50, Math.min(...delays)) : null;
}

/** Until when each effect that is still wanted cools (monotonic ms); what is not wanted any more is forgotten. */
function coolingOf(driver: Driver, session: Session, lease: LeaseView): number[] {
  const still = new Set(wantedAtAll(driver, session, lease).map(effect => coolingKey(session, effect)));
  const prefix = `${session.log} `;
  const own = [...driver.cooling].filter(([key]) => key.startsWith(prefix));
  for (const [key] of own) if (!still.has(key)) driver.cooling.delete(key);
  return own.flatMap(([key, { untilMs }]) => (still.has(key) ? [untilMs] : []));
}

/** Wakes whoever waits; a ring that comes before is kept. */
class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async wait(): Promise<void> {
    if (!this.#rung) await new Promise<void>(resolve => (this.#wake = resolve));
    this.#rung = false;
    this.#wake = undefined;
  }
}
