/** Views that keep one card per request and say in the world's trace what they post: `card <words>`. */
import { at, type Thread } from '../../src/thread/thread.ts';
import { outcomeOf } from '../../src/thread/outcome.ts';
import type { MessageTs } from '../../src/thread/ids.ts';
import type { Posted } from '../../src/worker/ports.ts';
import { CARD, NullViews, type World } from './rig.ts';

export class CardViews extends NullViews {
  readonly #world: World;
  /** Says what becomes of the next pass, where Slack does not take it. */
  trouble: (() => 'wait' | 'refused') | null = null;

  constructor(world: World) {
    super();
    this.#world = world;
  }

  override behind = (thread: Thread): boolean => this.#differing(thread).length > 0;

  override reconcile = async (thread: Thread): Promise<{ posted: readonly Posted[]; retryAtMs: number | null }> => {
    this.passes += 1;
    const trouble = this.trouble?.() ?? null;
    if (trouble === 'wait') return { posted: [], retryAtMs: this.#world.clock.nowMs() + 30_000 };
    const posted = this.#differing(thread).map(({ key, hash }): Posted => {
      const earlier = at(thread.posts, key);
      const own = `${CARD.ts}.${Object.keys(thread.posts).length}` as MessageTs;
      this.#world.trace.push(`card ${trouble ?? hash}`);
      return {
        key,
        channel: CARD.channel,
        ts: earlier?.ts ?? own,
        hash,
        state: trouble === 'refused' ? 'failed' : earlier ? 'updated' : 'posted',
        atMs: this.#world.clock.nowMs(),
        ...(trouble === 'refused' ? { code: 'not_in_channel' } : {}),
        body: {},
      };
    });
    return { posted, retryAtMs: null };
  };

  /** One card for each request and each card number; its hash is what stands on it. */
  #differing(thread: Thread): { key: string; hash: string }[] {
    return Object.values(thread.approvals).flatMap(approval => {
      const call = at(thread.calls, approval.call);
      if (!call) return [];
      const buttons = approval.state.is === 'open' ? ' with buttons' : '';
      const key = `card/${approval.id}/${approval.card}`;
      const hash = `${outcomeOf(thread, call).is}, round ${approval.round}, ${approval.votes.length} votes${buttons}`;
      return at(thread.posts, key)?.hash === hash ? [] : [{ key, hash }];
    });
  }
}
