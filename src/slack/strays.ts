/**
 * Owns the taking away of streams that no answer took: of a turn that turned out to have calls, of a run that ended without
 * an answer, of an answer that had to be posted, and of a process that is gone.
 *
 * 1. A stream of another process is looked for when a thread is taken over, and once more when nothing of that process can
 * land any more. 2. What this process is writing now is none. 3. A message that cannot be deleted says that it is a copy.
 */
import { recordPost } from '../thread/post.ts';
import type { Thread } from '../thread/thread.ts';
import type { Place, Posted } from '../worker/ports.ts';
import type { Posts } from './desired.ts';
import { LOOK_AGAIN_MS, type Job, type Memory, type PassParts } from './job.ts';
import { LATE_MS } from './pass.ts';
import { findOurs } from './ours.ts';
import { endStream, remove, STILL_STREAMS, STRAY, update } from './posting.ts';

type Of = Pick<Job, 'log' | 'messages' | 'sinceMs' | 'signal'>;

/** Takes away what can be now, after a pass that posted `posted`; the time at which to come back, null when nothing is left. */
export async function clearStrays(
  parts: PassParts,
  memory: () => Memory,
  thread: Thread,
  job: Of,
  posted: readonly Posted[],
): Promise<number | null> {
  const { streams, clock } = parts;
  const posts: Posts = { ...thread.posts };
  for (const one of posted) recordPost(posts, one);
  const againMs: number[] = [];
  const wanted = new Set(job.messages.map(message => message.key));
  for (const stray of streams.strays({ ...thread, posts }, wanted)) againMs.push(...(await clear(parts, stray, job)));
  if (streams.tookLost(job.log)) memory().noteLeftStreams({ untilMs: clock.monotonicMs() + LATE_MS, looked: false });
  if (memory().leftStreams) againMs.push(...(await clearLeft(parts, memory(), { ...thread, posts }, job)));
  // A stream that is just being opened may turn out to be one that nobody takes.
  if (streams.isStarting(job.log)) againMs.push(clock.nowMs() + LOOK_AGAIN_MS);
  return againMs.length > 0 ? Math.min(...againMs) : null;
}

/** Looks for streams of which this process does not know. */
async function clearLeft(parts: PassParts, memory: Memory, thread: Thread, job: Of): Promise<number[]> {
  const { api, clock, self, streams } = parts;
  const left = memory.leftStreams;
  if (!left) return [];
  const waitMs = left.untilMs - clock.monotonicMs();
  const over = waitMs <= 0;
  if (left.looked && !over) return [clock.nowMs() + waitMs];
  const again = [clock.nowMs() + LOOK_AGAIN_MS];
  if (job.signal.aborted || streams.isStarting(job.log)) return again;
  const { channel, ts: threadTs } = thread.key;
  const found = await findOurs(api, { channel, threadTs }, job.sinceMs, self);
  if ('is' in found && found.is !== 'refused')
    return found.is === 'throttled' ? [clock.nowMs() + found.retryAfterMs] : again;
  // What was opened while the look was on its way is among what was found, and nobody may know where it stands.
  if (streams.isStarting(job.log)) return again;
  const known = new Set([...streams.standing(job.log), ...Object.values(thread.posts)].map(({ ts }) => ts));
  for (const ts of 'streams' in found ? found.streams : []) {
    const cleared = known.has(ts) ? [] : await clear(parts, { channel, ts }, job);
    if (cleared.length > 0) return cleared;
  }
  memory.noteLeftStreams(over ? null : { ...left, looked: true });
  return over ? [] : [clock.nowMs() + waitMs];
}

/** Ends and deletes a message; the time at which to come back, if it could not be done now. */
async function clear(parts: PassParts, place: Place, { log, signal }: Of): Promise<number[]> {
  const { api, clock, queue, streams, environment, copyNotice } = parts;
  const again = [clock.nowMs() + LOOK_AGAIN_MS];
  if (signal.aborted) return again;
  const turn = await queue.turn(place.channel, 'progress', signal);
  if (turn !== 'go') return [turn.retryAtMs];
  const mark = { key: STRAY, environment, thread: log };
  const ended = await endStream(api, place, mark);
  if (ended.is === 'throttled') return [clock.nowMs() + ended.retryAfterMs];
  const deleted = await remove(api, place);
  const gone = deleted.is === 'refused' ? await update(api, place, copyNotice, mark) : deleted;
  if (gone.is === 'throttled') return [clock.nowMs() + gone.retryAfterMs];
  if (gone.is === 'unknown' || (gone.is === 'refused' && gone.code === STILL_STREAMS)) return again;
  streams.settled(log, place);
  return [];
}
