/**
 * Owns the join with Bolt: an app whose deliveries pass the intake first, and listeners that acknowledge before any I/O.
 *
 * 1. A message is in the log before it is acknowledged; if the log does not take it, nothing is, and Slack sends it again.
 * 2. Clicks and commands are acknowledged first, since Slack does not send them again and waits only 3 s; a form within that
 * time, with what came of it, so that what was filled in is not lost when nothing did. 3. Whatever else arrives is acknowledged; who uses a control that is not
 * known is told so.
 */
import { App, type AppOptions, type ReceiverEvent } from '@slack/bolt';
import { readEvent, type EventBody } from './bodies.ts';
import type { Clicks } from './clicks.ts';
import type { Commands } from './commands.ts';
import type { FormAck, Forms } from './forms.ts';
import type { Intake } from './intake.ts';
import { readClick, readCommand, readShortcut, readSubmission, type Shortcut } from './interactions.ts';
import type { Respond } from './privately.ts';

export interface Inbound {
  readonly intake: Intake;
  readonly clicks: Clicks;
  readonly forms: Forms;
  readonly commands: Commands;
  readonly shortcut: (used: Shortcut) => Promise<void>;
  /** Hears of every event before it is acknowledged; for caches. */
  readonly noticed: (event: EventBody['event']) => void;
  /** Hears of every event of our team after it was acknowledged; for what is cosmetic. Never throws. */
  readonly happened: (event: EventBody) => Promise<void>;
}

/** A Bolt app behind the intake. Deliveries that come before `open` are not acknowledged, so that Slack sends them again. */
export class IntakeApp extends App {
  #inbound: Inbound | null = null;
  readonly #busy = new Set<Promise<unknown>>();

  constructor(options: AppOptions) {
    super(options);
    this.#register();
  }

  /** From now on deliveries are taken. */
  open(inbound: Inbound): void {
    this.#inbound = inbound;
  }

  /** Resolves when everything that was acknowledged has been carried out. */
  async idle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.allSettled(this.#busy);
  }

  override async processEvent(event: ReceiverEvent): Promise<void> {
    const inbound = this.#inbound;
    if (!inbound) return;
    await inbound.intake.take(event.body);
    const delivery = readEvent(event.body);
    if (delivery) inbound.noticed(delivery.event);
    let acknowledged = false;
    const ack: ReceiverEvent['ack'] = async response => {
      acknowledged = true;
      await event.ack(response);
    };
    await super.processEvent({ ...event, ack });
    if (!acknowledged) await event.ack();
    if (delivery) await this.#busyWith(inbound.happened(delivery));
  }

  #register(): void {
    this.action(/^[^]*$/, async ({ ack, body, respond }) => {
      await ack();
      await this.#carryOut(async ({ clicks }) => {
        const click = readClick(body);
        if (click) await clicks.clicked(click, respond as Respond);
      });
    });
    this.view({ callback_id: /^[^]*$/, type: 'view_submission' }, async ({ ack, body }) => {
      const submission = readSubmission(body);
      const answer = async (reply: FormAck): Promise<void> => (reply === undefined ? ack() : ack(reply));
      if (!submission || !this.#inbound) return answer(undefined);
      await this.#carryOut(({ forms }) => forms.submitted(submission, answer));
    });
    this.view({ callback_id: /^[^]*$/, type: 'view_closed' }, async ({ ack }) => ack());
    this.options(/^[^]*$/, async ({ ack }) => ack({ options: [] }));
    this.command(/^[^]*$/, async ({ ack, body, respond }) => {
      await ack();
      await this.#carryOut(async ({ commands }) => {
        const typed = readCommand(body);
        if (typed) await commands.typed(typed, respond as Respond);
      });
    });
    this.shortcut(/^[^]*$/, async ({ ack, body }) => {
      await ack();
      await this.#carryOut(async ({ shortcut }) => {
        const used = readShortcut(body);
        if (used) await shortcut(used);
      });
    });
  }

  async #carryOut(job: (inbound: Inbound) => Promise<void>): Promise<void> {
    if (this.#inbound) await this.#busyWith(job(this.#inbound));
  }

  async #busyWith(work: Promise<void>): Promise<void> {
    this.#busy.add(work);
    try {
      await work;
    } finally {
      this.#busy.delete(work);
    }
  }
}
