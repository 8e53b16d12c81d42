/** Owns `npm run pending`: what waits, from the table alone, so that it works while Slack is down. Times are UTC. */
import { utc, who } from '../../audit/pen.ts';
import { logWords, threadAddress } from '../../audit/place.ts';
import { logsInIndex } from '../../store/indexed-logs.ts';
import { parseThreadLog } from '../../thread/ids.ts';
import type { OpenItem } from '../../worker/ports.ts';
import { whatWaits, type WaitingItem } from '../../worker/what-waits.ts';
import { systemClock } from '../clock.ts';
import type { Command } from './command.ts';
import { reading, type Reading } from './reading.ts';
import { misused, oddIn, saidIn, usage } from './words.ts';

const USAGE = [
  'npm run pending',
  'Lists what waits for people: requests, questions, and calls of which nobody knows whether they ran.',
  'Reads the index of threads that need attention, and each of these threads; changes nothing.',
];

export const pending: Command = async ({ environment, words, terminal }) => {
  const said = saidIn(words);
  if (said.help) return usage(terminal.print, USAGE);
  const odd = oddIn(said);
  if (odd !== null) return misused(terminal.complain, odd, USAGE);
  const found = await reading({ environment }, async place => {
    const logs = await logsInIndex(place.table.client, place.table.table, systemClock);
    return { place, ...(await whatWaits(place.log, logs, systemClock.nowMs())) };
  });
  if (found === undefined) {
    terminal.print('Nothing waits: nothing has been kept yet.');
    return 0;
  }
  const { items, damaged, place } = found;
  for (const item of items.toSorted((a, b) => endOf(a) - endOf(b))) terminal.print(lineOf(place, item));
  for (const key of damaged)
    terminal.print(`! The record of ${logWords(key, place.opens)} does not fit together; nothing in it goes on.`);
  if (items.length + damaged.length === 0) terminal.print('Nothing waits.');
  return 0;
};

const SIGNS: Readonly<Record<OpenItem['kind'], string>> = { approval: '⏳', question: '💬', in_doubt: '❓' };

/** A doubt has no end but what people say, and is what they are needed for first. */
const endOf = ({ kind, untilMs }: OpenItem): number => (kind === 'in_doubt' ? 0 : untilMs);

/** `⏳ A-7F3K  Run echo hello · Dana Ito (U0DANA001) · until 2026-11-30 16:05:00Z · <address>`; what people wrote stays on its line. */
function lineOf({ pen, opens }: Pick<Reading, 'pen' | 'opens'>, item: WaitingItem): string {
  const { id, kind, summary, by, name, untilMs, key } = item;
  const thread = parseThreadLog(key);
  const until = endOf(item) === 0 ? [] : [`until ${utc(untilMs)}`];
  const where = thread === undefined ? [] : [threadAddress(thread, opens)];
  const short = `${kind === 'question' ? 'Q' : 'A'}-${id.slice(0, 4)}`;
  return [`${SIGNS[kind]} ${short}  ${pen.show.line(summary)}`, who(pen, { id: by, name }), ...until, ...where].join(
    ' · ',
  );
}
