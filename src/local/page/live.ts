/**
 * Owns the event stream. The browser resumes it by itself with the last id; after a loss of connection, and when the
 * workspace says that there is a gap, everything on screen is read again as well.
 */
import { api } from './api.ts';
import { notify } from './notices.ts';
import {
  refreshAll,
  refreshChannel,
  refreshEphemerals,
  refreshLog,
  refreshPlace,
  refreshThread,
  refreshViews,
  refreshWorkspace,
} from './refresh.ts';
import { patchDesk, readDesk, threadKey } from './store.ts';
import { rings } from './text/ring.ts';
import type { Change, Message } from './wire.ts';

const RETRY_MS = 2_000;
/** How often what goes away by itself (a status line, a dead stream) is looked at. */
const FADING_MS = 20_000;

/** Message ts that have been looked at once: an edit of an old message never rings. */
const heard = new Set<string>();

/** Follows the workspace from a cursor on, for as long as the page is open; only messages after `startedMs` ring. */
export function follow(cursor: number | string, startedMs: number): void {
  let last = String(cursor);
  const stream = new EventSource(`/human/events?cursor=${encodeURIComponent(last)}`);
  stream.addEventListener('open', () => {
    const wasAway = !readDesk().live;
    patchDesk({ live: true });
    if (wasAway) void refreshAll();
  });
  stream.addEventListener('error', () => {
    patchDesk({ live: false });
    // Most losses the browser mends itself; one that it gives up on is opened anew.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => follow(last, startedMs), RETRY_MS);
  });
  stream.addEventListener('gap', () => void refreshAll());
  stream.addEventListener('message', event => {
    last = event.lastEventId;
    const change = JSON.parse(String(event.data)) as Change;
    apply(change);
    if (change.kind === 'message') void ringFor(change, startedMs);
  });
}

/** Looks now and then at what ends without an event; nothing is asked for while there is no such thing. */
export function watchWhatFades(): void {
  setInterval(() => {
    const { workspace, place, threads } = readDesk();
    const shown = place.channel === undefined ? [] : (threads[threadKey(place.channel, place.thread ?? '')] ?? []);
    if ((workspace?.status.length ?? 0) > 0) void refreshWorkspace();
    if (shown.some(message => message.streaming_state === 'in_progress')) void Promise.all(refreshPlace());
  }, FADING_MS);
}

function apply(change: Change): void {
  const { place, me, messages } = readDesk();
  const forMe = change.user === undefined || change.user === me;
  if (change.kind === 'ephemeral' && forMe) void refreshEphemerals();
  if ((change.kind === 'view' || change.kind === 'home') && forMe) void refreshViews();
  const { channel, thread, inspect } = place;
  if (change.kind === 'log' && inspect && channel !== undefined && thread !== undefined) {
    if (change.channel === channel && change.ts === thread) void refreshLog(channel, thread);
  }
  if (change.kind === 'status' || change.kind === 'app') void refreshWorkspace();
  if (change.kind !== 'message' && change.kind !== 'removed') return;
  void refreshWorkspace();
  if (change.channel === undefined) return;
  if (messages[change.channel] !== undefined) void refreshChannel(change.channel);
  if (place.channel === change.channel && place.thread !== undefined) void refreshThread(change.channel, place.thread);
}

/** Shows a new message that concerns the person but is not on their screen, as the push line a phone would show. */
async function ringFor(change: Change, startedMs: number): Promise<void> {
  const { channel: id, ts } = change;
  if (id === undefined || ts === undefined || heard.has(ts) || Number(ts) * 1000 < startedMs) return;
  heard.add(ts);
  const { workspace, me, place } = readDesk();
  const channel = workspace?.channels.find(found => found.id === id);
  if (workspace === undefined || !channel?.members.includes(me)) return;
  const message = await findMessage(id, ts);
  const mine = workspace.groups.filter(group => group.users.includes(me)).map(group => group.id);
  if (message === undefined || readDesk().me !== me || !rings(message, me, mine, channel.is_im)) return;
  const thread = message.thread_ts !== undefined && message.thread_ts !== ts ? message.thread_ts : undefined;
  if (place.channel === id && document.visibilityState === 'visible') return;
  const author = workspace.users.find(user => user.id === message.user)?.real_name ?? workspace.app.name;
  notify({
    kind: 'ring',
    title: channel.is_im ? author : `${author} in #${channel.name}`,
    text: message.text ?? '',
    place: { view: 'channel', channel: id, ts, ...(thread === undefined ? {} : { thread }) },
  });
}

async function findMessage(channel: string, ts: string): Promise<Message | undefined> {
  const inChannel = await api.messages(channel).catch(() => []);
  return inChannel.find(message => message.ts === ts) ?? (await findReply(channel, ts, inChannel));
}

async function findReply(channel: string, ts: string, roots: Message[]): Promise<Message | undefined> {
  const root = roots.find(message => message.latest_reply === ts);
  if (root === undefined) return undefined;
  return (await api.messages(channel, root.ts).catch(() => [])).find(message => message.ts === ts);
}
