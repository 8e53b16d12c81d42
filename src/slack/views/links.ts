/**
 * Owns links inside a rendering: tokens that the reconciler replaces by permalinks when it posts. They stand only in the
 * `url` of a rich text link and as `<token|label>` in mrkdwn; a token in other people's words is just text and stays.
 */
import type { ChannelId, MessageTs } from '../../thread/ids.ts';
import { linkTo } from '../message.ts';

/** A link to any message by its address, such as the requester's. */
export const linkToMessage = (channel: ChannelId, ts: MessageTs): string => linkTo(`@${channel}/${ts}`);

/** What a token stands for: a message of this rendering, or an address; undefined when it is no token. */
export function parseLink(
  token: string,
): { readonly key: string } | { readonly channel: ChannelId; readonly ts: MessageTs } | undefined {
  const prefix = linkTo('');
  if (!token.startsWith(prefix)) return undefined;
  const name = token.slice(prefix.length);
  const address = /^@([A-Z0-9]+)\/(\d+\.\d+)$/.exec(name);
  if (!address) return { key: name };
  const [, channel = '', ts = ''] = address;
  return { channel: channel as ChannelId, ts: ts as MessageTs };
}
