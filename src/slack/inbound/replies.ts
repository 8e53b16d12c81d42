/**
 * Owns what a form is answered with, and the act that it stands for.
 *
 * 1. What somebody filled in is never taken away by an answer after which the same form could still succeed: it says why
 * under a field, or above the form, and stays.
 */
import type { ModalView } from '@slack/web-api';
import type { RefusalCode } from '../../thread/refusal.ts';
import type { ThreadKey } from '../../thread/ids.ts';
import type { Thread } from '../../thread/thread.ts';
import type { Act, Answer } from '../../worker/ports.ts';
import { FORMS } from '../views/actions.ts';
import { penOf } from '../views/context.ts';
import type { Line } from '../views/line.ts';
import { refusalLine } from '../views/refusals.ts';
import type { Submission } from './interactions.ts';
import type { Origin } from './origin.ts';
import { recordedPlace, type About, type Parts } from './performing.ts';

/** Why a form was not taken; `under` is the block of the field that it is about, null for the form as a whole. */
export interface Said {
  readonly under: string | null;
  readonly text: Line | string;
}

export type Reply =
  /** Nothing more to do: all forms close, and what there is to say is said in the form or in the conversation. */
  | { readonly is: 'over'; readonly lines: readonly Line[]; readonly told: 'in_form' | 'in_place' }
  /** Not taken: the form stays as it was filled in. */
  | { readonly is: 'kept'; readonly says: readonly Said[] }
  /** Another view in the place of the form, or above it (Back leads to the form as it was filled in). */
  | { readonly is: 'view' | 'above'; readonly view: ModalView };

/** It was carried out, and nothing needs to be said. */
export const done: Reply = { is: 'over', lines: [], told: 'in_form' };

/** The sentence under a field, the form's first one unless it is about another, or above a form that has none. */
export const kept = (
  { values }: Submission,
  line: Line,
  under: string | null = Object.keys(values)[0] ?? null,
): Reply => ({ is: 'kept', says: [{ under, text: line }] });

/** Refusals after which what was filled in is of use: now changed a little, later as it is, or to be read once more. */
const OF_USE = new Set<RefusalCode>([
  'bad_answer',
  'bad_edit',
  'unchanged',
  'denied',
  'reason_needed',
  'option_needed',
  'frozen',
  'lookup_failed',
  'too_early',
  'busy',
  'stale_round',
  'superseded',
  'changed_since',
]);

/** What a worker said; `thread` null where none was found, `workspace` for the reason of a freeze. */
type Answered = Pick<Answer, 'refusal'> & Partial<Pick<Answer, 'workspace'>> & { readonly thread: Thread | null };

/** The worker's answer as an answer to the form; a refusal that ends it is told in the form unless `told` says otherwise. */
export function replyTo(
  { context }: Parts,
  submission: Submission,
  { refusal, thread, workspace }: Answered,
  told: 'in_form' | 'in_place' = 'in_form',
): Reply {
  if (refusal === null) return done;
  const line = refusalLine(refusal, thread, context, workspace ?? null);
  const missing = fieldMissing(submission, refusal.code);
  if (missing !== undefined)
    return kept(submission, refusal.code === 'reason_needed' ? penOf(context).texts.form.noReason : line, missing);
  return OF_USE.has(refusal.code) ? kept(submission, line) : { is: 'over', lines: [line], told };
}

/** The field that was left empty and must not be; undefined where the form has no such field. */
function fieldMissing({ values }: Submission, code: RefusalCode): string | undefined {
  const { reason, text, choice } = FORMS;
  const fields = code === 'reason_needed' ? [reason, text] : code === 'option_needed' ? [choice] : [];
  return fields.find(({ block }) => values[block] !== undefined)?.block;
}

/** The act of a form: on the message that it was opened from, else on the one on record. The same form sent twice counts once. */
export async function actOf(
  { acts, inbox }: Parts,
  submission: Submission,
  origin: Origin,
  thread: Omit<ThreadKey, 'team'>,
  about: About,
): Promise<Act> {
  const key = acts.thread(thread);
  const place = origin.place ?? recordedPlace(await inbox.read(key), about);
  return { thread: key, actor: submission.by, place, key: submission.key };
}
