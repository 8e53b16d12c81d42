/** Owns what changes of files have in common: they happen only to what was approved, and until then nothing was done. */
import type { ExecuteContext } from '../define.ts';
import { refusal, ToolError } from '../error.ts';
import type { Words } from '../words.ts';
import { ABSENT, lookAt, type Content } from './content.ts';
import type { Jail, Place } from './jail.ts';

/** A change of one file on its way. */
export interface Change {
  readonly jail: Jail;
  readonly say: Words;
  readonly path: string;
  readonly place: Place;
  readonly context: ExecuteContext;
}

/** What the path leads to now, if that is what was approved; otherwise throws that it changed. */
export async function stillBound({ jail, say, path, place, context }: Change): Promise<Content | undefined> {
  await jail.file(path);
  const found = await lookAt(jail, place, context.signal);
  if ((found?.digest ?? ABSENT) !== context.bound['content'])
    throw refusal('changed_meanwhile', say.changedMeanwhile(place.shown));
  context.signal.throwIfAborted();
  return found;
}

/** What an error before the effect means; nothing was done. */
export const beforeEffect = ({ jail, say, place, context }: Change, tool: string, error: unknown): ToolError =>
  context.signal.aborted && !(error instanceof ToolError)
    ? refusal('aborted', say.abortedBefore(tool))
    : jail.trouble(place, error);
