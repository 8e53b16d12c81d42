/** Owns how a model's words stand in a summary: on one line, in quotes, cut with a sign. The whole stands in the arguments. */

/** Characters (code points) of them that a summary holds. */
const SHOWN = 80;

/** The first words, between the given quotes. */
export function quoted(text: string, [open, close]: readonly [string, string] = ['“', '”']): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  const characters = [...line];
  return `${open}${characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}…` : line}${close}`;
}
