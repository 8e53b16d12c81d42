/** Owns the form of a command: environment, further words and version in, exit code out. */
import type { Environment } from '../config/environment.ts';

export type CliCommand = (environment: Environment, words: readonly string[], version: string) => Promise<number>;
