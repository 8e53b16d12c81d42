/** Owns how moments are written: in the reader's zone by Slack, in UTC as fallback. */
import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc.js';
import type { Part } from './line.ts';

dayjs.extend(utc);

export interface ClockFace {
  /** `{time}` on the request's own UTC day, else with its date. */
  readonly at: (ms: number) => Part;
  /** The same with seconds. */
  readonly exact: (ms: number) => Part;
}

/** Times as seen from the moment of a request: "today" is its UTC day. */
export function clockFace(requestedAtMs: number): ClockFace {
  const day = dayjs.utc(requestedAtMs).format('YYYY-MM-DD');
  const part = (ms: number, token: string, format: string): Part => {
    const moment = dayjs.utc(ms);
    const today = moment.format('YYYY-MM-DD') === day;
    return {
      is: 'time',
      ms,
      format: today ? token : `{date_short_pretty} ${token}`,
      fallback: moment.format(today ? `${format} [UTC]` : `YYYY-MM-DD ${format} [UTC]`),
    };
  };
  return { at: ms => part(ms, '{time}', 'HH:mm'), exact: ms => part(ms, '{time_secs}', 'HH:mm:ss') };
}
