/**
 * Owns how people's messages are quoted. The log has them as their authors read them (`inbound/readable.ts`), so that nothing
 * in them is a code any more but the mention of a person.
 */
import type { UserId } from '../../thread/ids.ts';

/** A message's text as its author saw it, without the mention of the bot; still untrusted. */
export const spoken = (text: string, botUser: UserId): string =>
  text
    .replaceAll(`<@${botUser}>`, '')
    .replaceAll(/<(@[UW][A-Z0-9]+)>/g, '$1')
    .trim();
