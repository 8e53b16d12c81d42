/** Owns what a record says in a terminal of how a call came about: asked, proposed, judged, edited, asked back, allowed, stopped. */
import type { Json } from '../thread/events.ts';
import { editedValue, type Asked, type RecordDoc } from '../thread/record.ts';
import { brief, moment, quote, time, utc, who, type Pen } from './pen.ts';
import type { ThreadPlace } from './place.ts';
import { marked } from './words.ts';

type Each<Name extends keyof RecordDoc> = RecordDoc[Name] extends readonly (infer T)[] ? T : never;

export function askedLines(pen: Pen, { asked }: RecordDoc, { channel, address }: ThreadPlace): string[] {
  const by = asked.by.map(person => who(pen, person)).join(', ');
  const head = `${utc(asked.atMs)}  ${by} in ${pen.show.line(channel)}, thread ${address}`;
  const [only, ...more] = asked.words;
  const inside = asked.inside === null ? [] : [`  for another agent's call ${marked(asked.inside)}`];
  const task = asked.task === null ? [] : [`  task of ${pen.show.line(asked.agent)}: ${quote(pen, asked.task)}`];
  if (only === undefined) return [asked.repeats === null ? head : `${head} (asked again)`, ...inside, ...task];
  if (more.length === 0) return [`${head}: ${quote(pen, only.text)}`, ...inside, ...task];
  const words = asked.words.map(({ atMs, by, text }) => `  ${utc(atMs)}  ${who(pen, by)}: ${quote(pen, text)}`);
  return [head, ...words, ...inside, ...task];
}

export function callLines(pen: Pen, { called, asked }: RecordDoc): string[] {
  const args = called.raw === null ? pen.show.json(called.args) : `(no JSON) ${quote(pen, called.raw)}`;
  const definition = called.definition === null ? '' : `    definition ${brief(called.definition)}`;
  const inside = called.inside === null ? '' : `, asked from inside ${marked(called.inside)}`;
  const digest = called.digest === null ? [] : [`digest ${brief(called.digest)}, ${called.effect ?? ''}${inside}`];
  return [`${pen.show.line(called.tool)} ${args}${definition}`, agentLine(pen, asked, called), ...digest];
}

/** Which agent proposed it, and what it had been told. */
function agentLine({ show }: Pen, { agent }: RecordDoc['asked'], { model, instructions }: RecordDoc['called']): string {
  const by = `by agent ${show.line(agent)}`;
  const using = model === null ? '' : `, model ${show.line(model)}`;
  if (instructions === null) return by + using;
  const loaded = instructions.loadedAtMs === null ? '' : ` loaded ${utc(instructions.loadedAtMs)}`;
  return `${by}${using}, instructions ${brief(instructions.digest)}${loaded}`;
}

export function ruleLines(pen: Pen, { rule }: RecordDoc): string[] {
  if (rule === null) return [];
  const loaded = rule.loadedAtMs === null ? '' : ` loaded ${utc(rule.loadedAtMs)}`;
  const name = rule.id === null ? 'no rule matched: the defaults' : pen.show.line(rule.id);
  const why = rule.why === null ? [] : [quote(pen, rule.why)];
  return [`${name} (${rule.verdict}), policy ${brief(rule.policy)}${loaded}`, ...why];
}

export function editLines(pen: Pen, edit: Each<'edits'>): string[] {
  const changes = edit.changes.map(change => {
    const name = change.fact === '' ? 'arguments' : pen.show.line(change.fact);
    const value = (of: Json, is: Json): string => {
      const given = editedValue(of, change, is);
      return given === undefined ? '(not given)' : pen.show.json(given, change.fact);
    };
    return `  ${name}: ${value(edit.was, change.was)} → ${value(edit.is, change.is)}`;
  });
  return [`${time(edit.atMs)}${who(pen, edit.by)}`, ...changes];
}

export function questionLines(pen: Pen, question: Asked): string[] {
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

export function grantLine(pen: Pen, { grant, is, atMs, by, sentence, taken }: Each<'grants'>): string {
  const person = by === null ? '' : ` by ${who(pen, by)}`;
  const words = sentence === null ? '' : `: ${quote(pen, sentence)}`;
  const late = taken === false ? ' (not taken by the workspace)' : '';
  return `${time(atMs)}for a while, ${is} ${grant.slice(0, 4)}${person}${words}${late}`;
}

export const stepLine = (pen: Pen, { name, beganAtMs, doneAtMs }: Each<'steps'>): string =>
  `${pen.show.line(name)}: begun ${moment(beganAtMs)}, done ${moment(doneAtMs)}`;

export const stopLine = (pen: Pen, { atMs, what, by, source }: Each<'stopped'>): string =>
  `${time(atMs)}${what} by ${who(pen, by)}${source === null ? '' : ` (${source})`}`;
