/**
 * Owns the composition of this room: the clients, the two ports that the worker gets (`views`, `directory`), and the Bolt
 * app that brings people's messages, clicks and forms to the worker.
 */
import { SocketModeReceiver } from '@slack/bolt';
import type { Scope } from '../thread/events.ts';
import type { ChannelId, MessageTs, WriterId } from '../thread/ids.ts';
import type { Clock, Directory, Inbox, Views } from '../worker/ports.ts';
import { renderingOf } from './bound.ts';
import { Channels } from './channels.ts';
import { onceOnly, slackApi } from './clients.ts';
import { Connection, type ConnectionHealth } from './connection.ts';
import { SlackDirectory } from './directory.ts';
import { identify, type Identity } from './identity.ts';
import { Acts } from './inbound/acts.ts';
import { Clicks } from './inbound/clicks.ts';
import { Commands } from './inbound/commands.ts';
import { Forms } from './inbound/forms.ts';
import { greet } from './inbound/greeting.ts';
import { Homes } from './inbound/homes.ts';
import { Intake } from './inbound/intake.ts';
import { IntakeApp, type Inbound } from './inbound/listen.ts';
import { Modals } from './inbound/modals.ts';
import type { Parts } from './inbound/performing.ts';
import { tell } from './inbound/privately.ts';
import { useShortcut } from './inbound/shortcuts.ts';
import { Links } from './links.ts';
import { vendorLogger, type Notes } from './notes.ts';
import { markOf, readMessage, type Mark } from './posting.ts';
import { PacedQueue } from './queue.ts';
import { Reconciler } from './reconciler.ts';
import type { RenderContext } from './views/context.ts';
import { isCardKey } from './views/keys.ts';
import { refusalContent } from './views/refusals.ts';

export interface SlackOptions {
  readonly tokens: { readonly bot: string; readonly app: string };
  /** Null: Slack itself. */
  readonly apiUrl: string | null;
  readonly writer: WriterId;
  readonly clock: Clock;
  readonly admins: readonly Scope[];
  readonly context: Omit<RenderContext, 'botUser' | 'isPrivate'>;
  /** Connections of this app that are normal; 1 when this is the only process. */
  readonly expectedConnections?: number;
  /** Hears of more connections than that, and of the end of it (null). */
  readonly tooManyConnections?: (connections: number | null) => void;
  readonly notes: Notes;
}

export interface SlackApp {
  readonly identity: Identity;
  readonly directory: Directory;
  readonly views: Views;
  /** Takes deliveries from now on; throws a sentence when no socket opens within `timeoutMs` (default 15 s). */
  start(inbox: Inbox, timeoutMs?: number): Promise<void>;
  readonly health: ConnectionHealth;
  /** Takes nothing more, and carries out what was acknowledged. */
  stop(): Promise<void>;
}

const START_MS = 15_000;

/** Connects to Slack's Web API; no socket is opened before `start`. Throws a sentence for a token that Slack does not take. */
export async function createSlackApp(options: SlackOptions): Promise<SlackApp> {
  const { clock, notes } = options;
  const logger = vendorLogger(notes);
  const api = slackApi({ token: options.tokens.bot, apiUrl: options.apiUrl, logger });
  const identity = await identify(api);
  const { team, self } = identity;
  const channels = new Channels(api, clock);
  const directory = new SlackDirectory({ api, clock, team, admins: options.admins });
  const context: RenderContext = {
    ...options.context,
    botUser: self.user as RenderContext['botUser'],
    isPrivate: channel => channels.isPrivate(channel),
  };
  const reconciler = new Reconciler({
    api,
    clock,
    team,
    self,
    channels,
    writer: options.writer,
    environment: context.environment,
    queue: new PacedQueue(clock),
    links: new Links(api, identity.teamUrl),
    rendering: renderingOf(context),
  });

  const clientOptions = onceOnly({ apiUrl: options.apiUrl, logger });
  const receiver = new SocketModeReceiver({
    appToken: options.tokens.app,
    autoReconnectEnabled: false,
    logger,
    installerOptions: { clientOptions: { ...clientOptions } },
    processEventErrorHandler: ({ error, event }) => {
      notes.warn({ error: error.name, retry: event.retryNum ?? 0 }, 'not acknowledged; Slack sends it again');
      return Promise.resolve(false);
    },
  });
  const bolt = new IntakeApp({
    token: options.tokens.bot,
    receiver,
    clientOptions: { ...clientOptions },
    deferInitialization: true,
    convoStore: false,
    logger,
  });
  bolt.error(error => {
    notes.warn({ error: error.name }, 'a delivery was acknowledged, but could not be carried out');
    return Promise.resolve();
  });
  const connection = new Connection({
    client: receiver.client,
    clock,
    counted: connections => {
      const expected = options.expectedConnections ?? 1;
      if (connections > expected) notes.warn({ connections, expected }, 'Slack counts more connections than expected');
      options.tooManyConnections?.(connections > expected ? connections : null);
    },
  });

  const readMark = async (place: { channel: ChannelId; ts: MessageTs }): Promise<Mark | undefined> => {
    const read = await readMessage(api, place.channel, place.ts);
    return 'message' in read ? markOf(read.message, self) : undefined;
  };

  let homes: Homes | null = null;
  const views = telling(reconciler, () => homes?.changed());

  return {
    identity,
    directory,
    views,
    start: async (asked, timeoutMs = START_MS) => {
      const inbox = tellingOfTheHouse(asked, () => homes?.changed());
      const note = (message: string): void => notes.warn({}, message);
      const acts = new Acts({ team, api, inbox, context, note });
      const parts: Parts = {
        api,
        acts,
        inbox,
        context,
        clock,
        modals: new Modals(api, context, note),
        environment: context.environment,
        environmentOf: async place => (await readMark(place))?.environment ?? null,
        address: ({ channel, ts }) => `${identity.teamUrl}archives/${channel}/p${ts.replace('.', '')}`,
        nameOf: user => directory.name(user),
        standingOf: user => directory.standing(user),
      };
      const shown = new Homes(parts);
      homes = shown;
      const intake = new Intake({
        team,
        self,
        inbox,
        clock,
        nameOf: user => directory.name(user),
        isCard: async place => isCardKey((await readMark(place))?.key ?? ''),
        hint: ({ message, thread }) => {
          const { channel, ts: threadTs } = thread;
          const to = { user: message.author, channel, threadTs, respond: null, trigger: null };
          tell(api, to, refusalContent({ code: 'use_buttons' }, null, context)).catch(() => {});
        },
      });
      const noticed: Inbound['noticed'] = event => watch(event, { directory, channels, notes });
      bolt.open({
        intake,
        clicks: new Clicks(parts),
        forms: new Forms(parts),
        commands: new Commands(parts),
        shortcut: used => useShortcut(parts, used),
        noticed,
        happened: event => greet({ api, team, context, homes: shown }, event),
      });
      await bolt.init();
      await connection.open(timeoutMs);
    },
    get health() {
      return connection.health;
    },
    stop: async () => {
      await connection.close();
      await bolt.idle();
      await homes?.close();
    },
  };
}

/** The same inbox; `changed` hears of what changes in no thread: a freeze, a permission. */
const tellingOfTheHouse = (inbox: Inbox, changed: () => void): Inbox => ({
  ...inbox,
  freeze: (...of) => inbox.freeze(...of).finally(changed),
  unfreeze: (...of) => inbox.unfreeze(...of).finally(changed),
  revokeGrant: (...of) => inbox.revokeGrant(...of).finally(changed),
});

/** The same views; `changed` hears of each pass over a thread, which follows whatever changed in it. */
const telling = (views: Views, changed: () => void): Views => ({
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
function watch(
  event: Parameters<Inbound['noticed']>[0],
  { directory, channels, notes }: { directory: SlackDirectory; channels: Channels; notes: Notes },
): void {
  const user = event['user'];
  switch (event.type) {
    case 'subteam_members_changed':
      return directory.forget({ group: String(event['subteam_id']) });
    case 'user_change':
      if (typeof user === 'object' && user !== null && 'id' in user) directory.forget({ user: String(user.id) });
      return;
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
