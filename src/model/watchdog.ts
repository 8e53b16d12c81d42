/** Owns the limits on one answer: silence, total time, and whoever asked giving up. All time is the injected clock's. */
import type { Clock } from '../worker/ports.ts';

export interface Limits {
  readonly idleTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

/** Why a request was ended from our side. */
type Stopped = 'aborted' | 'model_silent' | 'model_too_slow';

export interface Watchdog {
  /** Aborts the request. */
  readonly signal: AbortSignal;
  /** The model has said something: the silence starts anew. */
  heard(): void;
  /** Why the request was aborted; null while it was not. */
  stopped(): Stopped | null;
  /** Lets go of timers and signals; call it in every case. */
  end(): Promise<void>;
}

/** Watches one request from now on; `asker` aborts it at once. */
export function watch(clock: Clock, limits: Limits, asker: AbortSignal): Watchdog {
  const request = new AbortController();
  const over = new AbortController();
  const startMs = clock.monotonicMs();
  let heardMs = startMs;
  let why: Stopped | null = null;

  const stop = (reason: Stopped): void => {
    if (why !== null || over.signal.aborted) return;
    why = reason;
    request.abort();
  };
  const giveUp = (): void => stop('aborted');
  asker.addEventListener('abort', giveUp, { once: true });
  if (asker.aborted) giveUp();

  const guard = async (): Promise<void> => {
    while (why === null && !over.signal.aborted) {
      const nowMs = clock.monotonicMs();
      const totalLeftMs = startMs + limits.totalTimeoutMs - nowMs;
      const idleLeftMs = heardMs + limits.idleTimeoutMs - nowMs;
      if (totalLeftMs <= 0) stop('model_too_slow');
      else if (idleLeftMs <= 0) stop('model_silent');
      else await clock.sleep(Math.min(totalLeftMs, idleLeftMs), over.signal);
    }
  };
  const guarding = guard();

  return {
    signal: request.signal,
    heard: () => {
      heardMs = clock.monotonicMs();
    },
    stopped: () => why,
    end: async () => {
      over.abort();
      asker.removeEventListener('abort', giveUp);
      await guarding;
    },
  };
}
