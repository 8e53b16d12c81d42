/** Owns the notices in the corner: they stay long enough to be read and can be closed. */
import { type Notice, patchDesk, readDesk } from './store.ts';
import type { Place } from './text/address.ts';

const SHOWN_MS = { error: 12_000, ring: 8_000 };
let lastId = 0;

/** Shows a notice until its time is over or the person closes it. */
export function notify(notice: Omit<Notice, 'id'>): void {
  lastId += 1;
  const id = lastId;
  patchDesk({ notices: [...readDesk().notices.slice(-3), { ...notice, id }] });
  setTimeout(() => dropNotice(id), SHOWN_MS[notice.kind]);
}

/** Shows what went wrong as a sentence. */
export function notifyError(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  const shown = readDesk().notices.some(notice => notice.kind === 'error' && notice.text === text);
  if (!shown) notify({ kind: 'error', title: 'Not done', text });
}

/** Takes a notice away. */
export function dropNotice(id: number): void {
  patchDesk({ notices: readDesk().notices.filter(notice => notice.id !== id) });
}

/** Takes away what rang for a place that is now on screen. */
export function dropRings(place: Place): void {
  const { notices } = readDesk();
  const left = notices.filter(({ kind, place: from }) => kind !== 'ring' || from?.channel !== place.channel);
  if (left.length < notices.length) patchDesk({ notices: left });
}
