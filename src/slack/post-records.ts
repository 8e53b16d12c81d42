/** Owns what a pass does to the record: what it reports, and what the record says from then on. */
import { canonical } from '../thread/digest.ts';
import { recordPost } from '../thread/post.ts';
import type { Clock, Posted } from '../worker/ports.ts';
import { isLive, recorded, type Posts } from './desired.ts';
import { hashOf } from './links.ts';
import type { Content, Message } from './message.ts';

type Outcome = Pick<Posted, 'channel' | 'state'> & Partial<Pick<Posted, 'ts' | 'code'>>;

export class PostRecords {
  /** What the record says with what was kept here. */
  readonly posts: Posts;
  readonly posted: Posted[] = [];
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(posts: Posts, clock: Pick<Clock, 'nowMs'>) {
    this.posts = { ...posts };
    this.#clock = clock;
  }

  /** `shown` is kept as evidence where the message is, while people can act on it; `hash` stands for the content. */
  record(message: Message, outcome: Outcome, shown: Content | null = null, hash?: string): 'done' {
    const fresh = {
      ...this.posts,
      [message.key]: { ...unposted(message.key), ...outcome, ts: outcome.ts ?? null },
    };
    this.keep({
      key: message.key,
      ...outcome,
      hash: hash ?? hashOf(message.content, recorded(fresh)),
      atMs: this.#clock.nowMs(),
      body: message.evidence && shown !== null && isLive(message.content) ? { shown: canonical(shown) } : {},
    });
    return 'done';
  }

  keep(posted: Posted): void {
    this.posted.push(posted);
    recordPost(this.posts, posted);
  }
}

/** A card without its buttons is no delivery: whoever asked has to know that nobody can decide there. */
export function stateOf(
  message: Message,
  shown: Content,
  state: 'posted' | 'updated',
): Pick<Outcome, 'state' | 'code'> {
  if (shown !== message.short) return { state };
  return { state: isLive(message.content) && !isLive(shown) ? 'failed' : state, code: 'too_large' };
}

/** What is known of a message before anything is. */
const unposted = (key: string) => ({ key, hash: '', code: null, atMs: 0 });
