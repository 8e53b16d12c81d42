/** Owns how a command reads the table from outside: read-only, from the table alone, and with a pen for the terminal. */
import { penWith, type Pen } from '../../audit/pen.ts';
import { channelWords, type Opens } from '../../audit/place.ts';
import { openDynamoLog } from '../../store/dynamo-log.ts';
import { sha256 } from '../../thread/digest.ts';
import { lookAtChannel } from '../../slack/findings.ts';
import type { ChannelId, WriterId } from '../../thread/ids.ts';
import type { Log } from '../../worker/ports.ts';
import { systemClock, systemFresh } from '../clock.ts';
import { findSlack } from '../find-slack.ts';
import { toldAddresses } from '../running-here.ts';
import { quietApi } from '../slack-side.ts';
import { visitTable, type OpenTable } from '../table-side.ts';
import type { Given } from './command.ts';

export interface Reading {
  readonly log: Log;
  readonly table: OpenTable;
  readonly pen: Pen;
  readonly opens: Opens;
  /** `#ops (C0OPS0001)`: what Slack calls the channel now; the id alone where it cannot be asked. */
  readonly channel: (id: ChannelId) => Promise<string>;
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
    return await read({ log, table, pen, opens, channel: channelNames(environment) });
  } finally {
    await table.close();
  }
}

/** Asks for each channel once. Names are a courtesy: a Slack that is down costs one call, and then ids have to do. */
function channelNames(environment: Given['environment']): Reading['channel'] {
  const place = findSlack(environment);
  const known = new Map<ChannelId, Promise<string>>();
  let answers = place !== null;
  const ask = async (id: ChannelId): Promise<string> => {
    if (place === null || !answers || id.startsWith('D')) return channelWords(id, '');
    const { name, problem } = await lookAtChannel(quietApi(place), id);
    answers = problem?.includes('cannot be reached') !== true;
    return channelWords(id, name === id ? '' : name);
  };
  return id => {
    const asked = known.get(id) ?? ask(id);
    known.set(id, asked);
    return asked;
  };
}
