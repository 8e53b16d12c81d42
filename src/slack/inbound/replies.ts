/** Owns what a form is answered with, and the act that it stands for. */
import type { ModalView } from '@slack/web-api';
import type { ThreadKey } from '../../thread/ids.ts';
import type { Act } from '../../worker/ports.ts';
import type { Submission } from './interactions.ts';
import type { Origin } from './origin.ts';
import { recordedPlace, type About, type Parts } from './performing.ts';

/** The form closes (and `after` is carried out after that), says what is wrong under its fields, or becomes another one. */
export type Reply =
  | { readonly is: 'close'; readonly after?: () => Promise<unknown> }
  | { readonly is: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly is: 'view'; readonly view: ModalView };

/** The form closes at once; what it asks for is carried out after the acknowledgement. */
export const closeAnd = (after: () => Promise<unknown>): Reply => ({ is: 'close', after });

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
