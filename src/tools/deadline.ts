/** Owns how long a tool's code may take: it is asked to stop, then given a little longer, then no longer waited for. */
import type { Clock } from '../worker/ports.ts';

/** Why work was asked to stop. */
type Stop = 'aborted' | 'timed_out';

/** How work came out; `stopped` when it had been asked to stop by then. */
export type Limited<T> =
  | { readonly is: 'returned'; readonly value: T; readonly stopped: Stop | null }
  | { readonly is: 'threw'; readonly error: unknown; readonly stopped: Stop | null }
  | { readonly is: 'abandoned'; readonly stopped: Stop };

export interface Limits {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly timeMs: number;
  /** How long work may take to end after it was asked to stop. */
  readonly graceMs: number;
}

/** Runs work until it settles, `timeMs` are over or `signal` aborts; never throws. */
export async function limited<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { clock, signal, timeMs, graceMs }: Limits,
): Promise<Limited<T>> {
  const asked = new AbortController();
  const settled = new AbortController();
  let stopped: Stop | null = null;
  const stop = (why: Stop): Stop => {
    const reason = (stopped ??= why);
    asked.abort();
    return reason;
  };
  const onAbort = (): void => void stop('aborted');
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });

  const working = async (): Promise<Limited<T>> => {
    try {
      const value = await work(asked.signal);
      return { is: 'returned', value, stopped };
    } catch (error) {
      return { is: 'threw', error, stopped };
    } finally {
      settled.abort();
      signal.removeEventListener('abort', onAbort);
    }
  };
  const watching = async (): Promise<Limited<T>> => {
    await clock.sleep(timeMs, AbortSignal.any([asked.signal, settled.signal]));
    const reason = settled.signal.aborted ? null : stop('timed_out');
    await clock.sleep(graceMs, settled.signal);
    return { is: 'abandoned', stopped: reason ?? 'timed_out' };
  };
  return Promise.race([working(), watching()]);
}
