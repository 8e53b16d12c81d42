/** Owns Slack's three escapes: `&`, `<` and `>` are the only characters that travel as entities. */

/** Writes a person's own characters so that none of them is read as markup. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Reads escaped text back into the characters it stands for. */
export function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
