/** Owns what a supervisor and its parent say to each other, one JSON object a line. No imports: the supervisor starts fast. */

/** What the supervisor is to run, sent once. */
export interface Job {
  /** Absolute path of the program. */
  readonly file: string;
  /** The program's name as it was called, then its arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment of the program. */
  readonly env: { readonly [name: string]: string };
  /** From start to SIGTERM. */
  readonly limitMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly graceMs: number;
}

/** Sent instead of closing the pipe, to end the program and hear how it ended. */
export const STOP_LINE = 'stop';

/** Why the supervisor ended the program; null when it ended by itself. */
export type EndedFor = 'timed_out' | 'stopped' | null;

/** What the supervisor says. */
export type Report =
  | { readonly is: 'ready' }
  | { readonly is: 'started'; readonly pid: number }
  /** The last line of the output so far, now and then; base64, because more than a newline ends a line of what is read. */
  | { readonly is: 'said'; readonly line: string }
  /** The system would not start it; `code` is its error code, such as ENOENT. */
  | { readonly is: 'refused'; readonly code: string }
  | {
      readonly is: 'ended';
      readonly exit: number | null;
      readonly signal: string | null;
      readonly why: EndedFor;
      /** Whether processes of its group were still there when it had exited by itself. */
      readonly leftBehind: boolean;
      /** Base64 of what was kept of stdout and stderr, in the order in which it came. */
      readonly head: string;
      readonly tail: string;
      readonly total: number;
    };
