/** Owns the forms of a pass: what it works with, what a process remembers between passes, and what one pass is about. */
import type { ChannelId } from '../thread/ids.ts';
import type { Clock } from '../worker/ports.ts';
import type { SlackApi } from './api.ts';
import type { Channels } from './channels.ts';
import type { Posts } from './desired.ts';
import type { Upload } from './files.ts';
import type { Links } from './links.ts';
import type { Content, Message } from './message.ts';
import type { Self } from './ours.ts';
import type { Target } from './posting.ts';
import type { PacedQueue } from './queue.ts';
import type { Streams } from './streams.ts';

export interface PassParts {
  readonly api: SlackApi;
  readonly queue: PacedQueue;
  readonly links: Links;
  readonly channels: Channels;
  readonly streams: Streams;
  readonly upload: Upload;
  readonly clock: Clock;
  readonly self: Self;
  readonly environment: string;
  /** What an extra copy of a message is turned into. */
  readonly copyNotice: Content;
}

/** What a process remembers of a log between passes. */
export interface Memory {
  /**
   * Keys of which a call had an unknown outcome, and until when (monotonic ms) it may still land. After that the message is
   * written once more and copies of it are looked for.
   */
  readonly unsure: Map<string, number>;
  /** Where each of them would stand, also once it is not wanted any more. */
  readonly places: Map<string, Target>;
  /** Of which time it is known that another process had calls on their way, and is seen to (epoch ms). */
  readonly mistrustedAtMs: number | null;
  mistrusted(atMs: number): void;
  /**
   * Streams that another process, or a call of unknown outcome, may have left: until when (monotonic ms) they may still come
   * to stand, and whether they were looked for before that. Null when there can be none.
   */
  readonly leftStreams: { readonly untilMs: number; readonly looked: boolean } | null;
  noteLeftStreams(left: Memory['leftStreams']): void;
  /** When a refused message was last tried, on the monotonic clock. */
  readonly triedMs: Map<string, number>;
  /** True when nobody can have posted this key yet. */
  isNew(key: string): boolean;
  /** From now on somebody can have: this process itself, whose record may not reach the log. */
  attempted(key: string): void;
}

export interface Job {
  /** The log's partition key, as it stands in metadata. */
  readonly log: string;
  /** The channel that needs no check, since the conversation itself is there. */
  readonly home: ChannelId | null;
  readonly posts: Posts;
  /** No message of interest is older than this. */
  readonly sinceMs: number;
  readonly messages: readonly Message[];
  /** When our lease may have lapsed (monotonic ms): a process that was held up for so long writes nothing more. */
  readonly overAtMs: number;
  readonly signal: AbortSignal;
}

/** How long a refused message waits for its next try, and one of unknown outcome. */
export const AGAIN_MS = 60_000;
export const LOOK_AGAIN_MS = 3_000;

/** What a step of a pass came to: nothing is left to do, or when there is. */
export type Step = { readonly retryAtMs: number } | 'done';

/** True once a pass has to leave off: it was told to, or may have lost its lease meanwhile. */
export const isOver = (
  { signal, overAtMs }: Pick<Job, 'signal' | 'overAtMs'>,
  clock: Pick<Clock, 'monotonicMs'>,
): boolean => signal.aborted || clock.monotonicMs() >= overAtMs;
