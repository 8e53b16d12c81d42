/** Owns the one error that a tool throws on purpose. */

/** Whether something may have happened before the error. */
export type Effect = 'none' | 'possible';

export interface ToolErrorOptions {
  /** `none` only if it is certain that nothing happened; default `possible`. */
  readonly effect?: Effect;
  /** A stable word for the log, `[a-z_]{1,80}`; default, and in place of anything else, `tool_error`. */
  readonly code?: string;
  readonly cause?: unknown;
}

const CODE = /^[a-z_]{1,80}$/;

/**
 * What a tool throws to say how it failed: a sentence for people and the model, a code, and whether something may have
 * happened. Any other error counts as `tool_error` with effect `possible` (for tools that only read: `none`).
 */
export class ToolError extends Error {
  readonly code: string;
  readonly effect: Effect;

  constructor(sentence: string, { effect = 'possible', code = 'tool_error', cause }: ToolErrorOptions = {}) {
    super(sentence, cause === undefined ? {} : { cause });
    this.name = 'ToolError';
    this.code = CODE.test(code) ? code : 'tool_error';
    this.effect = effect;
  }
}

/** A `ToolError` for a call that was given up before anything happened. */
export const refusal = (code: string, sentence: string): ToolError => new ToolError(sentence, { code, effect: 'none' });

/** What an error of any kind says, without its stack. */
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
