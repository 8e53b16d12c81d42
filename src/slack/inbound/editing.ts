/**
 * Owns the two views of an edit on their way back: fields that are read, then what would run, then the one commit.
 *
 * 1. Nothing changes before the second submit. 2. The second view stands above the first: Back leads to the fields as they
 * were filled in, and another look makes another second view. 3. What Slack does not keep with a view (more than 3,000
 * characters) is kept in this process, bounded; when it is gone, that is said in the place of the second view, and nothing changes. 4. If the world has changed
 * meanwhile, the second view is shown again in its place.
 */
import type { ModalView } from '@slack/web-api';
import { z } from 'zod';
import { noLongerOpen } from '../../thread/decide/decision.ts';
import type { Json } from '../../thread/events.ts';
import { decodeButton, type ButtonValue, type Digest } from '../../thread/ids.ts';
import type { Refusal } from '../../thread/refusal.ts';
import { at } from '../../thread/thread.ts';
import type { Act } from '../../worker/ports.ts';
import { FORMS } from '../views/actions.ts';
import { penOf, type RenderContext } from '../views/context.ts';
import { keptForm } from '../views/forms-after.ts';
import { editConfirmForm, fieldMust, readEdit } from '../views/forms.ts';
import { refusalLine } from '../views/refusals.ts';
import type { Submission } from './interactions.ts';
import { encodeOrigin, METADATA_ROOM, parsedJson, type Origin } from './origin.ts';
import type { Parts } from './performing.ts';
import { actOf, replyTo, type Reply } from './replies.ts';

/** Why an edit cannot be put to people. */
type Problem = Pick<Refusal, 'code' | 'detail'>;

const carriedSchema = z.object({ shown: z.string(), args: z.optional(z.json()) });
const KEPT = 200;

/** Edits of forms that are open, for those whose arguments Slack does not keep. */
export class Edits {
  readonly #parts: Parts;
  /** By what the second view binds, which no other arguments can have. */
  readonly #kept = new Map<Digest, Json>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The first submit: errors under the fields, or the second view. */
  async first(submission: Submission, origin: Origin): Promise<Reply | undefined> {
    const { inbox, acts, context } = this.#parts;
    const value = decodeButton(origin.value);
    if (!value) return undefined;
    const thread = await inbox.read(acts.thread(value));
    const approval = at(thread.approvals, value.approval);
    const call = approval && at(thread.calls, approval.call);
    if (!approval || !call) return replyTo(this.#parts, submission, { refusal: { code: 'not_found' }, thread: null });
    const problem = noLongerOpen(approval, value.round);
    if (problem) return replyTo(this.#parts, submission, { refusal: { ...problem, approval: approval.id }, thread });
    const read = readEdit(submission.values, call, approval.terms, context);
    if (read.ok) return this.#preview(submission, origin, value, read.args);
    return { is: 'kept', says: Object.entries(read.errors).map(([under, text]) => ({ under, text })) };
  }

  /** The second submit: the one commit. */
  async second(submission: Submission, origin: Origin): Promise<Reply | undefined> {
    const { inbox, context } = this.#parts;
    const value = decodeButton(origin.value);
    const carried = carriedSchema.safeParse(parsedJson(origin.carried)).data;
    if (!value || !carried) return undefined;
    const shown = carried.shown as Digest;
    const args = carried.args === undefined ? this.#kept.get(shown) : carried.args;
    if (args === undefined) return { is: 'view', view: keptForm([penOf(context).texts.told.editGone], false, context) };
    const act = await this.#act(submission, origin, value);
    const { approval, round } = value;
    const answer = await inbox.edit(act, { approval, round, args, shown });
    if (answer.refusal?.code === 'changed_since') return this.#preview(submission, origin, value, args);
    return replyTo(this.#parts, submission, answer);
  }

  async #preview(submission: Submission, origin: Origin, value: ButtonValue, args: Json): Promise<Reply> {
    const { inbox, context } = this.#parts;
    const { approval: id, round } = value;
    const isFirst = submission.form === FORMS.edit;
    const act = await this.#act(submission, origin, value);
    const preview = await inbox.previewEdit(act, { approval: id, round, args });
    const approval = at(preview.thread.approvals, id);
    if (preview.refusal !== null) {
      const { tool = '' } = (approval && at(preview.thread.calls, approval.call)) ?? {};
      const field = isFirst ? fieldOf(submission, preview.refusal, tool, context) : undefined;
      if (field === undefined) return replyTo(this.#parts, submission, { ...preview, workspace: await inbox.house() });
      const sentence = refusalLine(preview.refusal, preview.thread, context);
      return { is: 'kept', says: [{ under: field.block, text: field.says ?? sentence }] };
    }
    if (!approval) return replyTo(this.#parts, submission, { refusal: { code: 'not_found' }, thread: preview.thread });
    const metadata = this.#carry(origin, { shown: preview.shown, args: preview.args });
    const view: ModalView = { ...editConfirmForm(preview, approval, context), private_metadata: metadata };
    return { is: isFirst ? 'above' : 'view', view };
  }

  #act(submission: Submission, origin: Origin, value: ButtonValue): Promise<Act> {
    return actOf(this.#parts, submission, origin, value, { approval: value.approval });
  }

  #carry(origin: Origin, edited: { readonly shown: Digest; readonly args: Json }): string {
    const whole = encodeOrigin({ ...origin, carried: JSON.stringify(edited) });
    if (whole.length <= METADATA_ROOM) return whole;
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(edited.shown, edited.args);
    return encodeOrigin({ ...origin, carried: JSON.stringify({ shown: edited.shown }) });
  }
}

/** Refusals that are about what was filled in stand under a field: the one that they name, else the first. */
const IN_FIELD = new Set<string>(['bad_edit', 'unchanged', 'denied']);

function fieldOf({ values }: Submission, { code, detail }: Problem, tool: string, context: RenderContext) {
  if (!IN_FIELD.has(code)) return undefined;
  const blocks = Object.keys(values).filter(block => block.startsWith(FORMS.argument.block));
  const nameOf = (block: string): string => block.slice(FORMS.argument.block.length);
  const named = blocks.find(block => (detail ?? '').includes(` ${nameOf(block)}: `));
  const block = named ?? blocks[0];
  return block === undefined
    ? undefined
    : { block, says: named === undefined ? undefined : fieldMust(tool, nameOf(named), context) };
}
