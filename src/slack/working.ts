/**
 * Owns what Slack shows of the work in a thread beside its messages: the "is working" line, and the state of the session.
 * Cosmetic: nothing waits for it and nothing fails with it.
 *
 * 1. The calls of one thread follow each other, so that a line is never shown after it was cleared. 2. Slack forgets the line
 * after two minutes and at each post. 3. A state is told once; where Slack has no sessions, nothing more is told.
 */
import type { Clock } from '../worker/ports.ts';
import { threadLog } from '../thread/ids.ts';
import { activeRuns, at, currentRun, type Call, type Thread } from '../thread/thread.ts';
import type { SlackApi } from './api.ts';
import { keepLatest } from './latest.ts';

const FORGOTTEN_MS = 100_000;
const KEPT = 1_000;
/** Answers with which Slack says that this app or workspace has no sessions. */
const NO_SESSIONS = new Set(['unknown_method', 'missing_scope', 'not_enabled', 'feature_not_enabled', 'not_allowed']);

/** `suspended`: only people can bring it on. */
type Session = 'active' | 'processing' | 'suspended';

interface Shown {
  text: string;
  atMs: number;
  session: Session;
  turn: Promise<unknown>;
}

/** A call that may start in a thread that nobody brings on: everything is frozen. */
export const isHeld = (thread: Thread, { state }: Call): boolean =>
  thread.lease === null && (state.is === 'approved' || state.is === 'allowed');

/** The state of a thread's session: at work, waiting for people, or open for the next message. */
export function sessionOf(thread: Thread): Session {
  const run = currentRun(thread);
  if (!run) return 'active';
  const calls = activeRuns(thread).flatMap(each => each.calls.flatMap(id => at(thread.calls, id) ?? []));
  const held = calls.filter(call => isHeld(thread, call));
  const works = calls.some(call => ['claimed', 'approved', 'allowed'].includes(call.state.is) && !held.includes(call));
  const waits = calls.some(
    ({ state }) =>
      state.is === 'waiting' || state.is === 'in_doubt' || (state.is === 'suspended' && state.wait.on === 'question'),
  );
  return (waits || held.length > 0) && !works ? 'suspended' : 'processing';
}

export class WorkingStatus {
  readonly #api: SlackApi;
  readonly #clock: Clock;
  readonly #shown = new Map<string, Shown>();
  #hasSessions = true;

  constructor(api: SlackApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Shows `text` under the thread (the empty text clears it), and tells the state of its session. */
  show(thread: Thread, text: string): void {
    const name = threadLog(thread.key);
    const nowMs = this.#clock.monotonicMs();
    const before = this.#shown.get(name);
    const stands = before !== undefined && nowMs - before.atMs < FORGOTTEN_MS ? before.text : '';
    const session = sessionOf(thread);
    const isTold = (before?.session ?? 'active') === session;
    if (stands === text && isTold) return;
    const { channel: channel_id, ts: thread_ts } = thread.key;
    let turn = before?.turn ?? Promise.resolve();
    if (stands !== text)
      turn = turn.then(() => this.#api('assistant.threads.setStatus', { channel_id, thread_ts, status: text }));
    if (!isTold && this.#hasSessions) turn = turn.then(() => this.#tell({ channel_id, thread_ts, status: session }));
    keepLatest(this.#shown, name, { text, atMs: nowMs, session, turn }, KEPT);
  }

  /** A post in the thread has cleared the line. */
  posted(thread: Thread): void {
    const shown = this.#shown.get(threadLog(thread.key));
    if (shown) shown.text = '';
  }

  async #tell(state: { channel_id: string; thread_ts: string; status: Session }): Promise<void> {
    if (!this.#hasSessions) return;
    const answer = await this.#api('agents.sessions.setStatus', state);
    if (answer.is === 'refused' && NO_SESSIONS.has(answer.code)) this.#hasSessions = false;
  }
}
