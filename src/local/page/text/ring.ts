/** Owns which messages ring for a person, as a phone would: direct messages, mentions, and answers in their own thread. */

interface Ringing {
  user?: string;
  text?: string;
  blocks?: unknown;
  parent_user_id?: string;
}

/** True when a new message should call this person, whose group ids are given; one's own messages never do. */
export function rings(message: Ringing, me: string, groups: readonly string[], isDirect: boolean): boolean {
  if (message.user === me) return false;
  if (isDirect || message.parent_user_id === me) return true;
  const written = `${message.text ?? ''}${JSON.stringify(message.blocks ?? [])}`;
  const codes = [`<@${me}>`, `<@${me}|`, `"user_id":"${me}"`, '<!channel', '<!here', '<!everyone'];
  for (const group of groups) codes.push(`<!subteam^${group}`, `"usergroup_id":"${group}"`);
  return codes.some(code => written.includes(code));
}
