/** Owns how the lines of a record are written: UTC times, short digests, people and channels by name and id. Pure. */
import type { Facts, Json } from '../../thread/events.ts';
import type { ChannelId } from '../../thread/ids.ts';
import type { Named } from '../../thread/record.ts';
import type { Pen } from './context.ts';
import type { Show } from './text/show.ts';

/** What a record cannot know itself: what the thread's channel is called now ('' where nobody knows), and the thread's address. */
export interface RecordPlace {
  readonly channelName: string;
  readonly address: string;
}

export interface Writer {
  readonly pen: Pen;
  readonly record: Pen['texts']['record'];
  readonly show: Show;
  readonly who: (person: Named) => string;
  readonly where: (channel: ChannelId) => string;
  readonly quote: (text: string) => string;
  readonly json: (value: Json) => string;
  readonly facts: (facts: Facts) => string;
}

/** What the lines of one record are written with. */
export function writerOf(pen: Pen, { channelName }: Pick<RecordPlace, 'channelName'>): Writer {
  const { show } = pen;
  const { record } = pen.texts;
  return {
    pen,
    record,
    show,
    who: ({ id, name }) => `${name === '' ? record.unnamed : show.line(name)} (${id})`,
    where: channel =>
      channel.startsWith('D')
        ? record.inDirect
        : record.in(channelName === '' ? channel : `${show.line(channelName)} (${channel})`),
    quote: text => `“${show.line(text)}”`,
    json: value => show.json(value),
    facts: facts =>
      Object.entries(facts)
        .map(([name, value]) => `${show.line(name)}=${show.json(value, name)}`)
        .join(' '),
  };
}

/** `2026-11-30 13:02:11Z`; empty for a time that is not known. */
export const utc = (ms: number | null): string =>
  ms === null ? '' : `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z`;

/** `9c1f…e2`. */
export const brief = (digest: string | null): string =>
  digest === null || digest.length < 10 ? (digest ?? '') : `${digest.slice(0, 4)}…${digest.slice(-2)}`;

/** What there is of these, two spaces between. */
export const line = (...parts: readonly (string | null | undefined | false)[]): string =>
  parts.filter(part => typeof part === 'string' && part !== '').join('  ');
