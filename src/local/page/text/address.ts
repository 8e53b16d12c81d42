/**
 * Owns the page's addresses. A place is a hash such as `#/C0APPROV1/1700000.000100?user=U0MIA0001&thread=…`; Slack's
 * permalinks (`/archives/<channel>/p<ts without dot>?thread_ts=…`) of the same origin are read into the same shape.
 */

/** What is on screen: a channel (optionally at a message, with a thread beside it), the app's Home, or the list. */
export interface Place {
  view: 'channel' | 'home' | 'list';
  channel?: string;
  ts?: string;
  thread?: string;
  /** The log of the open thread lies beside it. */
  inspect?: boolean;
  user?: string;
}

/** Reads a location hash; anything unknown is the list. */
export function readHash(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?');
  const asked = new URLSearchParams(query);
  const user = asked.get('user');
  const thread = asked.get('thread');
  const [first, second] = path
    .split('/')
    .filter(piece => piece !== '')
    .map(decodeURIComponentSafely);
  const inspect = thread !== null && asked.get('inspect') !== null;
  const common = {
    ...(user ? { user } : {}),
    ...(thread ? { thread } : {}),
    ...(inspect ? { inspect } : {}),
  };
  if (first === undefined) return { view: 'list', ...(user ? { user } : {}) };
  if (first === 'home') return { view: 'home', ...(user ? { user } : {}) };
  return {
    view: 'channel',
    channel: first,
    ...(second !== undefined && isTs(second) ? { ts: second } : {}),
    ...common,
  };
}

/** Writes a place as a hash. */
export function writeHash(place: Place): string {
  const asked = new URLSearchParams();
  if (place.user !== undefined) asked.set('user', place.user);
  if (place.thread !== undefined) asked.set('thread', place.thread);
  if (place.thread !== undefined && place.inspect) asked.set('inspect', '');
  const path =
    place.view === 'channel' ? [place.channel, place.ts].filter(piece => piece !== undefined).join('/') : place.view;
  const query = asked.size > 0 ? `?${asked.toString()}` : '';
  return `#/${place.view === 'list' ? '' : path}${query}`;
}

/** Reads a permalink of this origin into a place; undefined for every other address. */
export function readPermalink(address: string, origin: string): Place | undefined {
  if (!URL.canParse(address, origin)) return undefined;
  const url = new URL(address, origin);
  const match = /^\/archives\/([A-Z0-9]+)(?:\/p(\d{7,}))?\/?$/.exec(url.pathname);
  if (url.origin !== origin || match?.[1] === undefined) return undefined;
  const ts = match[2] === undefined ? undefined : `${match[2].slice(0, -6)}.${match[2].slice(-6)}`;
  const thread = url.searchParams.get('thread_ts');
  return {
    view: 'channel',
    channel: match[1],
    ...(ts === undefined ? {} : { ts }),
    ...(thread !== null && isTs(thread) ? { thread } : {}),
  };
}

/** The permalink of a message on this origin, as it is copied for other people. */
export function writePermalink(origin: string, channel: string, ts: string, thread?: string): string {
  const inThread = thread !== undefined && thread !== ts ? `?thread_ts=${thread}&cid=${channel}` : '';
  return `${origin}/archives/${channel}/p${ts.replace('.', '')}${inThread}`;
}

/** True for web and mail addresses, the only ones that become links. */
export function isSafeAddress(address: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(address);
}

function isTs(text: string): boolean {
  return /^\d+\.\d+$/.test(text);
}

function decodeURIComponentSafely(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}
