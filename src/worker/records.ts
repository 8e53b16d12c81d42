/**
 * Owns finding the record of a request, by short id or by a message of ours, who may open it, and reading it whole.
 *
 * 1. A record is for who asked, who may decide or has decided, auditors and admins. 2. What is not there and what is not yours
 * are told apart only to members.
 */
import type { ActorEvidence } from '../thread/evidence.ts';
import { standing } from '../thread/decide/rights.ts';
import { threadLog, workspaceLog, type ChannelId, type MessageTs } from '../thread/ids.ts';
import { recordOf, recordOfThread, sourcesIn, type RecordDoc } from '../thread/record.ts';
import { at, type Thread } from '../thread/thread.ts';
import type { Acting } from './acting.ts';
import { decidersOf, openCall, scopesAbout } from './open-calls.ts';
import type { OpenCall, Person, RecordFound, RecordWanted } from './ports.ts';

/** Threads that are looked through for a card whose thread nobody knows. */
const MOST_THREADS = 100;
const MARKS = 50;
const START = { number: 0, hash: '' } as const;

type Place = Extract<RecordWanted, { place: unknown }>['place'];

export class Records {
  readonly #acting: Acting;

  constructor(acting: Acting) {
    this.#acting = acting;
  }

  /** The calls that the person may see of what was meant. Throws LogUnavailable and LogDamaged. */
  async open(person: Person, wanted: RecordWanted): Promise<RecordFound> {
    const actor = await this.#acting.actor(person, []);
    const rights = standing(actor);
    if (rights !== 'ok') return { refusal: { code: rights, actor: person.user }, calls: [] };
    const calls = 'short' in wanted ? await this.#byShort(wanted.short) : await this.#byPlace(person, wanted.place);
    if (calls.length === 0) return { refusal: { code: 'not_found', actor: person.user }, calls };
    const may = await Promise.all(calls.map(call => this.#may(call, person)));
    const seen = calls.filter((_, index) => may[index] === true);
    if (seen.length > 0) return { refusal: null, calls: seen };
    const code = may.includes('unknown') ? 'lookup_failed' : 'not_your_record';
    return { refusal: { code, actor: person.user }, calls: [] };
  }

  /** Everything that the log has on record of a call that `open` has let somebody see. Throws LogUnavailable and LogDamaged. */
  async whole({ thread, call }: OpenCall): Promise<RecordDoc> {
    const { log, team } = this.#acting.parts.ports;
    const [own, house] = await Promise.all([
      log.load(threadLog(thread.key), START),
      log.load(workspaceLog(team), START),
    ]);
    return recordOf(thread.key, own.commits, call.id, sourcesIn(house.commits)) ?? recordOfThread(thread, call);
  }

  /** `A-7F3K`, `a-7f3k` or `7F3K`; by chance it may be several. */
  async #byShort(text: string): Promise<readonly OpenCall[]> {
    const { log, team } = this.#acting.parts.ports;
    const short = text.trim().toUpperCase().replace(/^A-/, '');
    if (!/^[A-Z2-7]{4}$/.test(short)) return [];
    const places = new Map((await log.marksOf(team, short)).map(mark => [mark.approval, mark.key]));
    const found: OpenCall[] = [];
    for (const [id, key] of places) {
      const thread = await this.#acting.threadOf(key);
      const approval = thread && at(thread.approvals, id);
      if (approval) found.push(...callsIn(thread, [approval.call]));
    }
    return found;
  }

  /** A message in a thread of ours: the request whose card it is, else all calls of the thread. A card elsewhere: its request. */
  async #byPlace(person: Person, place: Place): Promise<readonly OpenCall[]> {
    const { team } = this.#acting.parts.ports;
    const root = place.threadTs ?? place.ts;
    const { thread } = await this.#acting.fresh({ team, channel: place.channel, ts: root });
    if (thread.head.number > 0) {
      const card = cardAt(thread, place.channel, place.ts) ?? cardAt(thread, place.channel, root);
      return card ?? callsIn(thread, Object.keys(thread.calls));
    }
    for (const other of await this.#candidates(person)) {
      const card = cardAt(other, place.channel, place.ts) ?? cardAt(other, place.channel, root);
      if (card) return card;
    }
    return [];
  }

  /** Threads in which a card may stand: what is open anywhere, and what concerned the person lately. */
  async #candidates(person: Person): Promise<readonly Thread[]> {
    const { open, ports } = this.#acting.parts;
    const { threads } = await open.threads(MOST_THREADS);
    const marks = await ports.log.lately(ports.team, person.user, MARKS);
    const known = new Set(threads.map(thread => thread.key));
    const more: Thread[] = [];
    for (const key of new Set(marks.map(mark => mark.key))) {
      const thread = await this.#acting.threadOf(key);
      if (thread && !known.has(thread.key)) more.push(thread);
    }
    return [...threads, ...more];
  }

  async #may(each: OpenCall, person: Person): Promise<boolean | 'unknown'> {
    if (each.run.requesters.includes(person.user) || decidersOf(each).includes(person.user)) return true;
    const { policy } = this.#acting.parts.ports;
    const scopes = scopesAbout(each, policy.defaults.scopes);
    // Looked up apart: a word of `people:` may have meant others when the request was made.
    return either(
      named(
        await this.#acting.actor(person, scopes),
        scopes.map(scope => scope.name),
      ),
      named(
        await this.#acting.actor(person, policy.auditors),
        policy.auditors.map(scope => scope.name),
      ),
    );
  }
}

/** In one of these scopes, or an admin. */
function named(actor: ActorEvidence, names: readonly string[]): boolean | 'unknown' {
  if (actor.admin === true || names.some(name => actor.scopes.includes(name))) return true;
  return actor.admin === 'unknown' || names.some(name => actor.unknownScopes.includes(name)) ? 'unknown' : false;
}

const either = (...all: readonly (boolean | 'unknown')[]): boolean | 'unknown' =>
  all.includes(true) ? true : all.includes('unknown') ? 'unknown' : false;

const callsIn = (thread: Thread, ids: readonly string[]): readonly OpenCall[] =>
  ids.flatMap(id => {
    const call = at(thread.calls, id);
    return (call && openCall(thread, call)) ?? [];
  });

/** The call whose request stands on this message; undefined when it is no card of this thread. */
function cardAt(thread: Thread, channel: ChannelId, ts: MessageTs): readonly OpenCall[] | undefined {
  const post = Object.entries(thread.posts).find(([, each]) => each.channel === channel && each.ts === ts);
  const approval = post && Object.values(thread.approvals).find(each => post[0].includes(each.id));
  return approval && callsIn(thread, [approval.call]);
}
