/**
 * Owns what a form carries in `private_metadata`: the control that opened it, where that stood, and whose form it is.
 *
 * 1. It is written and read here only. 2. Two Countersigns may share one Slack app: a form says by whose environment it was
 * written, so that neither carries out the other's.
 */
import { z } from 'zod';
import type { ChannelId, MessageTs } from '../../thread/ids.ts';
import type { Place } from '../../worker/ports.ts';
import type { Click } from './interactions.ts';

export interface Origin {
  readonly environment: string;
  /** The value of the control that opened it; empty where none did. */
  readonly value: string;
  /** The message in which that stood; null on Home. */
  readonly place: Place | null;
  /** The thread of that message, for private answers. */
  readonly threadTs: MessageTs | null;
  /** What the form itself has to bring back. */
  readonly carried: string;
}

/** What Slack keeps with a view, in characters. */
export const METADATA_ROOM = 3_000;

const text = z.string();
const schema = z.tuple([text, text, z.nullable(text), z.nullable(text), z.nullable(text), text]);

/** The form's `private_metadata`. */
export const encodeOrigin = ({ environment, value, place, threadTs, carried }: Origin): string =>
  JSON.stringify([environment, value, place?.channel ?? null, place?.ts ?? null, threadTs, carried]);

/** What JSON says; undefined when it is none. */
export function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Undefined when we did not write it. */
export function decodeOrigin(metadata: string): Origin | undefined {
  const read = schema.safeParse(parsedJson(metadata));
  if (!read.success) return undefined;
  const [environment, value, channel, ts, threadTs, carried] = read.data;
  const place = channel === null || ts === null ? null : { channel: channel as ChannelId, ts: ts as MessageTs };
  return { environment, value, place, threadTs: threadTs as MessageTs | null, carried };
}

/** The origin of a form that a click opens; a click in a form or on Home has no message. */
export const originOf = (environment: string, click: Pick<Click, 'value' | 'place' | 'threadTs'>): Origin => ({
  environment,
  value: click.value,
  place: click.place,
  threadTs: click.threadTs,
  carried: '',
});
