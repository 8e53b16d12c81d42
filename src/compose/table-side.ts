/** Owns which table is used: the one that is named, or the embedded one in the data folder. */
import { join } from 'node:path';
import type { Environment } from '../config/environment.ts';
import { startDynalite } from '../local/dynalite.ts';
import { dynamoClient } from '../store/requests.ts';
import { createTable, tableState } from '../store/table.ts';
import type { Clock } from '../worker/ports.ts';

type Client = ReturnType<typeof dynamoClient>;

export interface TableSide {
  readonly client: Client;
  readonly table: string;
  readonly embedded: boolean;
  /** One line for the start-up text, without its label. */
  readonly line: string;
  close(): Promise<void>;
}

const EMBEDDED_TABLE = 'countersign';
/** dynalite asks for a signature but checks none. */
const LOCAL = { region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** The client for a named table; without an endpoint the usual chain of regions and credentials. */
export const tableClient = (table: NonNullable<Environment['table']>): Client =>
  dynamoClient({
    ...(table.endpoint === null ? {} : { endpoint: table.endpoint, ...LOCAL }),
    ...(table.region === null ? {} : { region: table.region }),
  });

/** Opens the table. Throws LogUnavailable when a named table is missing, cannot be reached, or has another form. */
export async function openTable(environment: Environment, clock: Clock): Promise<TableSide> {
  const named = environment.table;
  if (named === null) return openEmbedded(environment.dataFolder, clock);
  const client = tableClient(named);
  const state = await tableState(client, named.name);
  if (state.problems.length > 0) throw new TableProblem(state.problems);
  const recovery = {
    on: 'point-in-time recovery on',
    off: 'point-in-time recovery OFF',
    unknown: 'recovery not known',
  };
  const where = named.endpoint ?? named.region ?? 'default region';
  return {
    client,
    table: named.name,
    embedded: false,
    line: `${named.name}, ${where}, ${recovery[state.recovery]}`,
    close: () => Promise.resolve(client.destroy()),
  };
}

/** What is wrong with the table, one sentence each. */
export class TableProblem extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join(' '));
    this.problems = problems;
  }
}

async function openEmbedded(dataFolder: string, clock: Clock): Promise<TableSide> {
  const server = await startDynalite({ path: join(dataFolder, 'table') });
  const client = dynamoClient({ endpoint: server.endpoint, ...LOCAL });
  await createTable(client, EMBEDDED_TABLE, clock);
  return {
    client,
    table: EMBEDDED_TABLE,
    embedded: true,
    line: `${dataFolder}/ on this disk`,
    close: async () => {
      client.destroy();
      await server.close();
    },
  };
}
