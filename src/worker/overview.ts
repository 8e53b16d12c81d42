/**
 * Owns the answer to "what waits, and what has happened?" for one person, for Home and `/countersign`.
 *
 * 1. Who may decide is looked up now, as at a click. 2. What could not be read or looked up is said: `complete` is false.
 */
import { mayAnswer } from '../thread/decide/rights.ts';
import { grantStands } from '../thread/grants.ts';
import type { Grant } from '../thread/grant.ts';
import type { Digest, UserId } from '../thread/ids.ts';
import { at, isSettled, openQuestions, requestOf, type Question, type Thread } from '../thread/thread.ts';
import type { Acting } from './acting.ts';
import { mayFreeze, mayUnfreeze } from './brake.ts';
import { inLanes } from './lanes.ts';
import { liveOf, scopesAbout, waitsFor } from './open-calls.ts';
import {
  LogDamaged,
  LogUnavailable,
  type Mark,
  type OpenCall,
  type OpenQuestion,
  type Overview,
  type Person,
} from './ports.ts';

/** Threads that one overview reads. */
const MOST_THREADS = 100;
/** Marks that are looked at for what happened lately, and requests that are listed. */
const MARKS = 30;
const LATELY = 10;
const AT_ONCE = 8;

/** What one thread holds for the person. */
interface Found {
  readonly waitingForYou: readonly OpenCall[];
  readonly questionsForYou: readonly OpenQuestion[];
  readonly youAsked: readonly OpenCall[];
  readonly complete: boolean;
}

/**
 * True for a call that waits from inside and was put to nobody itself: what it waits for is listed instead, be it a question
 * to this person, a request of its own, or what another agent asks for.
 */
function isListedElsewhere({ thread, call }: OpenCall, { user }: Person): boolean {
  if (call.state.is !== 'suspended' || call.approval !== null) return false;
  const { wait } = call.state;
  return wait.on !== 'question' || (at(thread.questions, wait.id)?.to.includes(user) ?? false);
}

export class Overviews {
  readonly #acting: Acting;

  constructor(acting: Acting) {
    this.#acting = acting;
  }

  /** Everything open that concerns the person, the most urgent thread first, and their latest ten, newest first. */
  async of(person: Person): Promise<Overview> {
    const { ports, open, workspace: log } = this.#acting.parts;
    const [{ threads, complete }, lately, workspace, actor] = await Promise.all([
      open.threads(MOST_THREADS),
      this.#lately(person),
      log.recent(),
      this.#acting.actor(person, ports.policy.freeze ?? []),
    ]);
    const grants = this.#grants(Object.values(workspace.grants ?? {}), person, actor.admin === true);
    const found = await inLanes(threads, AT_ONCE, thread => this.#in(thread, person));
    return {
      waitingForYou: found.flatMap(each => each.waitingForYou),
      questionsForYou: found.flatMap(each => each.questionsForYou),
      youAsked: found.flatMap(each => each.youAsked),
      grants,
      idle: grants.filter(grant => !this.#applies(grant)).map(({ grant }) => grant),
      lately: lately.calls,
      workspace,
      mayFreeze: mayFreeze(ports.policy, actor) === 'ok',
      mayUnfreeze: mayUnfreeze(actor) === 'ok',
      complete: complete && lately.complete && workspace.grants !== undefined && found.every(each => each.complete),
    };
  }

  /** Permissions that stand: those that the person gave or has, all of them for admins. */
  #grants(grants: readonly Grant[], { user }: Person, admin: boolean): readonly Grant[] {
    const nowMs = this.#acting.parts.ports.clock.nowMs();
    return grants.filter(grant => grantStands(grant, nowMs) && (admin || grant.by === user || grant.who === user));
  }

  /** Whether rule and tool are as they were when the permission was given; under any other it covers no call. */
  #applies({ tool, toolDigest, ruleDigest }: Grant): boolean {
    const { policy, tools } = this.#acting.parts.ports;
    const rule = ruleDigest as Digest | undefined;
    return tools.facts(tool)?.digest === toolDigest && (rule === undefined || policy.stands?.(rule) !== false);
  }

  async #in(thread: Thread, person: Person): Promise<Found> {
    const calls = liveOf(thread).filter(({ call }) => !isSettled(call));
    const waits = await Promise.all(calls.map(each => this.#waitsFor(each, person)));
    const questions = openQuestions(thread);
    const asked = await Promise.all(
      questions.map(each => this.#isAsked(each, at(thread.runs, each.run)?.requesters ?? [], person)),
    );
    return {
      waitingForYou: calls.filter((_, index) => waits[index] === true),
      questionsForYou: questions.flatMap((question, index) => (asked[index] === true ? [{ thread, question }] : [])),
      youAsked: calls.filter(each => each.run.requesters.includes(person.user) && !isListedElsewhere(each, person)),
      complete: ![...waits, ...asked].includes('unknown'),
    };
  }

  async #waitsFor(each: OpenCall, person: Person): Promise<boolean | 'unknown'> {
    const { is } = each.call.state;
    if (is !== 'waiting' && is !== 'in_doubt') return false;
    const { policy, clock } = this.#acting.parts.ports;
    const defaults = policy.defaults.scopes;
    const actor = await this.#acting.actor(person, scopesAbout(each, defaults));
    return waitsFor(each, actor, defaults, clock.nowMs());
  }

  async #isAsked(question: Question, requesters: readonly UserId[], person: Person): Promise<boolean | 'unknown'> {
    const actor = await this.#acting.actor(person, question.scopes);
    const rights = mayAnswer(actor, question, requesters);
    return rights === 'lookup_failed' ? 'unknown' : rights === 'ok';
  }

  /** What has come to an end lately. */
  async #lately(person: Person): Promise<{ readonly calls: readonly OpenCall[]; readonly complete: boolean }> {
    const { log, team } = this.#acting.parts.ports;
    try {
      const marks = (await log.lately(team, person.user, MARKS)).filter(mark => mark.when === 'over').slice(0, LATELY);
      const found = await inLanes(marks, AT_ONCE, mark => this.#marked(mark));
      return { calls: found.flatMap(each => each ?? []), complete: !found.includes(null) };
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      return { calls: [], complete: false };
    }
  }

  /** The call that a mark is about; null when its thread cannot be read, undefined when it is not there. */
  async #marked({ key, approval: id }: Mark): Promise<OpenCall | null | undefined> {
    try {
      const thread = await this.#acting.threadOf(key);
      const found = thread && requestOf(thread, id);
      return found && isSettled(found.call) ? { thread, run: found.run, call: found.call } : undefined;
    } catch (error) {
      if (error instanceof LogUnavailable || error instanceof LogDamaged) return null;
      throw error;
    }
  }
}
