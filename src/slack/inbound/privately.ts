/** Owns private answers: in the place where somebody acted, seen by them alone, and never instead of the card. */
import type { ChannelId, MessageTs, UserId } from '../../thread/ids.ts';
import type { SlackApi } from '../api.ts';
import type { Content } from '../message.ts';

/** Bolt's way back to where an interaction came from; rejects when Slack refuses. */
export type Respond = (message: {
  readonly response_type: 'ephemeral';
  readonly replace_original: false;
  readonly text: string;
  readonly blocks: Content['blocks'];
}) => Promise<unknown>;

/** Whoever acted, and the ways in which they can be told something. */
export interface Listener {
  readonly user: UserId;
  /** Null where they acted on Home or in a form that came from there. */
  readonly channel: ChannelId | null;
  readonly threadTs: MessageTs | null;
  readonly respond: Respond | null;
  /** Opens a form, once and within 3 s. */
  readonly trigger: string | null;
}

/** Tells one person something in a conversation; false when Slack took it in no way. Never throws. */
export async function tell(api: SlackApi, to: Listener, content: Content): Promise<boolean> {
  if (to.respond) {
    try {
      await to.respond({
        response_type: 'ephemeral',
        replace_original: false,
        text: content.text,
        blocks: content.blocks,
      });
      return true;
    } catch {
      // The address may be used up or too old; the other way does not depend on it.
    }
  }
  if (to.channel === null) return false;
  const answer = await api('chat.postEphemeral', {
    channel: to.channel,
    user: to.user,
    ...(to.threadTs === null ? {} : { thread_ts: to.threadTs }),
    text: content.text,
    blocks: content.blocks,
    unfurl_links: false,
    unfurl_media: false,
    parse: 'none',
    link_names: false,
  });
  return answer.is === 'ok';
}
