/**
 * The two one-way tickets that an interaction carries: a trigger id (opens one form, within three seconds, once) and a
 * response URL (answers five times, within thirty minutes).
 */
import { limits } from '../limits.ts';
import type { Collection, Storage } from './storage.ts';
import type { WorkspaceClock, WorkspaceIds } from './time.ts';

export interface Trigger {
  readonly user: string;
  /** The form in which the interaction took place, if it was in one. */
  readonly viewId?: string;
}

export interface ResponseTicket {
  readonly user: string;
  readonly channel: string;
  /** The message in which the click took place, if there was one. */
  readonly messageTs?: string;
  readonly threadTs?: string;
  readonly ephemeral: boolean;
  readonly expiresAtMs: number;
  readonly uses: number;
}

export type TriggerOutcome = Trigger | 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id';

export class Tickets {
  readonly #clock: WorkspaceClock;
  readonly #ids: WorkspaceIds;
  readonly #triggers = new Map<string, { trigger: Trigger; issuedAtMs: number; used: boolean }>();
  readonly #responses: Collection<ResponseTicket>;

  constructor(storage: Storage, clock: WorkspaceClock, ids: WorkspaceIds) {
    this.#clock = clock;
    this.#ids = ids;
    this.#responses = storage.collection<ResponseTicket>('response');
  }

  /** A fresh trigger id for an interaction of this person. */
  issueTrigger(trigger: Trigger): string {
    const issuedAtMs = this.#clock.nowMs();
    for (const [id, one] of this.#triggers) {
      if (issuedAtMs - one.issuedAtMs > 100 * limits.trigger.livesMs) this.#triggers.delete(id);
    }
    const id = `${issuedAtMs}.${this.#triggers.size}.${this.#ids.hex(32)}`;
    this.#triggers.set(id, { trigger, issuedAtMs, used: false });
    return id;
  }

  /** Looks whether a trigger id may still be used, without using it. */
  checkTrigger(id: string): TriggerOutcome {
    const known = this.#triggers.get(id);
    if (!known) return 'invalid_trigger_id';
    if (known.used) return 'exchanged_trigger_id';
    if (this.#clock.nowMs() - known.issuedAtMs > limits.trigger.livesMs) return 'expired_trigger_id';
    return known.trigger;
  }

  useTrigger(id: string): void {
    const known = this.#triggers.get(id);
    if (known) known.used = true;
  }

  /** A fresh ticket for a response URL; the URL's last part. */
  issueResponse(ticket: Omit<ResponseTicket, 'expiresAtMs' | 'uses'>): string {
    const id = this.#ids.hex(48);
    for (const old of this.#responses.keys()) {
      if ((this.#responses.get(old)?.expiresAtMs ?? 0) < this.#clock.nowMs()) this.#responses.delete(old);
    }
    this.#responses.put(id, { ...ticket, expiresAtMs: this.#clock.nowMs() + limits.responseUrl.livesMs, uses: 0 });
    return id;
  }

  /** Uses a response URL once: its ticket, or why not. */
  useResponse(id: string): ResponseTicket | 'expired_url' | 'used_url' {
    const ticket = this.#responses.get(id);
    if (!ticket || ticket.expiresAtMs < this.#clock.nowMs()) return 'expired_url';
    if (ticket.uses >= limits.responseUrl.uses) return 'used_url';
    this.#responses.put(id, { ...ticket, uses: ticket.uses + 1 });
    return ticket;
  }
}
