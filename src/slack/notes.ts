/** Owns what this room tells the program's own log: facts and a sentence, never a token. */
import { LogLevel, type Logger } from '@slack/bolt';

/** Where the program says what happens to it. */
export interface Notes {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

const TOKEN = /\b(xox[a-z]-|xapp-|xwfp-)[A-Za-z0-9-]+/g;

/** Text without anything that looks like one of Slack's tokens. */
export const withoutTokens = (text: string): string => text.replace(TOKEN, '$1…');

const sentence = (parts: readonly unknown[]): string =>
  withoutTokens(parts.map(part => (part instanceof Error ? part.message : String(part))).join(' '));

/** The logger that Slack's clients are given: warnings and errors only, without tokens. */
export const vendorLogger = (notes: Notes): Logger => ({
  debug: () => {},
  info: () => {},
  warn: (...parts: unknown[]) => notes.warn({}, sentence(parts)),
  error: (...parts: unknown[]) => notes.warn({}, sentence(parts)),
  setLevel: () => {},
  getLevel: () => LogLevel.WARN,
  setName: () => {},
});
