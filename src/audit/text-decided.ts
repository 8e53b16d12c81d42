/** Owns what a record says in a terminal of what people were shown, when they were called, and what they decided. */
import type { Decided, RecordDoc, Shown } from '../thread/record.ts';
import { brief, facts, quote, time, utc, who, type Pen } from './pen.ts';
import { shownWords } from './words.ts';

type Each<Name extends keyof RecordDoc> = RecordDoc[Name] extends readonly (infer T)[] ? T : never;

export function shownLines(pen: Pen, shown: Shown): string[] {
  const why = shownWords(shown);
  const round = shown.round === null ? `card ${shown.card}` : `round ${shown.round}, card ${shown.card}`;
  const digest = shown.digest === null ? '' : `, digest ${brief(shown.digest)}`;
  const bind = Object.keys(shown.bind).length === 0 ? '' : `; facts ${facts(pen, shown.bind)}`;
  const note = Object.keys(shown.note).length === 0 ? '' : `; notes ${facts(pen, shown.note)}`;
  const until = shown.expiresAtMs === null ? '' : `; until ${utc(shown.expiresAtMs)}`;
  return [
    `${utc(shown.atMs)}  ${round}${why === '' ? '' : ` (${why})`}${digest}${bind}${note}${until}`,
    ...(shown.message === null ? [] : [`  ${who(pen, shown.message.by)}: ${quote(pen, shown.message.text)}`]),
    ...shown.options.map(({ value, label }) => `  way ${quote(pen, value)}: ${pen.show.line(label)}`),
    ...shown.changes.map(({ fact, was, is }) => {
      return `  ${pen.show.line(fact)}: ${pen.show.json(was, fact)} → ${pen.show.json(is, fact)}`;
    }),
  ];
}

export const remindedLine = ({ atMs, round, n }: Each<'reminders'>): string =>
  `${utc(atMs)}  reminder ${n} of round ${round}`;

export const escalatedLine = ({ atMs, round, step }: Each<'escalations'>): string =>
  `${utc(atMs)}  step ${step} of the ladder, round ${round}`;

/** Votes, and what they came to, in the order of time. */
export function decidedLines(pen: Pen, { decided, settled }: RecordDoc): string[] {
  const votes = decided.map(vote => ({ atMs: vote.atMs, line: voteLine(pen, vote) }));
  const ends = settled.map(end => ({ atMs: end.atMs, line: settledLine(pen, end) }));
  return [...votes, ...ends].sort((a, b) => a.atMs - b.atMs).map(({ line }) => line);
}

function voteLine(pen: Pen, vote: Decided): string {
  const member = vote.scopes.length === 0 ? '' : `, member of ${vote.scopes.map(pen.show.line).join(', ')} then`;
  const option = vote.option === null ? '' : ` ${quote(pen, vote.option)}`;
  const reason = vote.reason === null ? '' : `: ${quote(pen, vote.reason)}`;
  const then = vote.then === null ? '' : `; then: ${vote.then}`;
  const round = vote.round === null ? '' : ` (round ${vote.round})`;
  const fell = vote.fell === null ? '' : `; fell ${utc(vote.fell.atMs)} (${vote.fell.code})`;
  return `${utc(vote.atMs)}  ${vote.verdict}${option}  ${who(pen, vote.by)}${member}${round}${reason}${then}${fell}`;
}

function settledLine(pen: Pen, { atMs, how, by, code, detail, option }: Each<'settled'>): string {
  const people = by.length === 0 ? '' : ` by ${by.map(person => who(pen, person)).join(', ')}`;
  const why = [code, detail === null ? null : pen.show.line(detail)].filter(each => each !== null).join(', ');
  const chosen = option === null ? '' : `, chosen: ${quote(pen, option)}`;
  return `${utc(atMs)}  settled: ${how}${people}${why === '' ? '' : ` (${why})`}${chosen}`;
}

export function refusedLine(pen: Pen, { atMs, by, code, round, verdict }: Each<'refused'>): string {
  const wanted = verdict === null ? '' : ` wanted to ${verdict}`;
  return `${time(atMs)}${who(pen, by)}${wanted}: ${code} (round ${round})`;
}
