/** Owns who hears of what besides the worker: Home of what has changed, caches of what Slack says is old. */
import type { Inbox, Views } from '../worker/ports.ts';
import type { Channels } from './channels.ts';
import type { SlackDirectory } from './directory.ts';
import type { EventBody } from './inbound/bodies.ts';
import type { Notes } from './notes.ts';

/** The same inbox; `changed` hears of what changes in no thread: a freeze, a permission. */
export const tellingOfTheHouse = (inbox: Inbox, changed: () => void): Inbox => ({
  receive: (...of) => inbox.receive(...of),
  amend: (...of) => inbox.amend(...of),
  remove: (...of) => inbox.remove(...of),
  lost: (...of) => inbox.lost(...of),
  decide: (...of) => inbox.decide(...of),
  previewEdit: (...of) => inbox.previewEdit(...of),
  edit: (...of) => inbox.edit(...of),
  answer: (...of) => inbox.answer(...of),
  inquire: (...of) => inbox.inquire(...of),
  settle: (...of) => inbox.settle(...of),
  stop: (...of) => inbox.stop(...of),
  cancel: (...of) => inbox.cancel(...of),
  stopThread: (...of) => inbox.stopThread(...of),
  useInstead: (...of) => inbox.useInstead(...of),
  keepWaiting: (...of) => inbox.keepWaiting(...of),
  askAgain: (...of) => inbox.askAgain(...of),
  read: (...of) => inbox.read(...of),
  house: (...of) => inbox.house(...of),
  overview: (...of) => inbox.overview(...of),
  record: (...of) => inbox.record(...of),
  wholeRecord: found => inbox.wholeRecord(found),
  freeze: (...of) => inbox.freeze(...of).finally(changed),
  unfreeze: (...of) => inbox.unfreeze(...of).finally(changed),
  revokeGrant: (...of) => inbox.revokeGrant(...of).finally(changed),
});

/** The same views; `changed` hears of each pass over a thread, which follows whatever changed in it. */
export const tellingOfPasses = (views: Views, changed: () => void): Views => ({
  room: (...of) => views.room(...of),
  behind: (...of) => views.behind(...of),
  card: (...of) => views.card(...of),
  damaged: (...of) => views.damaged(...of),
  announce: (...of) => views.announce(...of),
  reconcile: async (...of) => {
    const result = await views.reconcile(...of);
    changed();
    return result;
  },
  working: thread => views.working(thread),
  writing: (...of) => views.writing(...of),
});

/** Events that make what we remember of people, groups and channels old. */
export function watch(
  event: EventBody['event'],
  { directory, channels, notes }: { directory: SlackDirectory; channels: Channels; notes: Notes },
): void {
  switch (event.type) {
    case 'subteam_members_changed':
      return directory.groupChanged(String(event['subteam_id']));
    case 'user_change':
      return void directory.userChanged(event['user']);
    case 'member_left_channel':
    case 'channel_shared':
    case 'channel_unshared':
      return channels.forget(String(event['channel']));
    case 'app_uninstalled':
    case 'tokens_revoked':
      return notes.warn({ event: event.type }, 'Slack has taken the app away; nothing more arrives');
    default:
      return;
  }
}
