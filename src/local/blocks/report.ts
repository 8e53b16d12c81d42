/** Collects what is wrong with blocks, in Slack's words, each with a pointer to the place. */

export class Report {
  readonly problems: string[] = [];

  add(at: string, message: string): void {
    this.problems.push(`${message} [json-pointer:${at}]`);
  }

  get ok(): boolean {
    return this.problems.length === 0;
  }
}

/** Length in UTF-16 units: where Slack's own count differs (it is not published), this one is the stricter. */
export function lengthOf(text: string): number {
  return text.length;
}

/** Checks a text's length: at least one character, at most `most`. */
export function checkLength(report: Report, at: string, text: string, most: number, least = 1): void {
  const length = lengthOf(text);
  if (length < least) report.add(at, `must be more than ${least - 1} characters`);
  if (length > most) report.add(at, `must be less than ${most + 1} characters`);
}
