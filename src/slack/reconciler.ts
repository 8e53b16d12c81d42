/**
 * Owns the `Views` port: brings Slack in line with a thread or a workspace, and says whether a click came from a message of
 * ours.
 *
 * 1. Slack is a view: what should stand is rendered from the log each time, never from what Slack returns. 2. Passes over one
 * log follow each other, and an older state never overwrites a newer one. 3. Whatever Slack refuses is recorded, not thrown.
 */
import type { WorkspaceEvidence } from '../thread/evidence.ts';
import { copyKey, threadLog, workspaceLog, type TeamId, type ThreadKey, type WriterId } from '../thread/ids.ts';
import { recordPost } from '../thread/post.ts';
import { at, type Thread } from '../thread/thread.ts';
import type { Workspace } from '../thread/workspace.ts';
import type { CardSeen, Deciding, Place, Posted, Views } from '../worker/ports.ts';
import { needOf, recorded } from './desired.ts';
import { uploadByHttp, type Upload } from './files.ts';
import { Memories } from './memory.ts';
import type { Message } from './message.ts';
import type { PassParts } from './job.ts';
import { LATE_MS, Pass } from './pass.ts';
import { markOf, readMessage } from './ours.ts';
import type { Rendering } from './rendering.ts';
import { clearStrays } from './strays.ts';
import { Streams } from './streams.ts';
import { WorkingStatus } from './working.ts';

export interface ReconcilerOptions extends Omit<PassParts, 'copyNotice' | 'upload' | 'streams'> {
  /** How the bytes of a file are sent; by HTTP unless told otherwise. */
  readonly upload?: Upload;
  readonly team: TeamId;
  readonly writer: WriterId;
  readonly rendering: Rendering;
}

/** Clocks of several machines differ; a message may seem older than the run that caused it. */
const SKEW_MS = 60_000;
/** A run stands in the log since the model's first reply, and what grows of that may stand in Slack for this long before. */
const FIRST_REPLY_MS = 5 * 60_000;

/** Operators' messages wait for nobody, so that Slack's rates are waited for here, a few times. */
const ANNOUNCE_ROUNDS = 5;
const AGAIN_MS = 60_000;

const nothing = { posted: [], retryAtMs: null } as const;

export class Reconciler implements Views {
  readonly #options: ReconcilerOptions;
  readonly #parts: PassParts;
  readonly #memories: Memories;
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #working: WorkingStatus;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    const { rendering, upload = uploadByHttp } = options;
    const streams = new Streams({ ...options, growing: (...of) => rendering.growing(...of) });
    this.#parts = { ...options, streams, upload, copyNotice: rendering.copyNotice };
    this.#memories = new Memories(options.clock);
    this.#working = new WorkingStatus(options.api, options.clock);
  }

  room: Views['room'] = (call, evidence) => this.#options.rendering.room(call, evidence);

  behind(thread: Thread, workspace: WorkspaceEvidence): boolean {
    const messages = this.#render(thread, workspace);
    const nowMs = this.#parts.clock.nowMs();
    const log = threadLog(thread.key);
    const memory = this.#memories.memory(log);
    return (
      messages.some(message => needOf(message, thread.posts, nowMs).is !== 'none') ||
      thread.copies.length > 0 ||
      memory.unsure.size > 0 ||
      memory.leftStreams !== null ||
      this.#parts.streams.isOpen(log) ||
      this.#isLoose(thread)
    );
  }

  async reconcile(thread: Thread, workspace: WorkspaceEvidence, signal: AbortSignal) {
    const log = threadLog(thread.key);
    const overAtMs = this.#leaseEndsMs(thread);
    return this.#inTurn(log, async () => {
      if (!this.#memories.isNewest(log, thread.head.number)) return nothing;
      if (!thread.key.channel.startsWith('D')) await this.#parts.channels.sharing(thread.key.channel, 'update');
      const messages = this.#render(thread, workspace);
      this.#mistrust(thread, messages);
      const { channel: home } = thread.key;
      const job = { log, home, posts: thread.posts, sinceMs: sinceOf(thread), messages, signal, overAtMs };
      const pass = await new Pass(this.#parts, this.#memories.memory(log), job).run();
      const strays = await clearStrays(this.#parts, () => this.#memories.memory(log), thread, job, pass.posted);
      const result = { posted: pass.posted, retryAtMs: earliest(pass.retryAtMs, strays) };
      const here = ({ state, channel }: Posted): boolean => state === 'posted' && channel === thread.key.channel;
      if (result.posted.some(here)) this.#working.posted(thread);
      return result;
    });
  }

  async announce(workspace: Workspace, signal: AbortSignal): Promise<readonly Posted[]> {
    const log = workspaceLog(this.#options.team);
    const troubles = Object.values(workspace.troubles);
    return this.#inTurn(log, async () => {
      const all: Posted[] = [];
      if (!this.#memories.isNewest(log, workspace.head.number)) return all;
      const posts = { ...workspace.posts };
      for (let round = 0; round < ANNOUNCE_ROUNDS && !signal.aborted; round += 1) {
        const pass = new Pass(this.#parts, this.#memories.memory(log), {
          log,
          home: null,
          posts,
          sinceMs: Math.min(this.#parts.clock.nowMs(), ...troubles.map(trouble => trouble.openedAtMs)) - SKEW_MS,
          messages: this.#options.rendering.operators(workspace),
          overAtMs: Number.POSITIVE_INFINITY,
          signal,
        });
        const { posted, retryAtMs } = await pass.run();
        all.push(...posted);
        for (const one of posted) recordPost(posts, one);
        if (retryAtMs === null) break;
        await this.#parts.clock.sleep(Math.min(retryAtMs - this.#parts.clock.nowMs(), AGAIN_MS), signal);
      }
      return all;
    });
  }

  /** Nothing can be recorded in such a log, so that the message is looked for before it is posted. */
  async damaged(key: ThreadKey, signal: AbortSignal): Promise<void> {
    const log = threadLog(key);
    const content = this.#options.rendering.damaged;
    const place = { channel: key.channel, threadTs: key.ts };
    await this.#inTurn(log, async () => {
      const pass = new Pass(this.#parts, this.#memories.memory(log), {
        log,
        home: key.channel,
        posts: {},
        sinceMs: Number(key.ts) * 1_000 - SKEW_MS,
        messages: [{ key: 'damaged', rank: 'final', place, content, evidence: false }],
        overAtMs: Number.POSITIVE_INFINITY,
        signal,
      });
      await pass.run();
    });
  }

  async card(thread: Thread, of: Deciding, place: Place): Promise<CardSeen> {
    const keys = this.#options.rendering.cards(thread, of);
    const isAt = (key: string): boolean => {
      const post = at(thread.posts, key);
      return post?.channel === place.channel && post.ts === place.ts;
    };
    const isRecorded = (): boolean => keys.some(key => isAt(key) || isAt(copyKey(key, place.ts)));
    if (isRecorded()) return { is: 'ours', found: null };
    const read = await readMessage(this.#parts.api, place.channel, place.ts);
    const mark = 'message' in read ? markOf(read.message, this.#parts.self) : undefined;
    if (!mark) return { is: 'wrong', found: null };
    if (mark.environment !== this.#parts.environment) return { is: 'other_environment', found: null };
    if (mark.thread !== threadLog(thread.key) || !keys.includes(mark.key)) return { is: 'wrong', found: null };
    // Its record may have come while the message was read.
    if (isRecorded()) return { is: 'ours', found: null };
    const known = recorded(thread.posts)(mark.key) !== undefined;
    const found: Posted = {
      key: known ? copyKey(mark.key, place.ts) : mark.key,
      channel: place.channel,
      ts: place.ts,
      hash: '',
      state: 'found',
      atMs: this.#parts.clock.nowMs(),
      body: {},
    };
    return { is: 'ours', found };
  }

  /** When our lease may have lapsed, on the monotonic clock; a pass under an old lease gets a little time all the same. */
  #leaseEndsMs({ lease }: Thread): number {
    const { clock } = this.#parts;
    if (lease === null) return Number.POSITIVE_INFINITY;
    const leftMs = lease.lengthMs - (clock.nowMs() - lease.lastAtMs);
    return clock.monotonicMs() + (leftMs > 0 ? leftMs : lease.lengthMs / 10);
  }

  /** True while nobody has looked after what another process had on its way when it left or lost the thread. */
  #isLoose({ key, loose }: Thread): boolean {
    if (loose === null || loose.writer === this.#options.writer) return false;
    return this.#memories.memory(threadLog(key)).mistrustedAtMs !== loose.atMs;
  }

  /** Calls of another process may have landed, or still land: no message is sure to be as it was, each is looked after. */
  #mistrust(thread: Thread, messages: readonly Message[]): void {
    if (thread.loose === null || !this.#isLoose(thread)) return;
    const memory = this.#memories.memory(threadLog(thread.key));
    const { clock } = this.#parts;
    const leftMs = Math.min(LATE_MS, Math.max(0, thread.loose.atMs + LATE_MS - clock.nowMs()));
    const untilMs = clock.monotonicMs() + leftMs;
    for (const { key, reaction } of messages)
      if (!reaction) memory.unsure.set(key, Math.max(untilMs, memory.unsure.get(key) ?? untilMs));
    memory.noteLeftStreams({ untilMs, looked: false });
    memory.mistrusted(thread.loose.atMs);
  }

  working(thread: Thread): void {
    this.#working.show(thread, this.#options.rendering.status(thread));
  }

  /** The answer stands in the log before it is posted; that it can be read while it grows is a nicety. */
  writing: Views['writing'] = (...of) => this.#parts.streams.write(...of);

  #render(thread: Thread, workspace: WorkspaceEvidence): readonly Message[] {
    const messages = this.#options.rendering.thread(thread, workspace);
    const { lease } = thread;
    this.#memories.observe(
      threadLog(thread.key),
      messages.map(message => message.key),
      lease?.holder === this.#options.writer ? lease.lengthMs : null,
    );
    return messages;
  }

  async #inTurn<T>(log: string, job: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(log) ?? Promise.resolve();
    const mine = before.then(job, job);
    this.#turns.set(log, mine);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(log) === mine) this.#turns.delete(log);
    }
  }
}

const earliest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** The start of the oldest run whose messages may still be missing; the thread's own time before any. */
function sinceOf(thread: Thread): number {
  const started = thread.live.flatMap(id => at(thread.runs, id)?.startedAtMs ?? []);
  const threadMs = Number(thread.key.ts) * 1_000;
  return Math.min(...(started.length > 0 ? started : [threadMs])) - FIRST_REPLY_MS - SKEW_MS;
}
