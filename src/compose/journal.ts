/** Owns the program's own log: structured lines on standard error, without bodies or tokens. */
import pino from 'pino';
import type { Environment } from '../config/environment.ts';
import type { Journal } from '../worker/troubles.ts';

/** Opens the journal at this level; `warn` and up by default for a terminal. */
export const openJournal = (level: Environment['logLevel']): Journal =>
  pino({ level, base: null, redact: ['*.token', '*.authorization'] }, pino.destination({ dest: 2, sync: true }));
