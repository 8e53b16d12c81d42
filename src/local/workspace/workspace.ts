/**
 * The embedded workspace itself, without HTTP: everything that a Slack workspace knows, in one SQLite file. The Web API,
 * the socket and people's side are three doors to this.
 */
import { ownInstallation } from '../installation.ts';
import type { Installation } from '../installation.ts';
import { acme, APP } from '../world.ts';
import type { Channel, Person, Seed } from '../world.ts';
import { Conversation } from './conversation.ts';
import { Deliveries } from './deliveries.ts';
import { Directory } from './directory.ts';
import { Ephemerals } from './ephemerals.ts';
import { Feed } from './feed.ts';
import { Files } from './files.ts';
import { Forms } from './forms.ts';
import { Messages } from './messages.ts';
import { ReadMarks } from './read-marks.ts';
import { Statuses } from './statuses.ts';
import { Storage } from './storage.ts';
import { Tickets } from './tickets.ts';
import { randomIds, systemClock } from './time.ts';
import type { WorkspaceClock, WorkspaceIds } from './time.ts';
import { Timestamps } from './timestamps.ts';

export interface WorkspaceOptions {
  /** Folder that keeps the workspace; absent: memory only. */
  readonly dataDir?: string;
  /** Default: the machine's clock. */
  readonly clock?: WorkspaceClock;
  /** Default: random. */
  readonly ids?: WorkspaceIds;
  /** Default: the cast of `world.ts`. */
  readonly seed?: Seed;
  /** Default: what `manifest.yml` asks for. */
  readonly installation?: Installation;
}

export class Workspace {
  readonly clock: WorkspaceClock;
  readonly ids: WorkspaceIds;
  readonly installation: Installation;
  readonly storage: Storage;
  readonly feed: Feed;
  readonly directory: Directory;
  readonly timestamps: Timestamps;
  readonly messages: Messages;
  readonly ephemerals: Ephemerals;
  readonly readMarks: ReadMarks;
  readonly forms: Forms;
  readonly tickets: Tickets;
  readonly statuses: Statuses;
  readonly files: Files;
  readonly deliveries: Deliveries;
  readonly conversation: Conversation;

  /** Opens the workspace. Throws a sentence if its folder is in use or was written by another version. */
  constructor(options: WorkspaceOptions = {}) {
    const clock = (this.clock = options.clock ?? systemClock);
    const ids = (this.ids = options.ids ?? randomIds);
    this.installation = options.installation ?? ownInstallation();
    const storage = (this.storage = new Storage(options.dataDir));
    const feed = (this.feed = new Feed(storage));
    this.directory = new Directory(storage, options.seed ?? acme);
    this.timestamps = new Timestamps(storage, clock);
    this.messages = new Messages(storage);
    this.ephemerals = new Ephemerals(storage);
    this.readMarks = new ReadMarks(storage);
    this.forms = new Forms(storage, clock, ids);
    this.tickets = new Tickets(storage, clock, ids);
    this.statuses = new Statuses(storage, clock);
    this.files = new Files(storage, ids);
    this.deliveries = new Deliveries({ storage, clock, ids, onConnectedChange: () => feed.publish({ kind: 'app' }) });
    this.conversation = new Conversation(this);
  }

  /** Changes a person (e.g. `{ deleted: true }`) and tells the app. Throws if there is no such person. */
  changePerson(userId: string, change: Partial<Omit<Person, 'id'>>): void {
    const before = this.directory.person(userId);
    if (!before) throw new Error(`There is no person ${userId}.`);
    this.storage.transaction(() => {
      this.directory.putPerson({ ...before, ...change });
      this.conversation.tell(undefined, {
        type: 'user_change',
        user: { id: userId },
        event_ts: this.timestamps.next(),
      });
      this.feed.publish({ kind: 'app' });
    });
  }

  /** Sets who is in a user group and tells the app. Throws if there is no such group. */
  changeGroup(groupId: string, users: readonly string[]): void {
    const before = this.directory.group(groupId);
    if (!before) throw new Error(`There is no user group ${groupId}.`);
    this.storage.transaction(() => {
      this.directory.putGroup({ ...before, users });
      const added = users.filter(user => !before.users.includes(user));
      const removed = before.users.filter(user => !users.includes(user));
      const event = {
        type: 'subteam_members_changed',
        subteam_id: groupId,
        added_users: added,
        removed_users: removed,
      };
      this.conversation.tell(undefined, { ...event, event_ts: this.timestamps.next() });
      this.feed.publish({ kind: 'app' });
    });
  }

  /** Lets somebody (or the app itself) into a channel or out of it. Throws if there is no such channel. */
  changeMembership(channelId: string, userId: string, isMember: boolean): void {
    const before = this.directory.channel(channelId);
    if (!before) throw new Error(`There is no channel ${channelId}.`);
    const others = before.members.filter(id => id !== userId);
    const after: Channel = { ...before, members: isMember ? [...others, userId] : others };
    this.storage.transaction(() => {
      this.directory.putChannel(after);
      const type = isMember ? 'member_joined_channel' : 'member_left_channel';
      const event = { type, user: userId, channel: channelId, channel_type: before.isPrivate ? 'G' : 'C' };
      this.conversation.tell(userId === APP.userId ? undefined : after, { ...event, event_ts: this.timestamps.next() });
      this.feed.publish({ kind: 'app' });
    });
  }

  /** Ends all timers and closes the file. */
  close(): void {
    this.deliveries.close();
    this.storage.close();
  }
}
