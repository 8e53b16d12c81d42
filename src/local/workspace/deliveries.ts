/**
 * What is on its way to the app: events, clicks, forms and commands, as Socket Mode envelopes.
 *
 * Invariants:
 * 1. An event is kept until it was acknowledged, or until Slack's three retries (at once, after 1 min, after 5 min) ran
 *    out while the app was connected. A lost connection costs no retry; without one, events wait.
 * 2. A click, form or command is sent once. One that could not be sent waits for a connection, but not for long.
 * 3. Envelopes leave in the order in which they came about.
 */
import type { Json, JsonObject } from '../json.ts';
import type { Collection, Storage } from './storage.ts';
import type { WorkspaceClock, WorkspaceIds } from './time.ts';
import { limits } from '../limits.ts';

export type EnvelopeType = 'events_api' | 'interactive' | 'slash_commands';

export interface Delivery {
  readonly number: number;
  readonly type: EnvelopeType;
  readonly payload: JsonObject;
  readonly createdAtMs: number;
  /** How often it was sent, and how many of those times nobody answered in time. */
  readonly sent: number;
  readonly timeouts: number;
  readonly dueAtMs: number;
}

/** A live socket of the app. */
export interface Connection {
  send(text: string): void;
}

export type Answer = { readonly kind: 'acknowledged'; readonly payload: Json | undefined } | { readonly kind: 'lost' };

interface InFlight {
  readonly delivery: Delivery;
  readonly connection: Connection;
  readonly stopTimer: () => void;
}

export interface DeliveriesParts {
  readonly storage: Storage;
  readonly clock: WorkspaceClock;
  readonly ids: WorkspaceIds;
  /** Called when the first connection came or the last one went. */
  readonly onConnectedChange: (connected: boolean) => void;
}

export class Deliveries {
  readonly #parts: DeliveriesParts;
  readonly #waiting: Collection<Delivery>;
  readonly #connections: Connection[] = [];
  readonly #inFlight = new Map<string, InFlight>();
  readonly #numbersInFlight = new Set<number>();
  readonly #answers = new Map<number, (answer: Answer) => void>();
  #recent: Delivery[] = [];
  #last: number;
  #turn = 0;
  #toLose = 0;
  #stopRetryTimer: () => void = () => {};

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
    this.#waiting = parts.storage.collection<Delivery>('delivery');
    this.#last = parts.storage.collection<number>('mark').get('delivery') ?? 0;
    // A click that had been sent when the process ended is lost, as it would be in Slack.
    for (const one of this.#waiting.list()) if (one.type !== 'events_api' && one.sent > 0) this.#forget(one);
  }

  get connected(): boolean {
    return this.#connections.length > 0;
  }

  /** Everything not yet acknowledged, oldest first. */
  pending(): Delivery[] {
    return this.#waiting.list();
  }

  /** Puts something on its way, durably. `onAnswer` hears the acknowledgement, or that there will be none. */
  add(type: EnvelopeType, payload: JsonObject, onAnswer?: (answer: Answer) => void): number {
    const { storage, clock } = this.#parts;
    const number = (this.#last += 1);
    const nowMs = clock.nowMs();
    storage.collection<number>('mark').put('delivery', number);
    this.#keep({ number, type, payload, createdAtMs: nowMs, sent: 0, timeouts: 0, dueAtMs: nowMs });
    if (onAnswer) this.#answers.set(number, onAnswer);
    storage.afterCommit(() => this.#sendIfWaiting(number));
    return number;
  }

  /** Takes back what was not acknowledged; whoever waits for its answer is told nothing more. */
  withdraw(number: number): void {
    this.#answers.delete(number);
    const delivery = this.#waiting.get(key(number));
    if (delivery) this.#forget(delivery);
  }

  attach(connection: Connection): void {
    this.#connections.push(connection);
    if (this.#connections.length === 1) this.#parts.onConnectedChange(true);
    this.#pump();
  }

  /** A connection went: what it had not acknowledged goes to the next one (events), or is lost (clicks and forms). */
  detach(connection: Connection): void {
    const index = this.#connections.indexOf(connection);
    if (index < 0) return;
    this.#connections.splice(index, 1);
    for (const [envelopeId, flight] of this.#inFlight) {
      if (flight.connection !== connection) continue;
      this.#land(envelopeId, flight);
      if (flight.delivery.type === 'events_api') this.#keep({ ...flight.delivery, dueAtMs: this.#parts.clock.nowMs() });
      else this.#lose(flight.delivery);
    }
    if (this.#connections.length === 0) this.#parts.onConnectedChange(false);
    this.#pump();
  }

  /** The app acknowledged an envelope. Unknown or late ids are ignored, as Slack does. */
  acknowledge(envelopeId: string, payload: Json | undefined): void {
    const flight = this.#inFlight.get(envelopeId);
    if (!flight) return;
    this.#land(envelopeId, flight);
    this.#forget(flight.delivery);
    this.#recent = [...this.#recent, flight.delivery].slice(-limits.delivery.remembered);
    const answer = this.#answers.get(flight.delivery.number);
    this.#answers.delete(flight.delivery.number);
    answer?.({ kind: 'acknowledged', payload });
  }

  /** Sends everything that waits for a later retry now. */
  retryNow(): void {
    const nowMs = this.#parts.clock.nowMs();
    for (const one of this.#waiting.list()) if (!this.#isInFlight(one)) this.#keep({ ...one, dueAtMs: nowMs });
    this.#pump();
  }

  /** Sends again events that were acknowledged already, as Slack does when it did not see the acknowledgement. Returns how many. */
  repeat(which: (event: JsonObject) => boolean): number {
    const again = this.#recent.filter(one => one.type === 'events_api' && which(one.payload));
    this.#recent = this.#recent.filter(one => !again.includes(one));
    for (const one of again) this.#keep({ ...one, dueAtMs: this.#parts.clock.nowMs() });
    this.#pump();
    return again.length;
  }

  /** Lets the next clicks, forms or commands get lost on the way, as happens in Slack; the app never sees them. */
  loseNext(times = 1): void {
    this.#toLose += times;
  }

  /** Stops all timers; what is kept stays for the next start. */
  close(): void {
    this.#stopRetryTimer();
    for (const flight of this.#inFlight.values()) flight.stopTimer();
    this.#inFlight.clear();
  }

  #pump(): void {
    this.#stopRetryTimer();
    const nowMs = this.#parts.clock.nowMs();
    let nextDueAtMs = Infinity;
    for (const delivery of this.#waiting.list()) {
      if (this.#isInFlight(delivery)) continue;
      if (this.#isTooOld(delivery, nowMs)) this.#lose(delivery);
      else if (delivery.dueAtMs > nowMs) nextDueAtMs = Math.min(nextDueAtMs, delivery.dueAtMs);
      else this.#send(delivery);
    }
    if (nextDueAtMs < Infinity && this.connected) {
      this.#stopRetryTimer = this.#parts.clock.after(nextDueAtMs - nowMs, () => this.#pump());
    }
  }

  /** Sends what was just added: whatever came before it is on its way already, or waits for a retry. */
  #sendIfWaiting(number: number): void {
    const delivery = this.#waiting.get(key(number));
    if (delivery && !this.#isInFlight(delivery)) this.#send(delivery);
  }

  #isTooOld(delivery: Delivery, nowMs: number): boolean {
    return delivery.type !== 'events_api' && nowMs - delivery.createdAtMs > limits.delivery.clickWaitMs;
  }

  #send(delivery: Delivery): void {
    const connection = this.#connections[this.#turn++ % Math.max(1, this.#connections.length)];
    if (!connection) return;
    if (delivery.type !== 'events_api' && this.#toLose > 0) {
      this.#toLose -= 1;
      return this.#lose(delivery);
    }
    const envelopeId = this.#envelopeId();
    const sent: Delivery = { ...delivery, sent: delivery.sent + 1 };
    this.#keep(sent);
    const stopTimer = this.#parts.clock.after(limits.delivery.acknowledgeMs, () => this.#timeOut(envelopeId));
    this.#inFlight.set(envelopeId, { delivery: sent, connection, stopTimer });
    this.#numbersInFlight.add(sent.number);
    const retry =
      delivery.type === 'events_api'
        ? { retry_attempt: delivery.sent, retry_reason: delivery.sent > 0 ? 'timeout' : '' }
        : {};
    const { type, payload } = delivery;
    connection.send(
      JSON.stringify({
        envelope_id: envelopeId,
        type,
        payload,
        accepts_response_payload: type !== 'events_api',
        ...retry,
      }),
    );
  }

  #land(envelopeId: string, flight: InFlight): void {
    flight.stopTimer();
    this.#inFlight.delete(envelopeId);
    this.#numbersInFlight.delete(flight.delivery.number);
  }

  #timeOut(envelopeId: string): void {
    const flight = this.#inFlight.get(envelopeId);
    if (!flight) return;
    this.#land(envelopeId, flight);
    const { delivery } = flight;
    const delayMs = limits.delivery.retryAfterMs[delivery.timeouts];
    if (delivery.type !== 'events_api' || delayMs === undefined) return this.#lose(delivery);
    this.#keep({ ...delivery, timeouts: delivery.timeouts + 1, dueAtMs: this.#parts.clock.nowMs() + delayMs });
    this.#pump();
  }

  #lose(delivery: Delivery): void {
    this.#forget(delivery);
    const answer = this.#answers.get(delivery.number);
    this.#answers.delete(delivery.number);
    answer?.({ kind: 'lost' });
  }

  #isInFlight(delivery: Delivery): boolean {
    return this.#numbersInFlight.has(delivery.number);
  }

  #envelopeId(): string {
    const hex = this.#parts.ids.hex(32);
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  }

  #keep(delivery: Delivery): void {
    this.#waiting.put(key(delivery.number), delivery);
  }

  #forget(delivery: Delivery): void {
    this.#waiting.delete(key(delivery.number));
  }
}

function key(number: number): string {
  return String(number).padStart(12, '0');
}
