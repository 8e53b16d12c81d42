/**
 * Owns the record as a page of text: what was asked, called, shown, decided, checked and run, one line each, in UTC. Secrets
 * are masked as on the cards, and nothing invisible stays invisible; no text is cut.
 */
import type { Json } from '../thread/events.ts';
import {
  editedValue,
  type Asked,
  type Decided,
  type Doubt,
  type Ran,
  type RecordDoc,
  type Shown,
} from '../thread/record.ts';
import type { Sign } from '../thread/thread.ts';
import { brief, facts, quote, utc, who, type Pen } from './pen.ts';
import { findingWords, outcomeWords, ranWords, shownWords } from './words.ts';

/** The page of a record, line by line. `thread` is the thread's address as it is printed. */
export function recordLines(pen: Pen, doc: RecordDoc, thread: string): string[] {
  const title = `${marked(doc)}  ${pen.show.line(doc.summary)}`;
  return [
    `${title.padEnd(78)}  outcome: ${outcomeWords(pen, doc.outcome)}`,
    ...section('Asked', askedLines(pen, doc, thread)),
    ...section('Call', callLines(pen, doc)),
    ...section('Rule', ruleLines(pen, doc)),
    ...section(
      'Shown',
      doc.shown.flatMap(shown => shownLines(pen, shown)),
    ),
    ...section(
      'Edited',
      doc.edits.flatMap(edit => [
        `${time(edit.atMs)}${who(pen, edit.by)}`,
        ...edit.changes.map(change => {
          const name = change.fact === '' ? 'arguments' : pen.show.line(change.fact);
          const value = (of: Json, is: Json): string => {
            const given = editedValue(of, change, is);
            return given === undefined ? '(not given)' : pen.show.json(given, change.fact);
          };
          return `  ${name}: ${value(edit.was, change.was)} → ${value(edit.is, change.is)}`;
        }),
      ]),
    ),
    ...section(
      'Asked back',
      doc.inquiries.flatMap(question => questionLines(pen, question)),
    ),
    ...section(
      'Reminded',
      doc.reminders.map(({ atMs, round, n }) => `${utc(atMs)}  reminder ${n} of round ${round}`),
    ),
    ...section(
      'Escalated',
      doc.escalations.map(({ atMs, round, step }) => `${utc(atMs)}  step ${step} of the ladder, round ${round}`),
    ),
    ...section('Decided', decidedLines(pen, doc)),
    ...section(
      'Refused',
      doc.refused.map(({ atMs, by, code, round, verdict }) => {
        const wanted = verdict === null ? '' : ` wanted to ${verdict}`;
        return `${time(atMs)}${who(pen, by)}${wanted}: ${code} (round ${round})`;
      }),
    ),
    ...section(
      'Grants',
      doc.grants.map(({ grant, is, atMs, by, sentence, taken }) => {
        const person = by === null ? '' : ` by ${who(pen, by)}`;
        const words = sentence === null ? '' : `: ${quote(pen, sentence)}`;
        const late = taken === false ? ' (not taken by the workspace)' : '';
        return `${time(atMs)}${is} ${grant.slice(0, 4)}${person}${words}${late}`;
      }),
    ),
    ...section(
      'Questions',
      doc.questions.flatMap(question => questionLines(pen, question)),
    ),
    ...section(
      'Checked',
      doc.checked.map(({ atMs, facts: bound }) => {
        const also = Object.keys(bound).length > 0 ? `, ${facts(pen, bound)}` : '';
        return `${utc(atMs)}  arguments, rule, rights, freeze, definition${also}: unchanged`;
      }),
    ),
    ...section(
      'Ran',
      doc.ran.flatMap(ran => ranLines(pen, ran)),
    ),
    ...section(
      'Steps',
      doc.steps.map(({ name, beganAtMs, doneAtMs }) => {
        return `${pen.show.line(name)}: begun ${moment(beganAtMs)}, done ${moment(doneAtMs)}`;
      }),
    ),
    ...section(
      'In doubt',
      doc.doubts.map(doubt => doubtLine(pen, doubt)),
    ),
    ...section(
      'Stopped',
      doc.stopped.map(({ atMs, what, by, source }) => {
        return `${time(atMs)}${what} by ${who(pen, by)}${source === null ? '' : ` (${source})`}`;
      }),
    ),
    ...section('Findings', doc.findings.length === 0 ? ['none'] : doc.findings.map(each => findingWords(pen, each))),
  ];
}

const WIDTH = 11;

/** Lines under a word that stands on the first of them; none without lines. */
const section = (word: string, lines: readonly string[]): string[] =>
  lines.map((line, index) => `${(index === 0 ? word : '').padEnd(WIDTH)}${line}`);

/** The short id by which people look up a request, or a call that needed none. */
const marked = ({ call, approval }: Pick<RecordDoc, 'call' | 'approval'>): string =>
  `A-${(approval ?? call).slice(0, 4)}`;

const time = (atMs: number | null): string => (atMs === null ? '' : `${utc(atMs)}  `);
const moment = (atMs: number | null): string => (atMs === null ? '-' : utc(atMs));

function askedLines(pen: Pen, { asked, key }: RecordDoc, thread: string): string[] {
  const by = asked.by.map(person => who(pen, person)).join(', ');
  const head = `${utc(asked.atMs)}  ${by} in ${key.channel}, thread ${thread}`;
  const [only, ...more] = asked.words;
  const inside = asked.inside === null ? [] : [`  for another agent's call ${marked(asked.inside)}`];
  const task = asked.task === null ? [] : [`  task of ${pen.show.line(asked.agent)}: ${quote(pen, asked.task)}`];
  if (only === undefined) return [asked.repeats === null ? head : `${head} (asked again)`, ...inside, ...task];
  if (more.length === 0) return [`${head}: ${quote(pen, only.text)}`, ...inside, ...task];
  const words = asked.words.map(({ atMs, by, text }) => `  ${utc(atMs)}  ${who(pen, by)}: ${quote(pen, text)}`);
  return [head, ...words, ...inside, ...task];
}

function callLines(pen: Pen, { called }: RecordDoc): string[] {
  const args = called.raw === null ? pen.show.json(called.args) : `(no JSON) ${quote(pen, called.raw)}`;
  const definition = called.definition === null ? '' : `    definition ${brief(called.definition)}`;
  const inside = called.inside === null ? '' : `, asked from inside ${marked(called.inside)}`;
  const digest = called.digest === null ? [] : [`digest ${brief(called.digest)}, ${called.effect ?? ''}${inside}`];
  return [`${pen.show.line(called.tool)} ${args}${definition}`, ...digest];
}

function ruleLines(pen: Pen, { rule }: RecordDoc): string[] {
  if (rule === null) return [];
  const loaded = rule.loadedAtMs === null ? '' : ` loaded ${utc(rule.loadedAtMs)}`;
  const name = rule.id === null ? 'no rule matched: the defaults' : pen.show.line(rule.id);
  const why = rule.why === null ? [] : [quote(pen, rule.why)];
  return [`${name} (${rule.verdict}), policy ${brief(rule.policy)}${loaded}`, ...why];
}

function shownLines(pen: Pen, shown: Shown): string[] {
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

function decidedLines(pen: Pen, { decided, settled }: RecordDoc): string[] {
  const votes = decided.map(vote => ({ atMs: vote.atMs, line: voteLine(pen, vote) }));
  const ends = settled.map(({ atMs, how, by, code, detail, option }) => {
    const people = by.length === 0 ? '' : ` by ${by.map(person => who(pen, person)).join(', ')}`;
    const why = [code, detail === null ? null : pen.show.line(detail)].filter(each => each !== null).join(', ');
    const chosen = option === null ? '' : `, chosen: ${quote(pen, option)}`;
    return { atMs, line: `${utc(atMs)}  settled: ${how}${people}${why === '' ? '' : ` (${why})`}${chosen}` };
  });
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

function ranLines(pen: Pen, ran: Ran): string[] {
  const began = ran.startedAtMs ?? ran.claimedAtMs;
  const span = ran.endedAtMs === null ? moment(began) : `${moment(began)} – ${utc(ran.endedAtMs)}`;
  const kept = ran.result?.digest ?? null;
  const digest = kept === null ? '' : `; result digest ${brief(kept)}`;
  const head = `${span}  attempt ${ran.attempt}, key ${ran.key.slice(0, 4)}…${ran.holder === null ? '' : `, by process ${ran.holder}`}; ${ranWords(ran)}${digest}`;
  if (ran.text === null || ran.text === '') return [head];
  const bytes = Buffer.byteLength(ran.text);
  const rest =
    ran.result !== null && ran.result.bytes > bytes
      ? [`  (its first ${bytes} of ${ran.result.bytes} bytes; the rest is kept as result ${ran.result.blob ?? ''})`]
      : [];
  const text = pen.show.text(ran.text).replace(/\n$/, '').split('\n');
  return [head, ...text.map(line => `  | ${line}`), ...rest];
}

function questionLines(pen: Pen, question: Asked): string[] {
  const { answer, over } = question;
  const by = question.by === null ? '' : `${who(pen, question.by)}: `;
  return [
    `${utc(question.atMs)}  ${by}${quote(pen, question.prompt)}`,
    ...question.wrong.map(({ atMs, by: person, given, why }) => {
      return `  ${utc(atMs)}  ${who(pen, person)} answered ${quote(pen, given)}: not taken, ${pen.show.line(why)}`;
    }),
    ...(answer === null
      ? []
      : [`  ${utc(answer.atMs)}  ${who(pen, answer.by)} answered ${pen.show.json(answer.value)}`]),
    ...(over === null ? [] : [`  ${utc(over.atMs)}  ${over.how}`]),
    ...(answer === null && over === null ? ['  no answer yet'] : []),
  ];
}

const signWords = (pen: Pen, { line, atMs }: Sign): string =>
  `; last sign${atMs === null ? '' : ` ${utc(atMs)}`}: ${quote(pen, line)}`;

function doubtLine(pen: Pen, doubt: Doubt): string {
  const at = utc(doubt.atMs);
  switch (doubt.is) {
    case 'in_doubt':
      return `${at}  nobody knows whether it ran${doubt.lastSign === null ? '' : signWords(pen, doubt.lastSign)}`;
    case 'checked':
      return `${at}  the tool itself was asked: ${doubt.found}`;
    case 'said':
      return `${at}  ${who(pen, doubt.by)} said: ${doubt.as}`;
  }
}
