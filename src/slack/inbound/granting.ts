/**
 * Owns the form that allows the like of a call for a while, on its way to a person and back.
 *
 * 1. The sentence that stands in the form is what is stored. When another time or number is chosen, the form is shown again
 * with its sentence; a form that is sent with other choices than its sentence names is shown again, and nothing is given. A
 * form that cannot be shown again stays, and that is said privately.
 */
import type { ModalView } from '@slack/web-api';
import { z } from 'zod';
import { noLongerOpen } from '../../thread/decide/decision.ts';
import { decodeButton, type ButtonValue } from '../../thread/ids.ts';
import { requestOf } from '../../thread/thread.ts';
import { FORMS } from '../views/actions.ts';
import { canGrant, frozenGrantForm, grantForm, grantOf, readGrantForm, type GrantChoice } from '../views/forms.ts';
import type { Click, Submission } from './interactions.ts';
import { decodeOrigin, encodeOrigin, parsedJson, type Origin } from './origin.ts';
import { openForm, type Control, type Parts } from './performing.ts';
import type { Listener } from './privately.ts';
import { actOf, done, replyTo, type Reply } from './replies.ts';

const shownSchema = z.object({ forMs: z.number(), uses: z.number(), untilMs: z.number(), sentence: z.string() });

async function fill(
  { acts, modals, inbox, context, clock }: Parts,
  value: ButtonValue,
  chosen: Partial<GrantChoice>,
): Promise<ModalView> {
  const [thread, { frozen }] = await Promise.all([inbox.read(acts.thread(value)), inbox.house()]);
  const found = requestOf(thread, value.approval);
  if (!found) return modals.refusal({ code: 'not_found' }, null);
  const { approval, call } = found;
  const over = noLongerOpen(approval, value.round);
  if (over) return modals.refusal({ ...over, approval: approval.id }, thread);
  if (!canGrant(approval, call)) return modals.refusal({ code: 'no_grant', approval: approval.id }, thread);
  if (frozen !== null && frozen !== 'unknown') return frozenGrantForm(thread, approval, context, frozen);
  const nowMs = clock.nowMs();
  const shown = grantOf(thread, approval, context, nowMs, chosen);
  return { ...grantForm(thread, approval, context, nowMs, chosen), private_metadata: JSON.stringify(shown) };
}

/** Opens the form with the rule's limits. */
export const openGrant = (parts: Parts, click: Click, to: Listener, value: ButtonValue): Promise<boolean> =>
  openForm(parts, click, to, () => fill(parts, value, {}));

const withOrigin = (view: ModalView, origin: Origin): ModalView => ({
  ...view,
  private_metadata: encodeOrigin({ ...origin, carried: view.private_metadata ?? '' }),
});

/** Another time or number of uses was chosen: the form is shown again with its sentence. */
export const grantSelects = (parts: Parts): Readonly<Record<string, Control>> => {
  const chosen: Control = async click => {
    const origin = decodeOrigin(click.view?.metadata ?? '');
    const value = origin && decodeButton(origin.value);
    if (!origin || !value || !click.view) return false;
    const choice = readGrantForm(click.view.fields) ?? {};
    const view = await fill(parts, value, choice);
    await parts.modals.replace({ view_id: click.view.id }, withOrigin(view, origin));
    return true;
  };
  return { [FORMS.time.action]: chosen, [FORMS.uses.action]: chosen };
};

/** Approve and allow, exactly as the sentence says. */
export async function submitGrant(parts: Parts, submission: Submission, origin: Origin): Promise<Reply | undefined> {
  const value = decodeButton(origin.value);
  const chosen = readGrantForm(submission.values);
  if (!value || !chosen) return undefined;
  const shown = shownSchema.safeParse(parsedJson(origin.carried)).data;
  const forMs = (shown?.untilMs ?? 0) - parts.clock.nowMs();
  if (shown?.forMs !== chosen.forMs || shown.uses !== chosen.uses || forMs <= 0)
    return { is: 'view', view: withOrigin(await fill(parts, value, chosen), origin) };
  const act = await actOf(parts, submission, origin, value, { approval: value.approval });
  const answer = await parts.inbox.decide(act, {
    approval: value.approval,
    round: value.round,
    verdict: 'approve',
    reason: null,
    then: null,
    origin: 'form',
    grant: { forMs, uses: shown.uses, sentence: shown.sentence },
  });
  // The same view has one sentence only, so that what came under its key before was this; just the time to its end is less.
  return answer.refusal?.code === 'key_reused' ? done : replyTo(parts, submission, answer, 'in_place');
}
