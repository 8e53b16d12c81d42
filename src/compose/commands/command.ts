/** Owns the form of a command: what it is given, and its exit code (0: good; 1: something is wrong; 2: nothing was done). */
import type { Environment } from '../../config/environment.ts';
import type { Terminal } from '../terminal.ts';

export interface Given {
  readonly environment: Environment;
  /** What stands behind its name. */
  readonly words: readonly string[];
  readonly version: string;
  readonly terminal: Terminal;
}

export type Command = (given: Given) => Promise<number>;
