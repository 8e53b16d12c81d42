/** Owns `npm run report -- --since 7d`: what was asked and what came of it, from the table alone. */
import { reportOf } from '../../audit/report.ts';
import { logWords } from '../../audit/place.ts';
import { reportLines } from '../../audit/report-text.ts';
import { everyCommit } from '../../store/every-commit.ts';
import type { Commit } from '../../thread/commit.ts';
import type { LogKey } from '../../thread/ids.ts';
import { LogDamaged } from '../../worker/ports.ts';
import { systemClock } from '../clock.ts';
import type { Command } from './command.ts';
import { reading, type Reading } from './reading.ts';
import { misused, oddIn, saidIn, usage } from './words.ts';

const USAGE = [
  'npm run report -- --since 7d',
  '--since: how far back: 90m, 12h, 7d, 4w, or a day such as 2026-11-01 (from its beginning, UTC). Default: 7d.',
  'Counts by rule what was asked and what came of it, how long people waited, who decided how often, refused clicks,',
  'what was allowed for a while, and freezes. Exact: it reads the whole table once (0.5 read units for each 4 KB of it),',
  'and each log that something was written to in that time. Changes nothing.',
];

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** The time (epoch ms) that `7d` or `2026-11-01` means; undefined for anything else, and for what is yet to come. */
export function sinceIn(text: string, nowMs: number): number | undefined {
  const ago = /^(\d{1,5})([mhdw])$/.exec(text);
  if (ago) return nowMs - Number(ago[1]) * UNITS[ago[2] as keyof typeof UNITS];
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(day) || day > nowMs ? undefined : day;
}

export const report: Command = async ({ environment, words, terminal }) => {
  const said = saidIn(words, ['since']);
  if (said.help) return usage(terminal.print, USAGE);
  const odd = oddIn(said);
  if (odd !== null) return misused(terminal.complain, odd, USAGE);
  const nowMs = systemClock.nowMs();
  const since = said.options['since'] ?? '7d';
  const sinceMs = sinceIn(since, nowMs);
  if (sinceMs === undefined)
    return misused(terminal.complain, `"${since}" says no time since when, or one that is yet to come.`, USAGE);
  const lines = await reading({ environment }, async place => {
    const damaged: LogKey[] = [];
    const logs = await logsSince(place, sinceMs, damaged);
    return [
      ...reportLines(place.pen, reportOf(logs, { sinceMs, untilMs: nowMs })),
      ...damaged.map(
        key => `! The record of ${logWords(key, place.opens)} does not fit together; nothing of it is counted.`,
      ),
    ];
  });
  if (lines === undefined) terminal.print('Nothing has been kept yet.');
  for (const line of lines ?? []) terminal.print(line);
  return 0;
};

/** Logs that are read at the same time. */
const AT_ONCE = 8;

/** Every log that something was written to since then, and every workspace's (a freeze may have begun before), whole; those that do not fit together go to `damaged`. */
async function logsSince({ log, table }: Reading, sinceMs: number, damaged: LogKey[]) {
  const keys = new Set<LogKey>();
  for await (const { key } of everyCommit(table.client, table.table, systemClock, sinceMs)) keys.add(key);
  const logs: { readonly key: LogKey; readonly commits: readonly Commit[] }[] = [];
  const all = [...keys];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const batch = await Promise.all(
      all.slice(from, from + AT_ONCE).map(async key => {
        try {
          return [{ key, commits: (await log.load(key, { number: 0, hash: '' })).commits }];
        } catch (error) {
          if (!(error instanceof LogDamaged)) throw error;
          damaged.push(key);
          return [];
        }
      }),
    );
    logs.push(...batch.flat());
  }
  return logs;
}
