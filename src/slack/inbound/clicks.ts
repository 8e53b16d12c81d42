/**
 * Owns what each control asks of the worker. Called after the acknowledgement; a lost click leaves a live card.
 *
 * 1. A control that is not known, or whose value is not ours, is answered `unknown_control`. 2. A control of another
 * environment is refused as such, be it on a message, on Home or in a form.
 */
import type { Click } from './interactions.ts';
import { grantSelects } from './granting.ts';
import { houseControls } from './house-controls.ts';
import { decodeOrigin } from './origin.ts';
import type { Control, Parts } from './performing.ts';
import type { Listener, Respond } from './privately.ts';
import { questionControls } from './question-controls.ts';
import { requestControls } from './request-controls.ts';
import { workControls } from './work-controls.ts';

export class Clicks {
  readonly #parts: Parts;
  readonly #controls: Readonly<Record<string, Control>>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#controls = {
      ...requestControls(parts),
      ...questionControls(parts),
      ...workControls(parts),
      ...houseControls(parts),
      ...grantSelects(parts),
    };
  }

  /** Carries a click out, or says privately why not. Never throws. */
  async clicked(click: Click, respond: Respond | null): Promise<void> {
    const { acts, environment } = this.#parts;
    const origin = click.view === null ? undefined : decodeOrigin(click.view.metadata);
    // What was clicked in a form is an act on the message from which the form was opened.
    const from = {
      ...click,
      place: click.place ?? origin?.place ?? null,
      threadTs: click.threadTs ?? origin?.threadTs ?? null,
    };
    const to: Listener = {
      user: click.by.user,
      channel: click.channel ?? from.place?.channel ?? null,
      threadTs: from.threadTs,
      respond,
      trigger: click.trigger,
    };
    if (!acts.isOurs(click.installed)) return acts.refuse(to, { code: 'not_found' }, null);
    const written = click.environment ?? origin?.environment ?? null;
    if (written !== null && written !== environment) return acts.refuse(to, { code: 'other_environment' }, null);
    if (!(await this.#carryOut(from, to))) await acts.refuse(to, { code: 'unknown_control' }, null);
  }

  async #carryOut(click: Click, to: Listener): Promise<boolean> {
    // Buttons of one row have ids of their own: `option_0`, `answer_2`.
    const names = [click.action, click.action.replace(/_\d{1,3}$/, '')];
    const name = names.find(each => Object.hasOwn(this.#controls, each));
    const control = name === undefined ? undefined : this.#controls[name];
    if (!control) return false;
    try {
      return await control(click, to);
    } catch (error) {
      await this.#parts.acts.failed(to, error);
      return true;
    }
  }
}
