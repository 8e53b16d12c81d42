/** Owns what a command is told behind its name: options with values, plain words, and what is none of them. */
import type { Command } from './command.ts';

/** What was said; `odd` is the first word that is not known, or an option without its value. */
export interface Said {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  readonly help: boolean;
  readonly odd: string | null;
}

/**
 * Reads `--name value`, `--name=value`, `--help` and `-h`; names that are in neither list are odd. Those in `flags` take no
 * value, and stand among the options with an empty one.
 */
export function saidIn(given: readonly string[], known: readonly string[] = [], flags: readonly string[] = []): Said {
  const words: string[] = [];
  const options: Record<string, string> = {};
  let [help, odd]: [boolean, string | null] = [false, null];
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? '';
    const [, name = '', own] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (word === '-h' || name === 'help') help = true;
    else if (known.includes(name)) {
      const value = own ?? given[(at += 1)];
      if (value === undefined || value.startsWith('--')) odd ??= word;
      else options[name] = value;
    } else if (flags.includes(name) && own === undefined) options[name] = '';
    else if (word.startsWith('-')) odd ??= word;
    else words.push(word);
  }
  return { words, options, help, odd };
}

/** What is wrong with what was said, in one sentence; null when each option is known and there are no more words than `most`. */
export function oddIn({ odd, words }: Said, most = 0): string | null {
  if (odd !== null) return `"${odd}" is no option of this command, or has no value behind it.`;
  return words.length > most ? `"${words[most]}" is a word too many.` : null;
}

/** Says what is wrong, then how the command is used; resolves with the exit code. */
export function misused(complain: (line: string) => void, why: string, lines: readonly string[]): number {
  complain(why);
  return usage(complain, lines, 2);
}

/** Writes how a command is used; resolves with the exit code. */
export function usage(write: (line: string) => void, lines: readonly string[], code: 0 | 2 = 0): number {
  for (const line of lines) write(line);
  return code;
}

/** A command that takes neither options nor words: with any it says what is wrong, with `--help` how it is used, and does nothing. */
export const alone =
  (lines: readonly string[], command: Command): Command =>
  given => {
    const said = saidIn(given.words);
    if (said.help) return Promise.resolve(usage(given.terminal.print, lines));
    const odd = oddIn(said);
    return odd === null ? command(given) : Promise.resolve(misused(given.terminal.complain, odd, lines));
  };
