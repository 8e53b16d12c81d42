/** Trouble on demand: tests arrange what the next calls of a method meet. Without arrangements nothing ever fails here. */

export type Fault =
  /** 429 with `retry-after`. The call does nothing. */
  | { readonly kind: 'rate_limited'; readonly retryAfterS: number }
  /** `ok: false` with this code. The call does nothing. */
  | { readonly kind: 'refused'; readonly code: string }
  /** This HTTP status. The call does nothing. */
  | { readonly kind: 'status'; readonly status: number }
  /** The call is carried out, and then answers this HTTP status. */
  | { readonly kind: 'applied_status'; readonly status: number }
  /** The connection is cut before the call did anything. */
  | { readonly kind: 'dropped' }
  /** The call is carried out, and then the connection is cut without an answer. */
  | { readonly kind: 'applied_dropped' }
  /** The call waits for the promise and then goes on as usual. */
  | { readonly kind: 'held'; readonly until: Promise<void> };

export class Faults {
  readonly #arranged = new Map<string, Fault[]>();

  /** Arranges a fault for the next call (or calls) of a method, e.g. `chat.postMessage`; `*` is any method, `response_url` the answers to clicks. */
  next(method: string, fault: Fault, times = 1): void {
    const faults = this.#arranged.get(method) ?? [];
    this.#arranged.set(method, [...faults, ...Array.from({ length: times }, () => fault)]);
  }

  /** Takes the fault that the next call of a method meets, if one is arranged. */
  take(method: string): Fault | undefined {
    return this.#arranged.get(method)?.shift() ?? this.#arranged.get('*')?.shift();
  }

  /** Forgets everything that is still arranged. */
  clear(): void {
    this.#arranged.clear();
  }
}
