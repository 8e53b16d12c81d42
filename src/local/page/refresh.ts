/**
 * Owns loading. Events say only what changed, so each resource is simply read again. Of one resource at most one read is
 * under way; what changes meanwhile causes exactly one more read, and the last state always wins.
 */
import { ActionError, api } from './api.ts';
import { notifyError } from './notices.ts';
import { patchDesk, readDesk, threadKey } from './store.ts';

const reading = new Map<string, { again: boolean }>();

/** Reads the workspace: people, channels with unread counts, statuses, whether the app is connected. */
export function refreshWorkspace(): Promise<void> {
  return readOnce('workspace', async () => patchDesk({ workspace: await api.state() }));
}

/** Reads a channel's messages. */
export function refreshChannel(channel: string): Promise<void> {
  return readOnce(channel, async () => {
    const messages = await api.messages(channel);
    patchDesk({ messages: { ...readDesk().messages, [channel]: messages } });
  });
}

/** Reads a thread's root and replies. */
export function refreshThread(channel: string, thread: string): Promise<void> {
  const key = threadKey(channel, thread);
  return readOnce(key, async () => {
    const messages = await api.messages(channel, thread);
    patchDesk({ threads: { ...readDesk().threads, [key]: messages } });
  });
}

/** Reads the private messages of the person on screen. */
export function refreshEphemerals(): Promise<void> {
  return readAsMe('ephemerals', async me => ({ ephemerals: await api.ephemerals(me) }));
}

/** Reads the forms that are open for the person on screen, the topmost last, and what stands on their Home. */
export function refreshViews(): Promise<void> {
  return readAsMe('views', async me => {
    const { views, home } = await api.views(me);
    return { views, home: home ?? undefined };
  });
}

/** Opens the app's Home for the person on screen; what the app puts there upon that is announced as an event. */
export function openHome(): Promise<void> {
  return readAsMe('home', async me => {
    await api.home(me, 'home');
    return {};
  });
}

/** Reads the log of the thread that is being inspected. */
export function refreshLog(channel: string, thread: string): Promise<void> {
  const key = threadKey(channel, thread);
  return readOnce(`log/${key}`, async () => {
    const log = await api.log(channel, thread);
    patchDesk({ log: { key, log } });
  });
}

/** Tells the app that somebody looks at its messages, as Slack does; a failure changes nothing. */
export async function openMessages(): Promise<void> {
  await api.home(readDesk().me, 'messages').catch(() => undefined);
}

/** Reads everything that is on screen again, as after a lost connection. */
export async function refreshAll(): Promise<void> {
  await refreshWorkspace();
  await Promise.all([refreshEphemerals(), refreshViews(), ...refreshPlace()]);
}

/** Reads the channel and thread on screen. */
export function refreshPlace(): Promise<void>[] {
  const { place } = readDesk();
  if (place.channel === undefined) return [];
  const reads = [refreshChannel(place.channel)];
  if (place.thread !== undefined) reads.push(refreshThread(place.channel, place.thread));
  if (place.thread !== undefined && place.inspect && readDesk().workspace?.inspector)
    reads.push(refreshLog(place.channel, place.thread));
  return reads;
}

/** Reads something that belongs to one person; what arrives after a switch to another is dropped. */
async function readAsMe(name: string, read: (me: string) => Promise<Parameters<typeof patchDesk>[0]>): Promise<void> {
  const { me } = readDesk();
  if (me === '') return;
  await readOnce(`${name}/${me}`, async () => {
    const patch = await read(me);
    if (readDesk().me === me) patchDesk(patch);
  });
}

async function readOnce(key: string, read: () => Promise<void>): Promise<void> {
  const current = reading.get(key);
  if (current !== undefined) {
    current.again = true;
    return;
  }
  const mine = { again: true };
  reading.set(key, mine);
  try {
    while (mine.again) {
      mine.again = false;
      await read();
    }
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    if (readDesk().live) notifyError(error);
  } finally {
    reading.delete(key);
  }
}
