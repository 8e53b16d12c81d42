/** A log that a test can hold, fail or follow at each call. */
import type { Event } from '../../src/thread/events.ts';
import type { LogKey } from '../../src/thread/ids.ts';
import type { Loaded, Log } from '../../src/worker/ports.ts';

type Appended = Awaited<ReturnType<Log['append']>>;

export interface Taps {
  /** Stands between the worker and an append; `go` makes it. */
  append?: (events: readonly Event[], go: () => Promise<Appended>, key: LogKey) => Promise<Appended>;
  load?: (key: LogKey, go: () => Promise<Loaded>) => Promise<Loaded>;
}

/** The log with the taps between; they may be changed while it is in use. */
export const tapped = (log: Log, taps: Taps): Log => ({
  load: (key, after) => {
    const go = (): Promise<Loaded> => log.load(key, after);
    return taps.load ? taps.load(key, go) : go();
  },
  append: (key, after, events, wake) => {
    const go = (): Promise<Appended> => log.append(key, after, events, wake);
    return taps.append ? taps.append(events, go, key) : go();
  },
  offerSnapshot: (...args) => log.offerSnapshot(...args),
  putBlob: (...args) => log.putBlob(...args),
  getBlob: (...args) => log.getBlob(...args),
  due: (...args) => log.due(...args),
  clearWake: (...args) => log.clearWake(...args),
  putMark: (...args) => log.putMark(...args),
  marksOf: (...args) => log.marksOf(...args),
  lately: (...args) => log.lately(...args),
});

/** A promise that a test keeps by hand. */
export function byHand<T = void>(): { promise: Promise<T>; keep: (value: T) => void } {
  let keep: (value: T) => void = () => undefined;
  const promise = new Promise<T>(resolve => (keep = resolve));
  return { promise, keep };
}
