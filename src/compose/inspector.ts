/** Owns what the embedded page's inspector is given: a thread's whole log, and a word whenever a commit is added to one. */
import type { Inspect } from '../local/inspect/inspect.ts';
import { parseThreadLog, threadLog, type LogKey } from '../thread/ids.ts';
import type { Log } from '../worker/ports.ts';

const NOTHING_READ = { number: 0, hash: '' };

/** Reads threads from a log, from their first commit on. */
export function inspectorOf(log: Pick<Log, 'load'>): Inspect {
  return async key => {
    const { commits, wakes } = await log.load(threadLog(key), NOTHING_READ);
    return { commits, wakes };
  };
}

/** The same log; `added` hears of each commit that this process adds to a thread. */
export function watchedLog(log: Log, added: (place: { readonly channel: string; readonly ts: string }) => void): Log {
  const tell = (key: LogKey): void => {
    const thread = parseThreadLog(key);
    if (thread) added({ channel: thread.channel, ts: thread.ts });
  };
  return {
    load: (key, after) => log.load(key, after),
    append: async (key, after, events, wake) => {
      const outcome = await log.append(key, after, events, wake);
      if ('won' in outcome) tell(key);
      return outcome;
    },
    offerSnapshot: (key, head, state) => log.offerSnapshot(key, head, state),
    putBlob: (key, bytes) => log.putBlob(key, bytes),
    getBlob: (key, id, digest) => log.getBlob(key, id, digest),
    due: (team, byMs) => log.due(team, byMs),
    clearWake: entry => log.clearWake(entry),
    putMark: (team, mark) => log.putMark(team, mark),
    marksOf: (team, short) => log.marksOf(team, short),
    lately: (team, person, count) => log.lately(team, person, count),
  };
}
