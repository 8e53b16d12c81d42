/** Owns the form of a rendered message: what `render` makes of a thread, and the reconciler posts or updates. */
import type { KnownBlock } from '@slack/web-api';
import type { ChannelId, MessageTs } from '../thread/ids.ts';
import type { Place } from '../worker/ports.ts';

/** Text (≤ 4,000 characters escaped; the push line) and blocks, both always sent. */
export interface Content {
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}

/**
 * A token that stands for a link to another message of this rendering; the reconciler puts the permalink in its place when
 * it posts. The hash covers the token, so that a changed address edits nothing. Written by `linkTo`.
 */
export const linkTo = (key: string): string => `countersign:link:${key}`;

/** One message that should stand in Slack. */
export interface Message {
  /** Stands in the message's metadata; unique in the thread. */
  readonly key: string;
  /** Cards and decisions go first, then finals, then progress. */
  readonly rank: 'card' | 'final' | 'progress';
  readonly place: { readonly channel: ChannelId; readonly threadTs?: MessageTs } | { readonly under: string };
  readonly content: Content;
  /** What is posted at first instead of `content` (the mention that rings); not covered by the hash. */
  readonly first?: Content;
  /** A shorter form for when Slack refuses `content` as too large; it always has the buttons away unless it shows every argument. */
  readonly short?: Content;
  /** A reaction on a person's message instead of a message. */
  readonly reaction?: Place & { readonly name: string };
  /** A text that is posted as a file beside the content: everything that would run, where no card or form holds it. */
  readonly file?: { readonly name: string; readonly text: string };
  /**
   * What people decide on or answer (cards and questions): kept in the log as evidence when it is posted with buttons; once it
   * has none, it is not posted any more, and only looked for.
   */
  readonly evidence: boolean;
}
