/** Owns how a model's words stand in a summary: on one line, in quotes, cut with a sign. The whole stands in the arguments. */

/** Characters (code points) of them that a summary holds. */
const SHOWN = 80;

/** The first words, on one line. */
export function firstWords(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  const characters = [...line];
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join('')}…` : line;
}

/** The same in quotes. */
export const quoted = (text: string): string => `“${firstWords(text)}”`;
