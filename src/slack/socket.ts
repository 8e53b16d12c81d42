/** Owns the join of Bolt and our own connection: what it takes for deliveries to arrive, and what is said when one is lost. */
import { SocketModeReceiver } from '@slack/bolt';
import { onceOnly } from './clients.ts';
import { Connection } from './connection.ts';
import { IntakeApp } from './inbound/listen.ts';
import type { vendorLogger, Notes } from './notes.ts';
import type { Clock } from '../worker/ports.ts';

/** What the socket needs of the room's options. */
export interface SocketOptions {
  readonly tokens: { readonly bot: string; readonly app: string };
  /** Null: Slack itself. */
  readonly apiUrl: string | null;
  readonly clock: Clock;
  /** Hears of more connections of this app than ours, and of the end of it (null). */
  readonly tooManyConnections?: (connections: number | null) => void;
  readonly notes: Notes;
}

/** The app and its connection; nothing is connected before the connection is opened. */
export function socketOf(
  options: SocketOptions,
  logger: ReturnType<typeof vendorLogger>,
): { readonly bolt: IntakeApp; readonly connection: Connection } {
  const { clock, notes, tokens } = options;
  const clientOptions = onceOnly({ apiUrl: options.apiUrl, logger });
  const receiver = new SocketModeReceiver({
    appToken: tokens.app,
    autoReconnectEnabled: false,
    logger,
    installerOptions: { clientOptions: { ...clientOptions } },
    processEventErrorHandler: ({ error, event }) => {
      notes.warn({ error: error.name, retry: event.retryNum ?? 0 }, 'not acknowledged; Slack sends it again');
      return Promise.resolve(false);
    },
  });
  const bolt = new IntakeApp({
    token: tokens.bot,
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
      const areMany = connections > 1;
      if (areMany) notes.warn({ connections }, 'Slack counts more connections than expected');
      options.tooManyConnections?.(areMany ? connections : null);
    },
  });
  return { bolt, connection };
}
