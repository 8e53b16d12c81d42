/** Owns what of a person's edits stands in a call: arguments taken back to what the agent had asked for are no edit. */
import { canonical } from './digest.ts';
import type { Json } from './events.ts';
import type { Approval, Edit } from './thread.ts';

/** The edit by which the call is not what the agent had asked for; null where it is. */
export function standingEdit(approval: Approval | null | undefined, { args }: { readonly args: Json }): Edit | null {
  const edit = approval?.editedBy ?? null;
  return edit === null || canonical(edit.was) === canonical(args) ? null : edit;
}
