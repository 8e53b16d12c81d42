/**
 * Owns what each control asks of the worker. Called after the acknowledgement; a lost click leaves a live card.
 *
 * 1. The key of a click is made of what was clicked, by whom and when Slack says; the same click twice counts once. 2. A
 * control that is not known, or whose value is not ours, is answered `unknown_control`.
 */
import { decodeButton } from '../../thread/ids.ts';
import { at } from '../../thread/thread.ts';
import type { Act, Answer, Inbox } from '../../worker/ports.ts';
import { ACTIONS, decodeDoubt, decodeMessage, decodeRun } from '../views/actions.ts';
import type { Acts } from './acts.ts';
import type { Click } from './bodies.ts';
import type { Forms } from './forms.ts';
import type { Listener, Respond } from './privately.ts';

export interface ClickOptions {
  readonly acts: Acts;
  readonly forms: Forms;
  readonly inbox: Inbox;
  readonly environment: string;
  /** The environment that a message of ours was written by; null when it is none, or cannot be read. */
  readonly environmentOf: (place: Click['place']) => Promise<string | null>;
}

const DOUBTS = {
  [ACTIONS.doubtRan]: 'ran',
  [ACTIONS.doubtNotRun]: 'not_run',
  [ACTIONS.doubtAbandon]: 'abandoned',
} as const;

const APPROVE = { verdict: 'approve', reason: null, then: null, origin: 'click' } as const;
/** Refusals that the review form has the answer to: everything shown, and a reason. */
const NEEDS_FORM = new Set<string>(['reason_needed', 'review_needed']);

export class Clicks {
  readonly #options: ClickOptions;

  constructor(options: ClickOptions) {
    this.#options = options;
  }

  /** Carries a click out, or says privately why not. Never throws. */
  async clicked(click: Click, respond: Respond | null): Promise<void> {
    const { acts, environment } = this.#options;
    const to: Listener = {
      user: click.by.user,
      channel: click.place.channel,
      threadTs: click.threadTs,
      respond,
    };
    if (!acts.isOurs(click.installed)) return acts.refuse(to, { code: 'not_found' }, null);
    if (click.environment !== null && click.environment !== environment)
      return acts.refuse(to, { code: 'other_environment' }, null);
    const known = await this.#route(click, to);
    if (!known) await acts.refuse(to, { code: 'unknown_control' }, null);
  }

  /** False when the control or its value is not known. */
  async #route(click: Click, to: Listener): Promise<boolean> {
    switch (click.action) {
      case ACTIONS.approve:
      case ACTIONS.reject:
      case ACTIONS.review:
      case ACTIONS.askAgain:
        return this.#onRequest(click, to);
      case ACTIONS.doubtRan:
      case ACTIONS.doubtNotRun:
      case ACTIONS.doubtAbandon:
        return this.#onDoubt(click, to, DOUBTS[click.action]);
      case ACTIONS.cancel: {
        const read = decodeRun(click.value);
        if (!read) return false;
        await this.#perform(click, to, read.thread, read.run, act => this.#options.inbox.cancel(act, read.run));
        return true;
      }
      case ACTIONS.useInstead:
      case ACTIONS.keepWaiting: {
        const read = decodeMessage(click.value);
        if (!read) return false;
        const { inbox } = this.#options;
        await this.#perform(click, to, read.thread, read.message, act =>
          click.action === ACTIONS.useInstead
            ? inbox.useInstead(act, read.message)
            : inbox.keepWaiting(act, read.message),
        );
        return true;
      }
      default:
        return false;
    }
  }

  async #onRequest(click: Click, to: Listener): Promise<boolean> {
    const value = decodeButton(click.value);
    if (!value) return false;
    const { inbox, forms, acts } = this.#options;
    const id = `${value.approval}.${value.round}`;
    if (click.action === ACTIONS.reject) await forms.open('reject', click, value, to);
    else if (click.action === ACTIONS.review) await forms.open('review', click, value, to);
    else if (click.action === ACTIONS.askAgain)
      await this.#perform(click, to, value, id, async act => {
        const thread = await inbox.read(acts.thread(value));
        const call = at(thread.approvals, value.approval)?.call;
        if (call === undefined) return { refusal: { code: 'not_found' }, thread };
        return inbox.askAgain(act, call);
      });
    else
      await this.#perform(click, to, value, id, async act => {
        const answer = await inbox.decide(act, { ...APPROVE, approval: value.approval, round: value.round });
        const inForm = answer.refusal !== null && NEEDS_FORM.has(answer.refusal.code);
        const opened = inForm && (await forms.tryOpen('review', click, value));
        return opened ? { ...answer, refusal: null } : answer;
      });
    return true;
  }

  async #onDoubt(click: Click, to: Listener, as: (typeof DOUBTS)[keyof typeof DOUBTS]): Promise<boolean> {
    const read = decodeDoubt(click.value);
    if (!read) return false;
    const { call, attempt } = read;
    await this.#perform(click, to, read.thread, `${call}.${attempt}`, act =>
      this.#options.inbox.settle(act, { call, attempt, as }),
    );
    return true;
  }

  async #perform(
    click: Click,
    to: Listener,
    thread: Parameters<Acts['thread']>[0],
    id: string,
    ask: (act: Act) => Promise<Answer>,
  ): Promise<void> {
    const { acts, environment, environmentOf } = this.#options;
    const act: Act = {
      thread: acts.thread(thread),
      actor: click.by,
      place: click.place,
      key: `${id}.${click.by.user}.${click.actionTs}`,
    };
    await acts.perform(to, async () => {
      const answer = await ask(act);
      if (answer.refusal?.code !== 'not_found') return answer;
      // Two Countersigns may share one Slack app; the other one's card is not in our log.
      const written = await environmentOf(click.place);
      const other = written !== null && written !== environment;
      return other ? { ...answer, refusal: { ...answer.refusal, code: 'other_environment' } } : answer;
    });
  }
}
