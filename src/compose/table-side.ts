/** Owns which table is used: the one that is named, or the embedded one in the data folder. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../config/environment.ts';
import { startDynalite } from '../local/dynalite.ts';
import { dynamoClient } from '../store/requests.ts';
import { createTable, tableState } from '../store/table.ts';
import type { Clock } from '../worker/ports.ts';
import { CannotStart } from './cannot-start.ts';
import { holdFolder } from './node-lock.ts';
import { toldAddresses } from './running-here.ts';
import type { Side } from './start-lines.ts';

type Client = ReturnType<typeof dynamoClient>;

/** A table that can be read and written. */
export interface OpenTable {
  readonly client: Client;
  readonly table: string;
  close(): Promise<void>;
}

export interface TableSide extends OpenTable {
  readonly side: Side;
  /** Where the embedded table answers; null for a named one. */
  readonly embeddedAt: string | null;
}

type NamedTable = NonNullable<Environment['table']>;

const EMBEDDED_TABLE = 'countersign';
const HINT = 'set DYNAMODB_TABLE for a real one';
/** dynalite asks for a signature but checks none. */
const LOCAL = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** The client for a named table; without an endpoint the usual chain of regions and credentials. */
export const tableClient = (table: NamedTable): Client =>
  dynamoClient({
    ...(table.endpoint === null ? {} : { endpoint: table.endpoint, ...LOCAL }),
    ...(table.region === null ? {} : { region: table.region }),
  });

/** Opens the table. Throws CannotStart when a named table is missing or has another form, LogUnavailable when it cannot be reached. */
export const openTable = ({ table, dataFolder }: Environment, clock: Clock): Promise<TableSide> =>
  table === null ? openEmbedded(dataFolder, clock) : openNamed(table);

async function openNamed(named: NamedTable): Promise<TableSide> {
  const client = tableClient(named);
  const state = await tableState(client, named.name);
  if (state.problems.length > 0) throw new CannotStart([...state.problems]);
  const recovery = {
    on: 'point-in-time recovery on',
    off: 'point-in-time recovery OFF',
    unknown: 'recovery not known',
  };
  const where = named.endpoint ?? named.region ?? 'default region';
  const what = `${named.name}, ${where}, ${recovery[state.recovery]}`;
  return {
    client,
    table: named.name,
    embeddedAt: null,
    side: { embedded: false, what, hint: HINT },
    close: () => Promise.resolve(client.destroy()),
  };
}

async function openEmbedded(dataFolder: string, clock: Clock): Promise<TableSide> {
  const server = await startDynalite({ path: join(dataFolder, 'table') });
  const client = dynamoClient({ endpoint: server.endpoint, ...LOCAL });
  const close = async (): Promise<void> => {
    client.destroy();
    await server.close();
  };
  try {
    await createTable(client, EMBEDDED_TABLE, clock);
  } catch (error) {
    await close();
    throw error;
  }
  const side = { embedded: true, what: `${dataFolder}/ on this disk`, hint: HINT };
  return { client, table: EMBEDDED_TABLE, embeddedAt: server.endpoint, side, close };
}

/**
 * Opens the table for a command that only reads, also while a process runs that holds the embedded one. Null when nothing has
 * been kept yet; throws as `openTable` does.
 */
export async function visitTable(environment: Environment, clock: Clock): Promise<OpenTable | null> {
  if (environment.table !== null) return openNamed(environment.table);
  const { dataFolder } = environment;
  const joined = await joinEmbedded(dataFolder);
  if (joined) return joined;
  if (!existsSync(join(dataFolder, 'table'))) return null;
  const held = holdFolder(dataFolder);
  try {
    const open = await openEmbedded(dataFolder, clock);
    return { ...open, close: () => open.close().finally(() => held.release()) };
  } catch (error) {
    held.release();
    throw error;
  }
}

/** The embedded table of the process that runs on this folder; undefined when none answers. */
async function joinEmbedded(dataFolder: string): Promise<OpenTable | undefined> {
  const endpoint = toldAddresses(dataFolder).table;
  if (endpoint === null) return undefined;
  const client = dynamoClient({ endpoint, ...LOCAL });
  const answers = await tableState(client, EMBEDDED_TABLE).catch(() => undefined);
  if (answers?.problems.length === 0)
    return { client, table: EMBEDDED_TABLE, close: () => Promise.resolve(client.destroy()) };
  client.destroy();
  return undefined;
}
