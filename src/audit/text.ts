/**
 * Owns the page of a record for a terminal: who asked, what was called, shown, decided, checked and run, part by part, in UTC.
 * Secrets are masked as on the cards, and nothing invisible stays invisible; no text is cut.
 */
import type { RecordDoc } from '../thread/record.ts';
import type { Pen } from './pen.ts';
import type { ThreadPlace } from './place.ts';
import {
  callLines,
  editLines,
  grantLine,
  questionLines,
  ruleLines,
  stepLine,
  stopLine,
  askedLines,
} from './text-asked.ts';
import { checkedLine, doubtLine, ranLines } from './text-ran.ts';
import { decidedLines, escalatedLine, refusedLine, remindedLine, shownLines } from './text-decided.ts';
import { findingWords, marked, outcomeWords } from './words.ts';

type Lines = (pen: Pen, doc: RecordDoc, place: ThreadPlace) => readonly string[];

/** The parts in their order; one without lines is left out. */
const PARTS: readonly (readonly [word: string, lines: Lines])[] = [
  ['Asked', askedLines],
  ['Call', callLines],
  ['Rule', ruleLines],
  ['Shown', (pen, { shown }) => shown.flatMap(each => shownLines(pen, each))],
  ['Edited', (pen, { edits }) => edits.flatMap(each => editLines(pen, each))],
  ['Asked back', (pen, { inquiries }) => inquiries.flatMap(each => questionLines(pen, each))],
  ['Reminded', (_, { reminders }) => reminders.map(remindedLine)],
  ['Escalated', (_, { escalations }) => escalations.map(escalatedLine)],
  ['Decided', decidedLines],
  ['Refused', (pen, { refused }) => refused.map(each => refusedLine(pen, each))],
  ['Allowed', (pen, { grants }) => grants.map(each => grantLine(pen, each))],
  ['Questions', (pen, { questions }) => questions.flatMap(each => questionLines(pen, each))],
  ['Checked', (pen, { checked }) => checked.map(each => checkedLine(pen, each))],
  ['Ran', (pen, { ran }) => ran.flatMap(each => ranLines(pen, each))],
  ['Steps', (pen, { steps }) => steps.map(each => stepLine(pen, each))],
  ['In doubt', (pen, { doubts }) => doubts.map(each => doubtLine(pen, each))],
  ['Stopped', (pen, { stopped }) => stopped.map(each => stopLine(pen, each))],
  [
    'Findings',
    (pen, { findings }) => (findings.length === 0 ? ['none'] : findings.map(each => findingWords(pen, each))),
  ],
];

/** Columns of a part's word. */
const WORD = 11;
/** Columns of the title, behind which the outcome stands. */
const TITLE = 78;

/** The page of a record, line by line. `place` is where the thread stands, as it is printed. */
export function recordLines(pen: Pen, doc: RecordDoc, place: ThreadPlace): string[] {
  const title = `${marked(doc)}  ${pen.show.line(doc.summary)}`;
  return [
    `${title.padEnd(TITLE)}  outcome: ${outcomeWords(pen, doc.outcome)}`,
    ...PARTS.flatMap(([word, lines]) => part(word, lines(pen, doc, place))),
  ];
}

/** Lines under a word that stands on the first of them; none without lines. */
const part = (word: string, lines: readonly string[]): string[] =>
  lines.map((line, index) => `${(index === 0 ? word : '').padEnd(WORD)}${line}`);
