/** `GET /human/log`: a thread's log for the inspector, where the process that serves the page has the log. */
import { HttpRefusal } from '../http.ts';
import { foldsAt, timeLine, type Inspect, type ThreadLog } from '../inspect/inspect.ts';
import type { JsonObject } from '../json.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { ChannelId, MessageTs, TeamId, ThreadKey } from '../../thread/ids.ts';
import { TEAM } from '../world.ts';

/** The time line of a thread (`channel`, `ts`), or with `number` the fold before and behind that commit. */
export async function seeLog(
  workspace: Workspace,
  inspect: Inspect | undefined,
  query: URLSearchParams,
): Promise<JsonObject> {
  if (!inspect) throw new HttpRefusal(404, 'Another process has the log; the inspector is only where the log is.');
  const key = threadIn(workspace, query);
  const log = await read(inspect, key);
  const number = query.get('number');
  if (number === null) return timeLine(key, log, namesIn(workspace));
  const folds = foldsAt(key, log, Number(number));
  if (!folds) throw new HttpRefusal(404, 'There is no such commit in this thread.');
  return folds;
}

function namesIn({ directory }: Workspace): Parameters<typeof timeLine>[2] {
  const channelName = (id: string): string => {
    const channel = directory.channel(id);
    if (!channel) return id;
    return channel.imUser === undefined ? `#${channel.name}` : 'a direct message';
  };
  return { person: id => directory.person(id)?.realName ?? id, channel: channelName };
}

async function read(inspect: Inspect, key: ThreadKey): Promise<ThreadLog> {
  try {
    return await inspect(key);
  } catch (error) {
    throw new HttpRefusal(502, `The log cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function threadIn(workspace: Workspace, query: URLSearchParams): ThreadKey {
  const channel = query.get('channel') ?? '';
  const ts = query.get('ts') ?? '';
  if (!workspace.directory.channel(channel)) throw new HttpRefusal(404, 'There is no such channel here.');
  if (!/^\d{1,10}\.\d{1,6}$/.test(ts)) throw new HttpRefusal(400, '“ts” must be a message’s timestamp.');
  return { team: TEAM.id as TeamId, channel: channel as ChannelId, ts: ts as MessageTs };
}
