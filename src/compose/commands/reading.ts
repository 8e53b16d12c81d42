/** Owns how a command reads the table from outside: read-only, from the table alone, and with a pen for the terminal. */
import { penWith, type Pen } from '../../audit/pen.ts';
import type { Opens } from '../../audit/place.ts';
import { openDynamoLog } from '../../store/dynamo-log.ts';
import { sha256 } from '../../thread/digest.ts';
import type { WriterId } from '../../thread/ids.ts';
import type { Log } from '../../worker/ports.ts';
import { systemClock, systemFresh } from '../clock.ts';
import { toldAddresses } from '../running-here.ts';
import { visitTable, type OpenTable } from '../table-side.ts';
import type { Given } from './command.ts';

export interface Reading {
  readonly log: Log;
  readonly table: OpenTable;
  readonly pen: Pen;
  readonly opens: Opens;
}

/** Reads with `read`, and closes what was opened; undefined when nothing has been kept yet. Throws as `visitTable` does. */
export async function reading<T>(
  { environment }: Pick<Given, 'environment'>,
  read: (reading: Reading) => Promise<T>,
): Promise<T | undefined> {
  const table = await visitTable(environment, systemClock);
  if (table === null) return undefined;
  try {
    const log = openDynamoLog({
      client: table.client,
      table: table.table,
      macKey: null,
      clock: systemClock,
      fresh: systemFresh,
      writer: 'reader/0' as WriterId,
    });
    const { key, slack, dataFolder } = environment;
    // As in `start.ts`: the cards' fingerprints are under this key.
    const pen = penWith(key === null ? null : Buffer.from(sha256(key), 'hex'));
    const url = toldAddresses(dataFolder).workspace;
    const opens: Opens =
      slack.tokens !== null ? { in: 'slack' } : url === null ? { in: 'none' } : { in: 'workspace', url };
    return await read({ log, table, pen, opens });
  } finally {
    await table.close();
  }
}
