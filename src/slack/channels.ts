/**
 * Owns the check that a channel is not shared with another organisation. Cards are posted only where everybody who can
 * read them belongs to this one; membership itself is routing, never permission.
 */
import { z } from 'zod';
import type { Clock } from '../worker/ports.ts';
import type { SlackAnswer, SlackApi } from './api.ts';

export type Sharing = 'own' | 'shared' | Exclude<SlackAnswer, { is: 'ok' }>;

const channelSchema = z.looseObject({
  channel: z.looseObject({
    is_im: z.optional(z.boolean()),
    is_private: z.optional(z.boolean()),
    is_shared: z.optional(z.boolean()),
    is_ext_shared: z.optional(z.boolean()),
    is_pending_ext_shared: z.optional(z.boolean()),
    is_org_shared: z.optional(z.boolean()),
  }),
});

/** How old an answer may be: for a new message, and for an edit of one that stands already. */
const MAX_AGE_MS = { post: 5_000, update: 60_000 } as const;

export class Channels {
  readonly #api: SlackApi;
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly atMs: number; readonly isPrivate: boolean }>();

  constructor(api: SlackApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
  }

  /** Whether the channel is ours alone; asked again as often as a new message or an edit needs. */
  async sharing(channel: string, before: keyof typeof MAX_AGE_MS): Promise<Sharing> {
    const known = this.#known.get(channel);
    if (known && this.#clock.monotonicMs() - known.atMs < MAX_AGE_MS[before]) return 'own';
    const answer = await this.#api('conversations.info', { channel });
    if (answer.is !== 'ok') return answer;
    const read = channelSchema.safeParse(answer.data);
    if (!read.success) return { is: 'unknown', why: 'unreadable channel' };
    const { channel: info } = read.data;
    const foreign =
      info.is_ext_shared || info.is_pending_ext_shared || (info.is_shared === true && info.is_org_shared !== true);
    if (foreign) {
      this.#known.delete(channel);
      return 'shared';
    }
    this.#known.set(channel, { atMs: this.#clock.monotonicMs(), isPrivate: info.is_private === true });
    return 'own';
  }

  /** True for channels that not everybody can read, once they have been asked about. */
  isPrivate(channel: string): boolean {
    return this.#known.get(channel)?.isPrivate ?? false;
  }

  /** Something changed about this channel: the next look is a fresh one. */
  forget(channel: string): void {
    const known = this.#known.get(channel);
    if (known) this.#known.set(channel, { ...known, atMs: Number.NEGATIVE_INFINITY });
  }
}
