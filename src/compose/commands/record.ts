/** Owns `npm run record -- <link or A-7F3K>`: everything that is on record about a call, from the table alone. */
import { textLines } from '../../audit/kept-texts.ts';
import { readWanted, threadAddress } from '../../audit/place.ts';
import { recordLines } from '../../audit/text.ts';
import { LogDamaged } from '../../worker/ports.ts';
import { findRecords } from '../find-records.ts';
import type { Command } from './command.ts';
import { reading } from './reading.ts';
import { misused, oddIn, saidIn, usage } from './words.ts';

const USAGE = [
  'npm run record -- <link or A-7F3K> [--texts]',
  'Prints what is on record about a call: who asked, what was shown, who decided, what ran, and what does not fit together.',
  'A link to a thread prints every call in it; a link to a card prints its call. Times are UTC; secrets are masked.',
  '--texts: behind it the texts to which it refers by digest: policy, instructions of the agent, definition of the tool.',
  'Costs a few reads where a mark leads to the thread. Older requests, and links to cards, are looked for by reading',
  'the whole table once (0.5 read units for each 4 KB of it). Changes nothing.',
];

export const record: Command = async ({ environment, words, terminal }) => {
  const said = saidIn(words, [], ['texts']);
  const withTexts = said.options['texts'] !== undefined;
  if (said.help) return usage(terminal.print, USAGE);
  const odd = oddIn(said, 1);
  if (odd !== null) return misused(terminal.complain, odd, USAGE);
  const [word] = said.words;
  if (word === undefined) return misused(terminal.complain, 'It is not said of what.', USAGE);
  const wanted = readWanted(word);
  if (wanted === undefined)
    return misused(
      terminal.complain,
      'That is neither a link to a Slack message nor a short id such as A-7F3K (letters A to Z, digits 2 to 7).',
      USAGE,
    );
  try {
    const pages = await reading({ environment }, async place => {
      const found = await findRecords(place, wanted);
      return Promise.all(
        found.map(async ({ key, records, texts }) => {
          const where = { channel: await place.channel(key.channel), address: threadAddress(key, place.opens) };
          return {
            where,
            pages: records.map(doc => recordLines(place.pen, doc, where)),
            texts: withTexts ? textLines(place.pen, records, texts) : [],
          };
        }),
      );
    });
    if (pages === undefined || pages.length === 0) {
      const what = wanted.is === 'short' ? `A-${wanted.short}` : 'this message';
      terminal.complain(`There is no record of ${what} here: it may belong to another Countersign, or another table.`);
      return 1;
    }
    const all = pages.flatMap(each => each.pages);
    for (const { where, pages: own } of pages)
      if (own.length === 0) terminal.complain(`The agent has made no call in the thread ${where.address}.`);
    for (const [index, lines] of all.entries())
      for (const line of index > 0 ? ['', ...lines] : lines) terminal.print(line);
    for (const line of pages.flatMap(({ texts }) => texts)) terminal.print(line);
    return all.length > 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof LogDamaged)) throw error;
    terminal.complain(error.message);
    terminal.complain('The record of this thread does not fit together, so nothing of it is shown as if it did.');
    return 1;
  }
};
