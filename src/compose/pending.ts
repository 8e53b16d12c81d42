/** Owns `npm run pending`: what waits, from the table alone; works while Slack is down. Times are UTC. */
import type { TeamId, WriterId } from '../thread/ids.ts';
import { openDynamoLog } from '../store/dynamo-log.ts';
import { TEAM } from '../local/world.ts';
import { systemClock, systemFresh } from './clock.ts';
import type { CliCommand } from './cli-command.ts';
import { openTable } from './table-side.ts';

export const pending: CliCommand = async (environment, [team = TEAM.id]) => {
  const table = await openTable(environment, systemClock);
  try {
    const log = openDynamoLog({
      client: table.client,
      table: table.table,
      macKey: null,
      clock: systemClock,
      fresh: systemFresh,
      writer: 'pending/0' as WriterId,
    });
    const threads = await log.open(team as TeamId);
    const lines = threads.flatMap(({ open }) => open).sort((a, b) => a.untilMs - b.untilMs);
    for (const { id, kind, summary, by, untilMs } of lines) {
      const until = untilMs === 0 ? '' : ` · until ${new Date(untilMs).toISOString()}`;
      console.log(`${kind === 'in_doubt' ? '❓' : '⏳'} A-${id.slice(0, 4)}  ${summary} · ${by}${until}`);
    }
    if (lines.length === 0) console.log('Nothing waits.');
    return 0;
  } finally {
    await table.close();
  }
};
