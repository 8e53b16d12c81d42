/** Owns the notes of a record that log and fold have in common: edits, used grants, questions. Pure. */
import type { Change } from '../approval.ts';
import { changesBetween } from '../changes.ts';
import type { Json } from '../events.ts';
import type { GrantId, UserId } from '../ids.ts';
import { isObject } from '../json.ts';
import type { Question } from '../question.ts';
import type { Asked, Edited, GrantNote } from './doc.ts';

/** An edit with what it changed, by top-level argument; arguments that are no object differ as a whole, under no name. */
export function editOf(atMs: number | null, by: { by: UserId; name: string }, was: Json, is: Json): Edited {
  return { atMs, by: { id: by.by, name: by.name }, was, is, changes: differences(was, is) };
}

const differences = (was: Json, is: Json): readonly Change[] =>
  isObject(was) && isObject(is) ? changesBetween(was, is) : changesBetween({ '': was }, { '': is });

/** What an edited argument was and is; undefined where it was not given. */
export const editedValue = (of: Json, { fact }: Pick<Change, 'fact'>, value: Json): Json | undefined =>
  isObject(of) && !Object.hasOwn(of, fact) ? undefined : value;

/** The call was allowed under a standing permission. */
export const usedGrant = (grant: GrantId, atMs: number | null): GrantNote => ({
  grant,
  is: 'used',
  atMs,
  by: null,
  sentence: null,
  taken: null,
});

/** A question with what came of it, as the fold knows it. */
export function questionOf(question: Question): Asked {
  const { state, wrong, askedBy } = question;
  return {
    question: question.id,
    kind: question.kind,
    atMs: question.askedAtMs,
    by: askedBy && { id: askedBy.by, name: askedBy.name },
    prompt: question.prompt,
    answer:
      state.is === 'answered' ? { atMs: state.atMs, by: { id: state.by, name: state.name }, value: state.value } : null,
    over: state.is === 'expired' || state.is === 'withdrawn' ? { atMs: state.atMs, how: state.is } : null,
    wrong:
      wrong === null ? [] : [{ atMs: wrong.atMs, by: { id: wrong.by, name: '' }, given: wrong.given, why: wrong.why }],
  };
}
