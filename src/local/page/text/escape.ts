/** Owns Slack's three escapes: `&`, `<` and `>` are the only characters that travel as entities. */

/** Reads escaped text back into the characters it stands for. */
export function unescapeText(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
