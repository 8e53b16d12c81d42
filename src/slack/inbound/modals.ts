/**
 * Owns how a form gets in front of a person: opened at once with the loading view, filled when its content is known.
 *
 * 1. A trigger lives 3 s and works once, so nothing is read before it is used. 2. A form that its reader has closed
 * meanwhile is no failure.
 */
import type { ModalView } from '@slack/web-api';
import { z } from 'zod';
import { LogDamaged } from '../../worker/ports.ts';
import type { SlackApi } from '../api.ts';
import { penOf, type RenderContext } from '../views/context.ts';
import { loadingForm, noticeForm } from '../views/modal.ts';
import { refusalLine, type Answer as Sentence } from '../views/refusals.ts';
import type { Line } from '../views/line.ts';
import type { Thread } from '../../thread/thread.ts';

const opened = z.looseObject({ view: z.looseObject({ id: z.string(), hash: z.string() }) });
const GONE = new Set(['not_found', 'hash_conflict', 'view_not_found']);

/** A form above another one, or a form of its own. */
export type How = 'open' | 'push';

export class Modals {
  readonly #api: SlackApi;
  readonly #context: RenderContext;
  readonly #note: (message: string) => void;

  constructor(api: SlackApi, context: RenderContext, note: (message: string) => void) {
    this.#api = api;
    this.#context = context;
    this.#note = note;
  }

  /** False when Slack opened no form or did not take its content; nothing was said then. Never throws. */
  async show(trigger: string | null, how: How, fill: () => Promise<ModalView>): Promise<boolean> {
    if (trigger === null) return false;
    const answer = await this.#api(`views.${how}`, { trigger_id: trigger, view: loadingForm(this.#context) });
    const shown = answer.is === 'ok' ? opened.safeParse(answer.data).data?.view : undefined;
    if (!shown) return false;
    const update = await this.#api('views.update', {
      view_id: shown.id,
      hash: shown.hash,
      view: await this.orNotice(fill),
    });
    return update.is === 'ok' || (update.is === 'refused' && GONE.has(update.code));
  }

  /** Puts a view in the place of an open one, which Slack or we have named; false when it is not open (yet, or any more). */
  async replace(open: { view_id: string } | { external_id: string }, view: ModalView): Promise<boolean> {
    return (await this.#api('views.update', { ...open, view })).is === 'ok';
  }

  /** The view, or the sentence why there is none. */
  async orNotice(fill: () => Promise<ModalView>): Promise<ModalView> {
    try {
      return await fill();
    } catch (error) {
      this.#note(`A form could not be filled: ${error instanceof Error ? error.name : 'error'}.`);
      if (error instanceof LogDamaged) return this.refusal({ code: 'thread_damaged' }, null);
      return this.notice(penOf(this.#context).texts.lost.notCounted);
    }
  }

  notice(line: Line): ModalView {
    return noticeForm(line, this.#context);
  }

  refusal(sentence: Sentence, thread: Thread | null): ModalView {
    return this.notice(refusalLine(sentence, thread, this.#context));
  }
}
