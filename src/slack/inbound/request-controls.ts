/** Owns what the controls of a request ask: approve, reject, review, edit, the ways of a choice, ask again, and the ⋯. */
import type { ModalView } from '@slack/web-api';
import { noLongerOpen } from '../../thread/decide/decision.ts';
import { decodeButton, type ButtonValue } from '../../thread/ids.ts';
import { at, type Approval, type Thread } from '../../thread/thread.ts';
import { ACTIONS, decodeMore, decodeOption, MORE } from '../views/actions.ts';
import { askForm, editForm, everythingForm, frozenEditForm, rejectForm, reviewForm } from '../views/forms.ts';
import type { Click } from './interactions.ts';
import { openForm, perform, tryOpenForm, type Control, type Parts } from './performing.ts';
import type { Listener } from './privately.ts';
import { openGrant } from './granting.ts';
import { openRecord } from './records.ts';

const APPROVE = { verdict: 'approve', reason: null, then: null, origin: 'click' } as const;
/** Refusals that the review form has the answer to: everything shown, and a reason. */
const NEEDS_FORM = new Set<string>(['reason_needed', 'review_needed']);

/** Forms about a request; `everything` only shows. */
type RequestForm = 'reject' | 'review' | 'edit' | 'ask' | 'everything';

/** The form for a request as it is now, or the sentence why there is none any more. */
async function fillForRequest(
  { acts, modals, inbox, context }: Parts,
  kind: RequestForm,
  click: Click,
  value: ButtonValue,
): Promise<ModalView> {
  const [thread, house] = await Promise.all([inbox.read(acts.thread(value)), inbox.house()]);
  const frozen = house.frozen === 'unknown' ? null : house.frozen;
  const approval = at(thread.approvals, value.approval);
  if (!approval) return modals.refusal({ code: 'not_found' }, null);
  const over = noLongerOpen(approval, value.round);
  if (over) return modals.refusal({ ...over, approval: approval.id, actor: click.by.user }, thread);
  const own = approval.requesters.includes(click.by.user);
  const forms: Readonly<Record<RequestForm, () => ModalView | undefined>> = {
    reject: () => rejectForm(thread, approval, context),
    review: () => reviewForm(thread, approval, context, { own, frozen }),
    edit: () =>
      frozen === null ? editForm(thread, approval, context) : frozenEditForm(thread, approval, context, frozen),
    ask: () => askForm(thread, approval, context),
    everything: () => everythingForm(thread, approval, context),
  };
  return forms[kind]() ?? modals.refusal({ code: 'not_found' }, thread);
}

/** The control words of a request. */
export function requestControls(parts: Parts): Readonly<Record<string, Control>> {
  const { inbox, acts } = parts;
  const open =
    (kind: RequestForm): Control =>
    async (click, to) => {
      const value = decodeButton(click.value);
      return value !== undefined && openForm(parts, click, to, () => fillForRequest(parts, kind, click, value));
    };

  async function decide(click: Click, to: Listener, value: ButtonValue, index: number | null): Promise<boolean> {
    const of = { thread: value, id: `${value.approval}.${value.round}`, about: { approval: value.approval } };
    await perform(parts, click, to, of, async act => {
      const thread = index === null ? null : await inbox.read(act.thread);
      const option = index === null ? undefined : optionAt(thread, value, index);
      const answer = await inbox.decide(act, {
        ...APPROVE,
        approval: value.approval,
        round: value.round,
        ...(option === undefined ? {} : { option }),
      });
      const inForm = answer.refusal !== null && NEEDS_FORM.has(answer.refusal.code);
      const opened = inForm && (await tryOpenForm(parts, click, () => fillForRequest(parts, 'review', click, value)));
      return opened ? { ...answer, refusal: null } : answer;
    });
    return true;
  }

  const approve: Control = async (click, to) => {
    const value = decodeButton(click.value);
    return value !== undefined && decide(click, to, value, null);
  };
  const choose: Control = async (click, to) => {
    const read = decodeOption(click.value);
    return read !== undefined && decide(click, to, read.value, read.index);
  };
  const askAgain: Control = async (click, to) => {
    const value = decodeButton(click.value);
    if (!value) return false;
    const of = { thread: value, id: `${value.approval}.${value.round}`, about: { approval: value.approval } };
    await perform(parts, click, to, of, async act => {
      const thread = await inbox.read(act.thread);
      const call = at(thread.approvals, value.approval)?.call;
      if (call !== undefined) return inbox.askAgain(act, call);
      return { refusal: { code: 'not_found' }, thread, workspace: { version: 0, frozen: null } };
    });
    return true;
  };
  const more: Control = async (click, to) => {
    const read = decodeMore(click.value);
    const value = read && decodeButton(read.value);
    if (!value) return false;
    const inner = { ...click, value: read.value };
    switch (read.more) {
      case MORE.record:
        return openRecord(parts, inner, to, { thread: acts.thread(value), approval: value.approval });
      case MORE.grant:
        return openGrant(parts, inner, to, value);
      case MORE.ask:
      case MORE.everything: {
        const kind = read.more;
        return openForm(parts, inner, to, () => fillForRequest(parts, kind, inner, value));
      }
    }
  };

  return {
    [ACTIONS.approve]: approve,
    [ACTIONS.reject]: open('reject'),
    [ACTIONS.review]: open('review'),
    [ACTIONS.edit]: open('edit'),
    [ACTIONS.option]: choose,
    [ACTIONS.optionSelect]: choose,
    [ACTIONS.askAgain]: askAgain,
    [ACTIONS.more]: more,
  };
}

/** The way that stood at this place; a place without one asks for one that is not offered, which is refused. */
const optionAt = (thread: Thread | null, { approval }: Pick<ButtonValue, 'approval'>, index: number): string => {
  const request: Approval | undefined = thread ? at(thread.approvals, approval) : undefined;
  return request?.options[index]?.value ?? `#${index}`;
};
