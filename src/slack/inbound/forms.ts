/**
 * Owns the forms on their way to a person and back: opened at once as a loading view, filled when the thread has been read,
 * carried out after the acknowledgement.
 *
 * 1. `private_metadata` holds the button's value and the card's place. 2. A form that was opened on an earlier round is
 * refused like a click on it: its round travels with it.
 */
import type { ModalView } from '@slack/web-api';
import { z } from 'zod';
import { noLongerOpen } from '../../thread/decide/decision.ts';
import { decodeButton, type ButtonValue, type ChannelId, type MessageTs } from '../../thread/ids.ts';
import { at, type Thread } from '../../thread/thread.ts';
import { LogDamaged, type Act, type Inbox } from '../../worker/ports.ts';
import type { SlackApi } from '../api.ts';
import { FORMS } from '../views/actions.ts';
import { penOf, type RenderContext } from '../views/context.ts';
import { type FormValues, loadingForm, noticeForm, readForm, rejectForm, reviewForm } from '../views/forms.ts';
import { refusalLine, type Answer as Sentence } from '../views/refusals.ts';
import type { Acts } from './acts.ts';
import type { Click, Submission } from './bodies.ts';
import type { Listener } from './privately.ts';

export type FormKind = 'reject' | 'review';

export interface FormOptions {
  readonly acts: Acts;
  readonly api: SlackApi;
  readonly inbox: Inbox;
  readonly context: RenderContext;
}

/** The card that a form was opened from, and the thread in which it stands, if any. */
type Origin = Pick<Click, 'place' | 'threadTs'>;

const opened = z.looseObject({ view: z.looseObject({ id: z.string(), hash: z.string() }) });

const GONE = new Set(['not_found', 'hash_conflict', 'view_not_found']);

const encodeMetadata = (value: string, { place, threadTs }: Origin): string =>
  [value, place.channel, place.ts, ...(threadTs === null ? [] : [threadTs])].join(' ');

function decodeMetadata(text: string): ({ readonly value: ButtonValue } & Origin) | undefined {
  const [button = '', channel = '', ts = '', threadTs] = text.split(' ');
  const value = decodeButton(button);
  if (!value || !channel || !ts) return undefined;
  const place = { channel: channel as ChannelId, ts: ts as MessageTs };
  return { value, place, threadTs: (threadTs ?? null) as MessageTs | null };
}

export class Forms {
  readonly #options: FormOptions;

  constructor(options: FormOptions) {
    this.#options = options;
  }

  /** Opens a form for the request on the clicked card, or says privately that it could not. Resolves when it is filled. */
  async open(kind: FormKind, click: Click, value: ButtonValue, to: Listener): Promise<void> {
    const { acts } = this.#options;
    if (!(await this.tryOpen(kind, click, value))) await acts.lost(to, 'notOpened');
  }

  /** False when Slack opened no form or did not take its content; nothing was said then. Never throws. */
  async tryOpen(kind: FormKind, click: Click, value: ButtonValue): Promise<boolean> {
    const { api, context } = this.#options;
    const view = loadingForm(context);
    const answer = await api('views.open', { trigger_id: click.trigger ?? '', view });
    const shown = answer.is === 'ok' ? opened.safeParse(answer.data).data?.view : undefined;
    if (!shown) return false;
    const filled = await this.#read(kind, click, value);
    const update = await api('views.update', { view_id: shown.id, hash: shown.hash, view: filled });
    // A form that its reader has closed meanwhile is no failure.
    return update.is === 'ok' || (update.is === 'refused' && GONE.has(update.code));
  }

  async #read(kind: FormKind, click: Click, value: ButtonValue): Promise<ModalView> {
    const { acts, inbox, context } = this.#options;
    try {
      return this.#fill(kind, await inbox.read(acts.thread(value)), click, value);
    } catch (error) {
      if (error instanceof LogDamaged) return this.#notice({ code: 'thread_damaged' }, null);
      return noticeForm(penOf(context).texts.lost.notCounted, context);
    }
  }

  #fill(kind: FormKind, thread: Thread, click: Click, value: ButtonValue): ModalView {
    const approval = at(thread.approvals, value.approval);
    if (!approval) return this.#notice({ code: 'not_found' }, null);
    const over = noLongerOpen(approval, value.round);
    if (over) return this.#notice({ ...over, approval: approval.id, actor: click.by.user }, thread);
    const form =
      kind === 'reject'
        ? rejectForm(thread, approval, this.#options.context)
        : reviewForm(thread, approval, this.#options.context, approval.requesters.includes(click.by.user));
    if (!form) return this.#notice({ code: 'not_found' }, thread);
    return { ...form, private_metadata: encodeMetadata(click.value, click) };
  }

  #notice(sentence: Sentence, thread: Thread | null): ModalView {
    return noticeForm(refusalLine(sentence, thread, this.#options.context), this.#options.context);
  }

  /** Carries a form out; call it after the acknowledgement. */
  async submitted(submission: Submission): Promise<void> {
    const { acts, inbox } = this.#options;
    const read = decodeMetadata(submission.metadata);
    const verdict = submission.form === FORMS.review ? 'approve' : submission.form === FORMS.reject ? 'reject' : null;
    if (!read || verdict === null) return;
    const { value, place, threadTs } = read;
    const to: Listener = { user: submission.by.user, channel: place.channel, threadTs, respond: null };
    if (!acts.isOurs(submission.installed)) return acts.refuse(to, { code: 'not_found' }, null);
    const { reason, then } = readForm(submission.values as FormValues);
    const act: Act = { thread: acts.thread(value), actor: submission.by, place, key: submission.key };
    await acts.perform(to, () =>
      inbox.decide(act, {
        approval: value.approval,
        round: value.round,
        verdict,
        reason,
        then: verdict === 'reject' ? then : null,
        origin: 'form',
      }),
    );
  }
}
