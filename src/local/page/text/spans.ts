/** Owns times as the inspector writes them: UTC to the millisecond, and how long something took. */

/** `14:05:07.123`. */
export function exactTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

/** `2026-11-30`. */
export function exactDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** A time to the second beside another one: with its day where that is another day. */
export function exactNear(ms: number, beside: number): string {
  const day = exactDay(ms) === exactDay(beside) ? '' : `${exactDay(ms)} `;
  return `${day}${exactTime(ms).slice(0, 8)}`;
}

const UNITS: readonly [name: string, ms: number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** `340 ms`, `2.5 s`, `4 min`, `3 d`. */
export function spanOf(ms: number): string {
  const [name, unit] = UNITS.find(([, each]) => ms >= each) ?? ['ms', 1];
  const digits = name === 's' ? 1 : 0;
  return `${Number((ms / unit).toFixed(digits))} ${name}`;
}
