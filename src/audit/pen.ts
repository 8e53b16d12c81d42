/** Owns how a terminal's lines are written: UTC times, short digests, people by name and id, other people's words in quotes. */
import type { Json } from '../thread/events.ts';
import type { Named } from '../thread/record.ts';
import { showWith, type Show } from '../thread/text/show.ts';

/** What lines are written with. */
export interface Pen {
  readonly show: Show;
}

/**
 * A pen that masks secrets. Under `key` the fingerprints are those of the cards; without one only lengths are told, since a
 * fingerprint under another key would make the same secret look like two.
 */
export const penWith = (key: string | Uint8Array | null): Pen => ({
  show: showWith(key ?? '', (characters, fingerprint) =>
    key === null ? `•••• (${characters} characters)` : `•••• (${characters} characters, fingerprint ${fingerprint})`,
  ),
});

/** `2026-11-30 13:02:11Z`. */
export const utc = (atMs: number): string =>
  new Date(atMs)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');

/** The time before a line; nothing for one that is not known. */
export const time = (atMs: number | null): string => (atMs === null ? '' : `${utc(atMs)}  `);

/** A time within a line; `-` for one that is not known. */
export const moment = (atMs: number | null): string => (atMs === null ? '-' : utc(atMs));

/** `9c1f…e2`. */
export const brief = (digest: string): string =>
  digest.length > 8 ? `${digest.slice(0, 4)}…${digest.slice(-2)}` : digest;

/** `Dana Ito (U0DANA001)`. */
export const who = ({ show }: Pen, { id, name }: Named): string => (name === '' ? id : `${show.line(name)} (${id})`);

/** `"as somebody wrote it"`, on one line. */
export const quote = ({ show }: Pen, text: string): string => `"${show.line(text)}"`;

/** `replicas=6, zone="eu"`; `-` for nothing. */
export const facts = ({ show }: Pen, values: Readonly<Record<string, Json>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${show.line(name)}=${show.json(value, name)}`)
    .join(', ') || '-';

/** `1 d 4 h`, `12 min 30 s`, `8 s`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const from = parts.findIndex(([count]) => count > 0);
  if (from === -1) return '0 s';
  return parts
    .slice(from, from + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
