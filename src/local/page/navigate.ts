/**
 * Owns moving about. The address bar is the truth: every move writes the hash, and the hash is read back into the
 * snapshot, so that links, the back button and several windows as several people all work.
 */
import { refreshEphemerals, refreshHome, refreshPlace, refreshViews } from './refresh.ts';
import { patchDesk, readDesk } from './store.ts';
import { type Place, readHash, readPermalink, writeHash } from './text/address.ts';
import type { Channel, Workspace } from './wire.ts';

const PERSON_KEY = 'countersign.person';

/** Goes to a place as the person on screen, unless the place names another person. */
export function go(place: Place): void {
  const hash = writeHash({ ...place, user: place.user ?? readDesk().me });
  if (location.hash === hash) applyPlace();
  else location.hash = hash;
}

/** Becomes another member of the cast, staying where one is if that person may be there. */
export function becomePerson(user: string): void {
  const { place, workspace } = readDesk();
  const stays = place.channel === undefined || workspace === undefined || canSee(workspace, place.channel, user);
  const { ts: _left, ...here } = place;
  if (stays && place.channel !== undefined) go({ ...here, user });
  else if (place.view === 'channel') go({ ...firstPlace(user), user });
  else go({ view: place.view, user });
}

/** Opens a thread beside its channel, or closes it when no thread is named. */
export function openThread(channel: string, thread: string | undefined): void {
  go({ view: 'channel', channel, ...(thread === undefined ? {} : { thread }) });
}

/** Opens a link's target inside the page if it is one of ours; false when the browser should follow it. */
export function openInside(address: string): boolean {
  const place = readPermalink(address, location.origin);
  if (place !== undefined) go(place);
  return place !== undefined;
}

/** Reads the address into the snapshot and loads what it shows. Called at start and on every change of the hash. */
export function applyPlace(): void {
  const { workspace, me, place: before, unreadAtOpen } = readDesk();
  if (workspace === undefined) return;
  const asked = readPermalink(location.href, location.origin) ?? readHash(location.hash);
  const user = knownPerson(workspace, asked.user) ?? (me === '' ? rememberedPerson(workspace) : me);
  const place: Place = { ...asked, user };
  const switched = user !== me;
  sessionStorage.setItem(PERSON_KEY, user);
  if (writeHash(place) !== location.hash || location.pathname !== '/')
    history.replaceState(null, '', `/${writeHash(place)}`);
  const moved = switched || place.channel !== before.channel;
  const unread = workspace.channels.find(channel => channel.id === place.channel)?.unread[user] ?? 0;
  patchDesk({
    place,
    me: user,
    unreadAtOpen: moved ? unread : unreadAtOpen,
    ...(switched ? { ephemerals: [], views: [], home: undefined, asking: undefined } : {}),
  });
  void Promise.all(refreshPlace());
  if (switched) void Promise.all([refreshEphemerals(), refreshViews()]);
  if (place.view === 'home') void refreshHome();
}

/** The channels and direct messages in a person's sidebar, in its order. */
export function channelsOf(workspace: Workspace, user: string): Channel[] {
  const mine = workspace.channels.filter(channel => channel.members.includes(user));
  return [...mine.filter(channel => !channel.is_im), ...mine.filter(channel => channel.is_im)];
}

/** Goes to the next (1) or previous (-1) entry of the sidebar. */
export function stepChannel(step: 1 | -1): void {
  const { workspace, me, place } = readDesk();
  if (workspace === undefined) return;
  const channels = channelsOf(workspace, me);
  const at = channels.findIndex(channel => channel.id === place.channel);
  const next = channels[(at + step + channels.length) % channels.length];
  if (next !== undefined) go({ view: 'channel', channel: next.id });
}

/** The place where somebody starts: the first channel of their sidebar. */
export function firstPlace(user: string): Place {
  const { workspace } = readDesk();
  const first = workspace === undefined ? undefined : channelsOf(workspace, user)[0];
  return first === undefined ? { view: 'list' } : { view: 'channel', channel: first.id };
}

function canSee(workspace: Workspace, channel: string, user: string): boolean {
  return workspace.channels.some(found => found.id === channel && found.members.includes(user));
}

function knownPerson(workspace: Workspace, user: string | null | undefined): string | undefined {
  return workspace.users.find(person => person.id === user && !person.is_bot)?.id;
}

function rememberedPerson(workspace: Workspace): string {
  const remembered = knownPerson(workspace, sessionStorage.getItem(PERSON_KEY));
  return remembered ?? workspace.users.find(person => !person.is_bot && !person.deleted)?.id ?? '';
}
