/**
 * Makes visible what a reader could not see: invisible, bidirectional, control and other default-ignorable code points are
 * written as `\u{…}`, and long stretches of blank space collapse to one sign with their number. It is display only; what
 * runs and what digests cover are the raw characters.
 */

const grouped = (value: number): string => value.toLocaleString('en-US');

/**
 * Format, control (but newline and tab), private, surrogate, unassigned, line and paragraph separators, variation selectors,
 * tags, everything that fonts may ignore, and the blank Braille pattern.
 */
const unseen =
  /[\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\u2800]|[^\P{Cc}\n\t]/u;
const unseenRun = new RegExp(`(${unseen.source})\\1*`, 'gu');

/** So many equal invisible characters are written out before they are counted. */
const UNSEEN_RUN = 4;
/** So many empty lines, and so many blanks in a row, stay as they are. */
const NEWLINES = 3;
const BLANKS = 24;
const OTHER_BLANKS = 3;

const written = (sign: string): string => `\\u{${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;

function unseenAs(run: string, sign: string): string {
  const count = run.length / sign.length;
  return count > UNSEEN_RUN ? `${written(sign)}[×${grouped(count)}]` : written(sign).repeat(count);
}

function blanksAs(run: string): string {
  const newlines = run.split('\n').length - 1;
  if (newlines > NEWLINES) return `\n[×${grouped(newlines)}]\n${blankLine(run.slice(run.lastIndexOf('\n') + 1))}`;
  return run.replace(/[^\n]+/g, blankLine);
}

function blankLine(blanks: string): string {
  const most = /^ *$/.test(blanks) ? BLANKS : OTHER_BLANKS;
  return blanks.length > most && !/^\t{0,8} {0,24}$/.test(blanks) ? ` [×${grouped(blanks.length)}] ` : blanks;
}

/** The text with everything invisible written out and long blank stretches collapsed to `[×N]`. */
export const visible = (text: string): string =>
  text.replace(unseenRun, unseenAs).replace(/[\s\u00a0]{2,}/gu, blanksAs);

/** True when a text holds characters that no card can show as they are: control characters or broken encoding. */
export const isUnfaithful = (text: string): boolean => /\ufffd|[^\P{Cc}\n\r\t]/u.test(text) || !text.isWellFormed();
