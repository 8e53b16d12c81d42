/**
 * Owns the composition of this room: the clients, the two ports that the worker gets (`views`, `directory`), and the Bolt
 * app that brings people's messages, clicks and forms to the worker.
 */
import type { Scope } from '../thread/events.ts';
import type { WriterId } from '../thread/ids.ts';
import type { Directory, Inbox, Place, Views } from '../worker/ports.ts';
import type { SlackApi } from './api.ts';
import { renderingOf } from './bound.ts';
import { Channels } from './channels.ts';
import { slackApi } from './clients.ts';
import type { ConnectionHealth } from './connection.ts';
import { SlackDirectory } from './directory.ts';
import { identify, type Identity } from './identity.ts';
import { Acts } from './inbound/acts.ts';
import type { TakenMessage } from './inbound/bodies.ts';
import { Clicks } from './inbound/clicks.ts';
import { Commands } from './inbound/commands.ts';
import { Forms } from './inbound/forms.ts';
import { greet } from './inbound/greeting.ts';
import { Homes } from './inbound/homes.ts';
import { Intake } from './inbound/intake.ts';
import type { Inbound } from './inbound/listen.ts';
import { Modals } from './inbound/modals.ts';
import type { Parts } from './inbound/performing.ts';
import { tell, type Listener } from './inbound/privately.ts';
import { useShortcut } from './inbound/shortcuts.ts';
import { Links } from './links.ts';
import { vendorLogger } from './notes.ts';
import { tellingOfPasses, tellingOfTheHouse, watch } from './noticing.ts';
import { markOf, readMessage } from './ours.ts';
import type { Mark } from './posting.ts';
import { PacedQueue } from './queue.ts';
import { Reconciler } from './reconciler.ts';
import { socketOf, type SocketOptions } from './socket.ts';
import type { RenderContext } from './views/context.ts';
import { isCardKey } from './views/keys.ts';
import { refusalContent } from './views/refusals.ts';

export interface SlackOptions extends SocketOptions {
  readonly writer: WriterId;
  readonly admins: readonly Scope[];
  readonly context: Omit<RenderContext, 'botUser' | 'isPrivate'>;
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

  const { bolt, connection } = socketOf(options, logger);
  let homes: Homes | null = null;
  const views = tellingOfPasses(reconciler, () => homes?.changed());

  return {
    identity,
    directory,
    views,
    start: async (asked, timeoutMs = START_MS) => {
      const room = { options, identity, api, context, directory, channels };
      const opened = inboundOf(
        room,
        tellingOfTheHouse(asked, () => homes?.changed()),
      );
      homes = opened.homes;
      bolt.open(opened.inbound);
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

/** What this room's inbound side is made of. */
interface Room {
  readonly options: SlackOptions;
  readonly identity: Identity;
  readonly api: SlackApi;
  readonly context: RenderContext;
  readonly directory: SlackDirectory;
  readonly channels: Channels;
}

/** Whoever wrote a message, in its thread. */
const authorOf = ({ message, thread }: TakenMessage): Listener => ({
  user: message.author,
  channel: thread.channel,
  threadTs: thread.ts,
  respond: null,
  trigger: null,
});

/** What carries deliveries out, and the Home tabs. */
function inboundOf(room: Room, inbox: Inbox): { readonly inbound: Inbound; readonly homes: Homes } {
  const { identity, api, context, directory, channels } = room;
  const { clock, notes } = room.options;
  const { team, self } = identity;
  const readMark = async (place: Place): Promise<Mark | undefined> => {
    const read = await readMessage(api, place.channel, place.ts);
    return 'message' in read ? markOf(read.message, self) : undefined;
  };
  const note = (message: string): void => notes.warn({}, message);
  const parts: Parts = {
    api,
    acts: new Acts({ team, api, inbox, context, note }),
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
  const homes = new Homes(parts);
  const intake = new Intake({
    team,
    self,
    inbox,
    clock,
    nameOf: user => directory.name(user),
    isCard: async place => isCardKey((await readMark(place))?.key ?? ''),
    hint: to => {
      tell(api, authorOf(to), refusalContent({ code: 'use_buttons' }, null, context)).catch(() => {});
    },
    refused: (to, { refusal, thread, workspace }) => {
      if (refusal) parts.acts.refuse(authorOf(to), refusal, thread, workspace).catch(() => {});
    },
  });
  const inbound: Inbound = {
    intake,
    clicks: new Clicks(parts),
    forms: new Forms(parts),
    commands: new Commands(parts),
    shortcut: used => useShortcut(parts, used),
    noticed: event => watch(event, { directory, channels, notes }),
    happened: event => greet({ api, team, context, homes }, event),
  };
  return { inbound, homes };
}
