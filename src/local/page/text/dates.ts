/**
 * Owns how moments are written for the reader: Slack's date tokens, clock times and day names, in the reader's zone.
 * Nothing here reads a clock: now and zone come as arguments. Zones are IANA names; absent means the reader's machine.
 */

/** Now in milliseconds and the reader's zone. */
export interface Reader {
  nowMs: number;
  timeZone?: string;
}

type DayName = 'today' | 'yesterday' | 'tomorrow';

/** Fills Slack's `{date…}`, `{time…}` and `{ago}` tokens for a moment given in seconds; other text stays as it is. */
export function formatDate(timestamp: number, format: string, reader: Reader): string {
  const ms = timestamp * 1000;
  return format.replaceAll(/\{([a-z_]+)\}/g, (whole, token: string) => fillToken(token, ms, reader) ?? whole);
}

/** `14:05` in the reader's zone. */
export function clockTime(ms: number, reader: Reader): string {
  return intl({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, reader).format(ms);
}

/** The divider over a day's messages: `Today`, `Yesterday`, else `Monday, November 30th`, with the year if it is another. */
export function dayLabel(ms: number, reader: Reader): string {
  const near = nearDay(ms, reader);
  if (near !== undefined) return capital(near);
  const sameYear = part(ms, 'year', reader) === part(reader.nowMs, 'year', reader);
  return sameYear ? `${weekday(ms, reader)}, ${monthDay(ms, reader)}` : longDate(ms, reader);
}

/** A whole moment for tooltips and labels: `Today at 14:05:07`. */
export function fullMoment(ms: number, reader: Reader): string {
  return `${dayLabel(ms, reader)} at ${withSeconds(ms, reader)}`;
}

/** A Slack ts (`seconds.micros`) in milliseconds. */
export function tsToMs(ts: string): number {
  return Math.floor(Number(ts) * 1000);
}

/** True when two moments fall on one day of the reader's. */
export function sameDay(aMs: number, bMs: number, reader: Reader): boolean {
  return dayNumber(aMs, reader) === dayNumber(bMs, reader);
}

function fillToken(token: string, ms: number, reader: Reader): string | undefined {
  const date = monthDayYear(ms, reader);
  const short = intl({ year: 'numeric', month: 'short', day: 'numeric' }, reader).format(ms);
  const near = nearDay(ms, reader);
  const numeric = `${part(ms, 'year', reader)}-${part(ms, 'month', reader, '2-digit')}-${part(ms, 'day', reader, '2-digit')}`;
  const texts: Record<string, string> = {
    date,
    date_num: numeric,
    date_slash: numeric.replaceAll('-', '/'),
    date_short: short,
    date_long: longDate(ms, reader),
    date_pretty: near ?? date,
    date_short_pretty: near ?? short,
    date_long_pretty: near ?? longDate(ms, reader),
    day_divider_pretty: dayLabel(ms, reader),
    time: clockTime(ms, reader),
    time_secs: withSeconds(ms, reader),
    ago: ago(ms, reader.nowMs),
  };
  return Object.hasOwn(texts, token) ? texts[token] : undefined;
}

function nearDay(ms: number, reader: Reader): DayName | undefined {
  const distance = dayNumber(ms, reader) - dayNumber(reader.nowMs, reader);
  if (distance === 0) return 'today';
  if (distance === -1) return 'yesterday';
  return distance === 1 ? 'tomorrow' : undefined;
}

/** The calendar day as a number that counts up by one a day, whatever the zone's clock changes do. */
function dayNumber(ms: number, reader: Reader): number {
  const day = Number(part(ms, 'day', reader));
  return Date.UTC(Number(part(ms, 'year', reader)), Number(part(ms, 'month', reader)) - 1, day) / 86_400_000;
}

function ago(ms: number, nowMs: number): string {
  const seconds = Math.round((ms - nowMs) / 1000);
  const size = Math.abs(seconds);
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  if (size < 60) return relative.format(seconds, 'second');
  if (size < 3600) return relative.format(Math.round(seconds / 60), 'minute');
  if (size < 86_400) return relative.format(Math.round(seconds / 3600), 'hour');
  return relative.format(Math.round(seconds / 86_400), 'day');
}

function withSeconds(ms: number, reader: Reader): string {
  return intl({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }, reader).format(ms);
}

function longDate(ms: number, reader: Reader): string {
  return `${weekday(ms, reader)}, ${monthDayYear(ms, reader)}`;
}

function monthDayYear(ms: number, reader: Reader): string {
  return `${monthDay(ms, reader)}, ${part(ms, 'year', reader)}`;
}

function monthDay(ms: number, reader: Reader): string {
  const day = Number(part(ms, 'day', reader));
  return `${intl({ month: 'long' }, reader).format(ms)} ${day}${ordinal(day)}`;
}

function weekday(ms: number, reader: Reader): string {
  return intl({ weekday: 'long' }, reader).format(ms);
}

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return { 1: 'st', 2: 'nd', 3: 'rd' }[day % 10] ?? 'th';
}

function part(
  ms: number,
  kind: 'year' | 'month' | 'day',
  reader: Reader,
  width: 'numeric' | '2-digit' = 'numeric',
): string {
  const parts = intl({ year: 'numeric', month: width, day: width }, reader).formatToParts(ms);
  return parts.find(found => found.type === kind)?.value ?? '';
}

function intl(options: Intl.DateTimeFormatOptions, reader: Reader): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone: reader.timeZone });
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
