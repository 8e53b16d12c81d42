/** Puts a thread of the core's stage into a table, as a worker writes it: at the times that its commits have. */
import { systemFresh } from '../../src/compose/clock.ts';
import { openTable } from '../../src/compose/table-side.ts';
import { systemClock } from '../../src/compose/clock.ts';
import type { Environment } from '../../src/config/environment.ts';
import { openDynamoLog } from '../../src/store/dynamo-log.ts';
import type { Commit } from '../../src/thread/commit.ts';
import { threadLog, type LogKey, type TeamId, type WriterId } from '../../src/thread/ids.ts';
import type { Log, Mark, OpenItem } from '../../src/worker/ports.ts';
import type { Stage } from '../thread/stage.ts';

/** Opens the table of an environment for a moment. */
async function withLog<T>(environment: Environment, use: (log: Log, at: (ms: number) => void) => Promise<T>) {
  const table = await openTable(environment, systemClock);
  let nowMs = systemClock.nowMs();
  try {
    const log = openDynamoLog({
      client: table.client,
      table: table.table,
      macKey: null,
      fresh: systemFresh,
      clock: { ...systemClock, nowMs: () => nowMs },
      writer: 'test/1' as WriterId,
    });
    return await use(log, ms => (nowMs = ms));
  } finally {
    await table.close();
  }
}

/** Writes commits to a log; the last one carries a wake where something is `open`. */
export async function keepCommits(
  environment: Environment,
  key: LogKey,
  commits: readonly Pick<Commit, 'events' | 'atMs'>[],
  open: readonly OpenItem[] | null = null,
): Promise<void> {
  await withLog(environment, async (log, at) => {
    let head = { number: 0, hash: '' };
    for (const [index, commit] of commits.entries()) {
      at(commit.atMs);
      const wake = open !== null && index === commits.length - 1 ? { dueAtMs: 1, open } : undefined;
      const result = await log.append(key, head, commit.events, wake);
      if ('lost' in result) throw new Error('The commit was lost.');
      head = { number: result.won.number, hash: result.won.hash };
    }
  });
}

/** Writes a stage's thread. */
export const keep = (environment: Environment, stage: Stage, open: readonly OpenItem[] | null = null): Promise<void> =>
  keepCommits(environment, threadLog(stage.key), stage.commits, open);

/** Puts the mark of a stage's request. */
export const keepMark = (environment: Environment, stage: Stage): Promise<void> =>
  withLog(environment, log => log.putMark(stage.key.team, markOf(stage)));

const markOf = (stage: Stage): Mark => ({
  short: stage.approval().id.slice(0, 4),
  approval: stage.approval().id,
  key: threadLog(stage.key),
  people: [...stage.approval().requesters],
  atMs: stage.approval().requestedAtMs,
  when: 'asked',
});

export const OTHER_TEAM = 'T0OTHER01' as TeamId;
