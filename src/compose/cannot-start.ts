/** Owns how something that an operator can mend stops a start or a command: as sentences, never as a stack trace. */

/** What was configured cannot be started with; `lines` say why, for the terminal. */
export class CannotStart extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines.join('\n'), options);
    this.lines = lines;
  }
}

/** Causes of causes that are told. */
const DEPTH = 5;

/** Why it did not work, one line each: the sentences of a CannotStart, else the error's and those of its causes. */
export function whyNot(error: unknown, depth = 0): readonly string[] {
  if (error instanceof CannotStart) return error.lines;
  if (!(error instanceof Error)) return [String(error)];
  const because = error.cause === undefined || depth === DEPTH ? [] : whyNot(error.cause, depth + 1);
  // Vendors wrap what was said: `An API error occurred: invalid_auth`.
  const news = because.filter(line => !error.message.includes(line.split(': ').at(-1) ?? line));
  return [error.message, ...news.map(line => (line.startsWith(' ') ? line : `  because: ${line}`))];
}
