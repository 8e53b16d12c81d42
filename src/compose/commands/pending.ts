/** Owns `npm run pending`: what waits, from the table alone, so that it works while Slack is down. Times are UTC. */
import { openDynamoLog } from '../../store/dynamo-log.ts';
import { logsInIndex } from '../../store/indexed-logs.ts';
import type { WriterId } from '../../thread/ids.ts';
import type { OpenItem } from '../../worker/ports.ts';
import { whatWaits } from '../../worker/what-waits.ts';
import { systemClock, systemFresh } from '../clock.ts';
import { visitTable } from '../table-side.ts';
import type { Command } from './command.ts';

export const pending: Command = async ({ environment, terminal }) => {
  const table = await visitTable(environment, systemClock);
  if (table === null) {
    terminal.print('Nothing waits: nothing has been kept yet.');
    return 0;
  }
  try {
    const reading = { macKey: null, clock: systemClock, fresh: systemFresh, writer: 'pending/0' as WriterId };
    const log = openDynamoLog({ client: table.client, table: table.table, ...reading });
    const logs = await logsInIndex(table.client, table.table, systemClock);
    const { items, damaged } = await whatWaits(log, logs, systemClock.nowMs());
    for (const item of items.toSorted((a, b) => a.untilMs - b.untilMs)) terminal.print(lineOf(item));
    for (const key of damaged) terminal.print(`! The record of ${key} does not fit together; nothing in it goes on.`);
    if (items.length + damaged.length === 0) terminal.print('Nothing waits.');
    return 0;
  } finally {
    await table.close();
  }
};

const SIGNS: Readonly<Record<OpenItem['kind'], string>> = { approval: '⏳', question: '⏳', in_doubt: '❓' };

/** `⏳ A-7F3K  Run echo hello · U0DANA001 · until 2026-11-30T16:05:00Z`; what people wrote stays on its line. */
function lineOf({ id, kind, summary, by, untilMs }: OpenItem): string {
  const until = untilMs === 0 ? '' : ` · until ${new Date(untilMs).toISOString().replace(/\.\d+Z$/, 'Z')}`;
  return `${SIGNS[kind]} A-${id.slice(0, 4)}  ${visible(summary)} · ${by}${until}`;
}

/** Control characters of an argument could move the cursor of a terminal. */
const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, character => `\\u{${character.codePointAt(0)?.toString(16)}}`);
