/** Owns what each part of a record says, line by line; a part without lines is not shown. Pure. */
import type { Json } from '../../thread/events.ts';
import { editedValue, type Asked, type RecordDoc } from '../../thread/record.ts';
import type { Sign } from '../../thread/thread.ts';
import type { Pen } from './context.ts';
import { brief, line, utc, type Writer } from './record-writer.ts';
import { spoken } from './spoken.ts';

export type RecordPart = keyof Pen['texts']['record']['label'];
type Lines = (write: Writer, doc: RecordDoc) => readonly string[];

/** Every part of a record; their order is that of the labels. */
export const PARTS: Readonly<Record<RecordPart, Lines>> = {
  asked: askedLines,
  call: callLines,
  rule: ruleLines,
  shown: shownLines,
  edited: editedLines,
  decided: decidedLines,
  refused: refusedLines,
  settled: settledLines,
  checked: ({ record, facts }, { checked }) => checked.map(one => line(utc(one.atMs), record.facts(facts(one.facts)))),
  ran: ranLines,
  doubt: doubtLines,
  stopped: ({ who }, { stopped }) => stopped.map(one => line(utc(one.atMs), who(one.by), one.source ?? one.what)),
  grants: ({ who, show }, { grants }) =>
    grants.map(one => line(utc(one.atMs), one.by && who(one.by), one.sentence && show.line(one.sentence))),
  told: toldLines,
  questions: (write, { questions, inquiries }) =>
    [...questions, ...inquiries].flatMap(one => questionLines(write, one)),
  findings: ({ record, json }, { findings }) =>
    findings.length === 0 ? [record.noFindings] : findings.map(({ code, ...more }) => line(code, json(more as Json))),
};

function askedLines({ pen, record, show, who, where, quote }: Writer, { asked, called, key }: RecordDoc): string[] {
  const { botUser } = pen.context;
  return [
    ...asked.words.map(said =>
      line(utc(said.atMs), who(said.by), where(said.channel), quote(spoken(said.text, botUser))),
    ),
    ...(asked.words.length === 0 ? [line(utc(asked.atMs), asked.by.map(who).join(', '), where(key.channel))] : []),
    ...(asked.task === null ? [] : [record.task(show.line(asked.task))]),
    ...(called.inside === null ? [] : [record.inside(show.line(called.inside.name))]),
  ];
}

function callLines({ record, show, json }: Writer, { called, asked }: RecordDoc): string[] {
  return [
    line(show.line(called.tool), called.raw === null ? json(called.args) : show.line(called.raw)),
    ...(called.definition === null ? [] : [record.definition(brief(called.definition))]),
    line(
      record.agent(show.line(asked.agent)),
      called.model !== null && record.model(show.line(called.model)),
      called.instructions !== null && record.instructions(brief(called.instructions.digest)),
    ),
  ];
}

function ruleLines({ record, show }: Writer, { rule }: RecordDoc): string[] {
  if (rule === null) return [];
  const policy = line(
    record.policy(brief(rule.policy)),
    rule.loadedAtMs !== null && record.loaded(utc(rule.loadedAtMs)),
  );
  return [
    line(record.verdict[rule.verdict], rule.id === null ? record.noRule : show.line(rule.id), policy),
    ...(rule.why === null ? [] : [show.line(rule.why)]),
  ];
}

function shownLines({ record, facts }: Writer, { shown }: RecordDoc): string[] {
  return shown.map(one =>
    line(
      utc(one.atMs),
      record.round(one.round),
      one.why !== 'first' && one.why,
      one.digest !== null && record.digest(brief(one.digest)),
      Object.keys(one.bind).length > 0 && record.facts(facts(one.bind)),
    ),
  );
}

function editedLines({ record, show, who }: Writer, { edits }: RecordDoc): string[] {
  return edits.flatMap(one => [
    line(utc(one.atMs), who(one.by)),
    ...one.changes.map(change => {
      const value = (of: Json, is: Json): string => {
        const given = editedValue(of, change, is);
        return given === undefined ? record.notGiven : show.json(given, change.fact);
      };
      return record.changed(show.line(change.fact), value(one.was, change.was), value(one.is, change.is));
    }),
  ]);
}

function decidedLines({ record, show, who, quote }: Writer, { decided }: RecordDoc): string[] {
  return decided.map(one =>
    line(
      utc(one.atMs),
      record.round(one.round),
      record[one.verdict],
      who(one.by),
      one.scopes.length > 0 && record.memberOf(show.line(one.scopes.join(', '))),
      one.option !== null && record.option(show.line(one.option)),
      one.reason !== null && quote(one.reason),
      one.fell !== null && record.fell(one.fell.code),
    ),
  );
}

function refusedLines({ record, who }: Writer, { refused }: RecordDoc): string[] {
  return refused.map(one =>
    line(utc(one.atMs), record.round(one.round), who(one.by), one.verdict && record[one.verdict], one.code),
  );
}

function settledLines({ record, show, who, quote }: Writer, { settled }: RecordDoc): string[] {
  return settled.map(one =>
    line(
      utc(one.atMs),
      one.how === 'approved' ? record.approve : record.outcome[one.how],
      one.by.map(who).join(', '),
      one.option !== null && record.option(show.line(one.option)),
      one.code,
      one.detail !== null && quote(one.detail),
    ),
  );
}

function ranLines({ record, show }: Writer, { ran }: RecordDoc): string[] {
  return ran.flatMap(one => [
    line(
      `${utc(one.startedAtMs ?? one.claimedAtMs)}${one.endedAtMs === null ? '' : `–${utc(one.endedAtMs)}`}`,
      record.attempt(one.attempt, one.key),
      record.how[one.how],
      one.code !== null && show.line(one.code),
      one.result !== null && record.result(brief(one.result.digest), one.result.bytes),
      one.late && record.late,
    ),
    ...(one.text === null || one.text === '' ? [] : [show.text(one.text)]),
  ]);
}

function doubtLines({ record, show, who }: Writer, { doubts }: RecordDoc): string[] {
  const signed = ({ line: said, atMs }: Sign): string =>
    record.lastSign(show.line(said), atMs === null ? null : utc(atMs));
  return doubts.map(doubt => {
    switch (doubt.is) {
      case 'in_doubt':
        return line(utc(doubt.atMs), doubt.lastSign !== null && signed(doubt.lastSign));
      case 'checked':
        return line(utc(doubt.atMs), record.found(show.line(doubt.found)));
      case 'reported':
        return line(utc(doubt.atMs), record.reported[doubt.as]);
      case 'said':
        return line(utc(doubt.atMs), who(doubt.by), record.said[doubt.as]);
    }
  });
}

function toldLines({ record }: Writer, { reminders, escalations }: RecordDoc): string[] {
  return [
    ...reminders.map(one => line(utc(one.atMs), record.reminder(one.n))),
    ...escalations.map(one => line(utc(one.atMs), record.escalation(one.step))),
  ];
}

function questionLines({ record, show, who, quote, json }: Writer, asked: Asked): string[] {
  const { atMs, by, prompt, answer, over, wrong } = asked;
  return [
    line(utc(atMs), by && who(by), quote(prompt)),
    ...wrong.map(each =>
      line(utc(each.atMs), who(each.by), record.notTaken(show.line(each.given), show.line(each.why))),
    ),
    ...(answer === null ? [] : [line(utc(answer.atMs), record.answered(who(answer.by), json(answer.value)))]),
    ...(over === null ? [] : [line(utc(over.atMs), record.outcome[over.how])]),
  ];
}
