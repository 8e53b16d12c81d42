/**
 * Owns the program's own log, on standard error: one JSON object a line, or a line for people's eyes in a terminal.
 *
 * 1. Nothing that looks like a token or key gets out. 2. An error is told with its causes.
 */
import pino from 'pino';
import { z } from 'zod';
import type { Environment } from '../config/environment.ts';
import { maskWith } from '../thread/text/secrets.ts';
import type { Journal } from '../worker/troubles.ts';

/** Where lines go. */
interface JournalSink {
  readonly write: (line: string) => void;
  /** True where people read along. */
  readonly isTTY: boolean;
}

export interface JournalOptions {
  readonly level: Environment['logLevel'];
  /** Key for the fingerprints of masked secrets. */
  readonly secretsKey: string | Uint8Array;
  /** Default: standard error. */
  readonly to?: JournalSink;
}

const standardError: JournalSink = {
  write: line => process.stderr.write(line),
  isTTY: process.stderr.isTTY,
};

/** Opens the journal; lines below `level` are left out. */
export function openJournal({ level, secretsKey, to = standardError }: JournalOptions): Journal {
  const mask = maskWith(secretsKey, (characters, print) => `•••• (${characters} characters, fingerprint ${print})`);
  const { isTTY } = to;
  const log = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: label => ({ level: label }) } },
    { write: line => to.write(isTTY ? readable(line) : line) },
  );
  const shown = (value: unknown): unknown => {
    if (value instanceof Error) return mask.text(withCauses(value));
    if (typeof value === 'string') return mask.text(value);
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        typeof inner === 'string' ? mask.named(name, inner) : shown(inner),
      ]),
    );
  };
  return {
    info: (facts, message) => log.info(shown(facts), mask.text(message)),
    warn: (facts, message) => log.warn(shown(facts), mask.text(message)),
    error: (facts, message) => log.error(shown(facts), mask.text(message)),
  };
}

/** Causes of causes that are told. */
const DEPTH = 5;

/** The stack, and below it that of each cause; no other property of the error, since vendors put requests there. */
function withCauses(error: Error, depth = 0): string {
  const own = error.stack ?? `${error.name}: ${error.message}`;
  const { cause } = error;
  if (typeof cause === 'string') return `${own}\ncaused by ${cause}`;
  return cause instanceof Error && depth < DEPTH ? `${own}\ncaused by ${withCauses(cause, depth + 1)}` : own;
}

const record = z.looseObject({ level: z.string(), time: z.string(), msg: z.string() });

/** `14:03:05Z warn   the sentence  cause=table`; texts of several lines stand below it. */
function readable(line: string): string {
  const { level, time, msg, ...facts } = record.parse(JSON.parse(line));
  const texts = Object.entries(facts).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { name, text, isLong: text.includes('\n') };
  });
  const brief = texts.filter(({ isLong }) => !isLong).map(({ name, text }) => `  ${name}=${text}`);
  const long = texts.filter(({ isLong }) => isLong).map(({ text }) => `\n    ${text.replaceAll('\n', '\n    ')}`);
  return `${time.slice(11, 19)}Z ${level.padEnd(5)}  ${msg}${brief.join('')}${long.join('')}\n`;
}
