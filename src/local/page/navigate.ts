/**
 * Owns moving about. The address bar is the truth: every move writes the hash, and the hash is read back into the
 * snapshot, so that links, the back button and several windows as several people all work.
 */
import { dropRings } from './notices.ts';
import { refreshEphemerals, openHome, openMessages, refreshPlace, refreshViews } from './refresh.ts';
import { patchDesk, readDesk } from './store.ts';
import { firstUnread } from './text/arrange.ts';
import { type Place, readHash, readPermalink, writeHash } from './text/address.ts';
import type { Channel, Workspace } from './wire.ts';

const PERSON_KEY = 'countersign.person';
const EVERYBODYS_CHANNEL = 'general';
/** Whom a newcomer is: the story begins with a request. */
const FIRST_TITLE = 'Requester';

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

/** Opens the log beside an open thread, or closes it. */
export function toggleInspector(channel: string, thread: string, inspect: boolean): void {
  go({ view: 'channel', channel, thread, ...(inspect ? { inspect } : {}) });
}

/** Opens a link's target inside the page if it is one of ours; false when the browser should follow it. */
export function openInside(address: string): boolean {
  const place = readPermalink(address, location.origin);
  if (place !== undefined) go(place);
  return place !== undefined;
}

/** Reads the address into the snapshot and loads what it shows. Called at start and on every change of the hash. */
export function applyPlace(): void {
  const { workspace, me, place: before, unreadFrom } = readDesk();
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
    unreadFrom: moved ? undefined : unreadFrom,
    ...(switched ? { ephemerals: [], views: [], home: undefined, asking: undefined } : {}),
  });
  dropRings(place);
  void Promise.all(refreshPlace()).then(() => markUnread(place, moved ? unread : 0));
  if (switched) void Promise.all([refreshEphemerals(), refreshViews()]);
  if (place.view === 'home') void openHome();
  if (moved && workspace.channels.some(channel => channel.id === place.channel && channel.is_im)) void openMessages();
}

/** Puts the unread mark where it belongs, once the messages of a newly opened channel are there. */
function markUnread(opened: Place, unread: number): void {
  const { place, me, messages } = readDesk();
  if (unread === 0 || place.channel === undefined || place.channel !== opened.channel || me !== opened.user) return;
  patchDesk({ unreadFrom: firstUnread(messages[place.channel] ?? [], unread, me) });
}

/** The channels and direct messages in a person's sidebar, in its order. */
export function channelsOf(workspace: Workspace, user: string): Channel[] {
  const mine = workspace.channels
    .filter(channel => channel.members.includes(user))
    .sort((a, b) => a.name.localeCompare(b.name));
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

/** The place where somebody starts: the channel that everybody is in, else the first of their sidebar. */
export function firstPlace(user: string): Place {
  const { workspace } = readDesk();
  const channels = workspace === undefined ? [] : channelsOf(workspace, user);
  const first = channels.find(channel => channel.name === EVERYBODYS_CHANNEL) ?? channels[0];
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
  const people = workspace.users.filter(person => !person.is_bot && !person.deleted);
  return remembered ?? (people.find(person => person.title === FIRST_TITLE) ?? people[0])?.id ?? '';
}
