/** Owns how commands and paths are written in sentences: as in a shell, quoted only where they would be ambiguous. */

/** Letters and digits of any script, and marks that no shell gives a meaning. */
const PLAIN = /^[\p{L}\p{N}_@%+:,./-][\p{L}\p{N}_@%+=:,./-]*$/u;
/** Line breaks, control characters and others that show nothing or change what stands around them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00a0\u2800\u3164]/u;

const ESCAPES: { readonly [character: string]: string } = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\\': '\\\\',
  "'": "\\'",
};

function escaped(character: string): string {
  const known = ESCAPES[character];
  if (known !== undefined) return known;
  if (!UNSEEN.test(character)) return character;
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return `\\x${point.toString(16).padStart(2, '0')}`;
  return point > 0xffff ? `\\U${point.toString(16).padStart(8, '0')}` : `\\u${point.toString(16).padStart(4, '0')}`;
}

/** One word in the form that bash would read back as exactly this word. */
export function shellWord(word: string): string {
  if (PLAIN.test(word)) return word;
  if (UNSEEN.test(word)) return `$'${Array.from(word, escaped).join('')}'`;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command in the form that bash would read back as exactly these words. */
export function shellLine(argv: readonly string[]): string {
  const [program = '', ...rest] = argv;
  // `A=b` in front of a command would be an assignment.
  const first = program.includes('=') && PLAIN.test(program) ? `'${program}'` : shellWord(program);
  return [first, ...rest.map(shellWord)].join(' ');
}
