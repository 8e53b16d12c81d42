/** Owns how mentions of people stand in a message's text, as Slack writes them: `<@U…>` or `<@U…|name>`. */

/** The text without its mentions, trimmed. */
export const withoutMentions = (text: string): string => text.replaceAll(/<@[A-Z0-9]+(\|[^>]*)?>/g, '').trim();
