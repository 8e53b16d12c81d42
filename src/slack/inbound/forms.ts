/**
 * Owns how a form that somebody sends is answered in time, whatever the worker needs for it.
 *
 * 1. Slack waits 3 s, so the worker is waited for at most `ANSWER_MS`. What takes longer is shown when it is known, in a view
 * above the form: the form below keeps what was filled in, and Back leads to it. 2. Nothing that was filled in is lost by
 * an answer that does not take it. 3. Who has closed the forms meanwhile is told privately what went wrong.
 */
import type { ModalView } from '@slack/web-api';
import { keptForm, overForm, workingForm } from '../views/forms-after.ts';
import { plain, words, type Line } from '../views/line.ts';
import { formActs, type FormAct } from './form-acts.ts';
import type { Submission } from './interactions.ts';
import { decodeOrigin, type Origin } from './origin.ts';
import type { Parts } from './performing.ts';
import type { Listener } from './privately.ts';
import { done, kept, type Reply, type Said } from './replies.ts';

/** What Slack takes as the answer to a form. */
export type FormAck =
  | undefined
  | { readonly response_action: 'clear' }
  | { readonly response_action: 'update' | 'push'; readonly view: ModalView }
  | { readonly response_action: 'errors'; readonly errors: Record<string, string> };

/** Slack waits 3 s for the acknowledgement. */
const ANSWER_MS = 2_000;
/** Slack may show a view a little after it was told to; until then it does not know the view's name. */
const SHOWN_AFTER_MS = [0, 100, 300, 600, 1_000] as const;

export class Forms {
  readonly #parts: Parts;
  readonly #acts: Readonly<Record<string, FormAct>>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#acts = formActs(parts);
  }

  /** Acknowledges a form within Slack's time and carries it out. Never throws but what `ack` throws. */
  async submitted(submission: Submission, ack: (answer: FormAck) => Promise<void>): Promise<void> {
    const { acts, clock, environment } = this.#parts;
    const origin = decodeOrigin(submission.metadata);
    const act = Object.hasOwn(this.#acts, submission.form) ? this.#acts[submission.form] : undefined;
    if (!origin || !act) return ack(undefined);
    const { place, threadTs } = origin;
    const { user } = submission.by;
    const channel = place?.channel ?? null;
    const to: Listener = { user, channel, threadTs, respond: null, trigger: submission.trigger };
    const isOurs = acts.isOurs(submission.installed);
    if (!isOurs || origin.environment !== environment) {
      await ack(undefined);
      return acts.refuse(to, { code: isOurs ? 'other_environment' : 'not_found' }, null);
    }
    const work = this.#carriedOut(act, submission, origin);
    const patience = new AbortController();
    const inTime = await Promise.race([work, clock.sleep(ANSWER_MS, patience.signal).then(() => undefined)]);
    patience.abort();
    if (inTime === undefined) return this.#late(submission, to, work, ack);
    const inPlace = inTime.is === 'over' && inTime.told === 'in_place' && channel !== null ? inTime.lines : [];
    await ack(inPlace.length > 0 ? { response_action: 'clear' } : this.#ackOf(inTime, submission));
    for (const line of inPlace) await acts.say(to, line);
  }

  async #carriedOut(act: FormAct, submission: Submission, origin: Origin): Promise<Reply> {
    try {
      return (await act(submission, origin)) ?? done;
    } catch (error) {
      return kept(submission, this.#parts.acts.failure(submission.by.user, error));
    }
  }

  /** Shows that the form is being worked on, and what came of it when that is known. */
  async #late(
    submission: Submission,
    to: Listener,
    work: Promise<Reply>,
    ack: (answer: FormAck) => Promise<void>,
  ): Promise<void> {
    const { modals, clock, acts, context } = this.#parts;
    // Slack gives no id to who pushes a view; the trigger is another one each time.
    const external_id = `late.${submission.trigger ?? `${submission.key}.${clock.nowMs()}`}`;
    await ack({ response_action: 'push', view: { ...workingForm(context), external_id } });
    const reply = await work;
    const view = this.#viewOf(reply, submission);
    for (const afterMs of SHOWN_AFTER_MS) {
      await clock.sleep(afterMs);
      if (await modals.replace({ external_id }, view)) return;
    }
    for (const line of linesOf(reply)) await acts.say(to, line);
  }

  #ackOf(reply: Reply, submission: Submission): FormAck {
    switch (reply.is) {
      case 'over':
        return reply.lines.length === 0
          ? { response_action: 'clear' }
          : { response_action: 'update', view: this.#viewOf(reply, submission) };
      case 'kept':
        return underFields(reply.says) ?? { response_action: 'push', view: this.#viewOf(reply, submission) };
      case 'view':
        return { response_action: 'update', view: reply.view };
      case 'above':
        return { response_action: 'push', view: reply.view };
    }
  }

  /** The answer as a view of its own. */
  #viewOf(reply: Reply, { values }: Submission): ModalView {
    const { context } = this.#parts;
    if (reply.is === 'over') return overForm(reply.lines, context);
    if (reply.is === 'kept') {
      const filled = Object.keys(values).length > 0;
      return keptForm(
        reply.says.map(({ text }) => text),
        filled,
        context,
      );
    }
    return reply.view;
  }
}

/** What stands under fields; undefined where some of it is about the form as a whole. */
function underFields(says: readonly Said[]): FormAck {
  const errors: Record<string, string> = {};
  for (const { under, text } of says) {
    if (under === null) return undefined;
    errors[under] = typeof text === 'string' ? text : plain(text);
  }
  return { response_action: 'errors', errors };
}

function linesOf(reply: Reply): readonly Line[] {
  if (reply.is === 'over') return reply.lines;
  return reply.is === 'kept' ? reply.says.map(({ text }) => (typeof text === 'string' ? [words(text)] : text)) : [];
}
