/**
 * Owns how the record of a call is shown to people: its data as the blocks of a form, without the proof. Pure.
 *
 * 1. Everything stands in preformatted text, masked and with invisible characters written out; nothing in it is a mention, a
 * link or a control. 2. Times are UTC, ISO 8601. 3. At most 100 blocks; what is cut says how much.
 */
import type { KnownBlock, ModalView } from '@slack/web-api';
import type { Facts, Json } from '../../thread/events.ts';
import { shortId } from '../../thread/ids.ts';
import { editedValue, recordOfThread, type Asked, type Named, type RecordDoc } from '../../thread/record.ts';
import type { Sign } from '../../thread/thread.ts';
import type { OpenCall } from '../../worker/ports.ts';
import { ACTIONS, buttonValue, encodeCall, FORMS } from './actions.ts';
import * as block from './blocks.ts';
import { penOf, type Pen, type RenderContext } from './context.ts';
import { ROOM } from './limits.ts';
import { bold } from './line.ts';
import { modal } from './modal.ts';
import { hasApproval, sceneOf } from './scene.ts';
import { faceOf } from './seen.ts';
import { spoken } from './spoken.ts';
import { cut, pieces, shorten } from './text/escape.ts';

/** Records of a message that stands for several calls: how many are offered. */
const OFFERED = 30;
/** Text of one part of a record; more is cut, and the cut says how much. */
const PART = 6 * ROOM.formBlock;
/** Lines of one part. */
const LINES = 60;

/** `2026-11-30 13:02:11Z`. */
const utc = (ms: number | null): string =>
  ms === null ? '' : `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z`;
const brief = (digest: string | null): string =>
  digest === null || digest.length < 10 ? (digest ?? '') : `${digest.slice(0, 4)}…${digest.slice(-2)}`;
const line = (...parts: readonly (string | null | undefined | false)[]): string =>
  parts.filter(part => typeof part === 'string' && part !== '').join('  ');

type Part = keyof Pen['texts']['record']['label'];
type Lines = Readonly<Record<Part, readonly string[]>>;

function writer(pen: Pen) {
  const { record } = pen.texts;
  const { show } = pen;
  return {
    who: ({ id, name }: Named): string => `${name === '' ? record.unnamed : show.line(name)} (${id})`,
    quote: (text: string): string => `“${show.line(text)}”`,
    json: (value: Json): string => show.json(value),
    facts: (facts: Facts): string =>
      Object.entries(facts)
        .map(([name, value]) => `${show.line(name)}=${show.json(value, name)}`)
        .join(' '),
  };
}
type Writer = ReturnType<typeof writer>;

function askedLines(
  { texts: { record }, show, context: { botUser } }: Pen,
  { who, quote }: Writer,
  { asked, called }: RecordDoc,
): string[] {
  const by = asked.by.map(who).join(', ');
  return [
    ...asked.words.map(said =>
      line(utc(said.atMs), who(said.by), record.in(said.channel), quote(spoken(said.text, botUser))),
    ),
    ...(asked.words.length === 0 ? [line(utc(asked.atMs), by)] : []),
    ...(asked.task === null ? [] : [record.task(show.line(asked.task))]),
    ...(called.inside === null ? [] : [record.inside(show.line(called.inside.name))]),
  ];
}

function ruleLines({ texts: { record }, show }: Pen, { rule }: RecordDoc): string[] {
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

function ranLines({ texts: { record }, show }: Pen, { ran }: RecordDoc): string[] {
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

function doubtLines({ texts: { record }, show }: Pen, { who }: Writer, { doubts }: RecordDoc): string[] {
  const signed = ({ line: said, atMs }: Sign): string =>
    record.lastSign(show.line(said), atMs === null ? null : utc(atMs));
  return doubts.map(doubt => {
    switch (doubt.is) {
      case 'in_doubt':
        return line(utc(doubt.atMs), doubt.lastSign !== null && signed(doubt.lastSign));
      case 'checked':
        return line(utc(doubt.atMs), record.found(show.line(doubt.found)));
      case 'said':
        return line(utc(doubt.atMs), who(doubt.by), record.said[doubt.as]);
    }
  });
}

function questionLines(
  { texts: { record }, show }: Pen,
  { who, quote, json }: Writer,
  asked: readonly Asked[],
): string[] {
  return asked.flatMap(({ atMs, by, prompt, answer, over, wrong }) => [
    line(utc(atMs), by && who(by), quote(prompt)),
    ...wrong.map(each =>
      line(utc(each.atMs), who(each.by), record.notTaken(show.line(each.given), show.line(each.why))),
    ),
    ...(answer === null ? [] : [line(utc(answer.atMs), record.answered(who(answer.by), json(answer.value)))]),
    ...(over === null ? [] : [line(utc(over.atMs), record.outcome[over.how])]),
  ]);
}

function decidedLines({ texts: { record }, show }: Pen, { who, quote }: Writer, { decided }: RecordDoc): string[] {
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

/** Every part of a record as lines; a part without lines is not shown. */
function recordLines(doc: RecordDoc, context: RenderContext): Lines {
  const pen = penOf(context);
  const { record } = pen.texts;
  const { show } = pen;
  const write = writer(pen);
  const { who, facts, json } = write;
  return {
    asked: askedLines(pen, write, doc),
    call: [
      line(show.line(doc.called.tool), doc.called.raw === null ? json(doc.called.args) : show.line(doc.called.raw)),
      ...(doc.called.definition === null ? [] : [record.definition(brief(doc.called.definition))]),
    ],
    rule: ruleLines(pen, doc),
    shown: doc.shown.map(one =>
      line(
        utc(one.atMs),
        record.round(one.round),
        one.why !== 'first' && one.why,
        one.digest !== null && record.digest(brief(one.digest)),
        Object.keys(one.bind).length > 0 && record.facts(facts(one.bind)),
      ),
    ),
    edited: doc.edits.flatMap(one => [
      line(utc(one.atMs), who(one.by)),
      ...one.changes.map(change => {
        const value = (of: Json, is: Json): string => {
          const given = editedValue(of, change, is);
          return given === undefined ? record.notGiven : show.json(given, change.fact);
        };
        return record.changed(show.line(change.fact), value(one.was, change.was), value(one.is, change.is));
      }),
    ]),
    decided: decidedLines(pen, write, doc),
    refused: doc.refused.map(one =>
      line(utc(one.atMs), record.round(one.round), who(one.by), one.verdict && record[one.verdict], one.code),
    ),
    settled: doc.settled.map(one =>
      line(
        utc(one.atMs),
        one.how === 'approved' ? record.approve : record.outcome[one.how],
        one.by.map(who).join(', '),
        one.option !== null && record.option(show.line(one.option)),
        one.code,
        one.detail !== null && write.quote(one.detail),
      ),
    ),
    checked: doc.checked.map(one => line(utc(one.atMs), record.facts(facts(one.facts)))),
    ran: ranLines(pen, doc),
    doubt: doubtLines(pen, write, doc),
    stopped: doc.stopped.map(one => line(utc(one.atMs), who(one.by), one.source ?? one.what)),
    grants: doc.grants.map(one => line(utc(one.atMs), one.by && who(one.by), one.sentence && show.line(one.sentence))),
    told: [
      ...doc.reminders.map(one => line(utc(one.atMs), record.reminder(one.n))),
      ...doc.escalations.map(one => line(utc(one.atMs), record.escalation(one.step))),
    ],
    questions: questionLines(pen, write, [...doc.questions, ...doc.inquiries]),
    findings:
      doc.findings.length === 0
        ? [record.noFindings]
        : doc.findings.map(({ code, ...more }) => line(code, json(more as Json))),
  };
}

function partBlocks(label: string, lines: readonly string[]): KnownBlock[] {
  if (lines.length === 0) return [];
  const left = lines.length - LINES;
  const text = [...lines.slice(0, LINES), ...(left > 0 ? [`[+${left}]`] : [])].join('\n');
  return [block.ownSection([bold(label)]), ...pieces(cut(text, PART), ROOM.formBlock).map(block.preformatted)];
}

/** The record of one call as blocks, at most 100. */
function recordBlocks(doc: RecordDoc, context: RenderContext): KnownBlock[] {
  const pen = penOf(context);
  const { record } = pen.texts;
  const lines = recordLines(doc, context);
  const id = doc.approval === null ? '' : shortId(doc.approval);
  const title = line(id, record.outcome[doc.outcome.is]);
  const parts = (Object.keys(record.label) as Part[]).flatMap(name => partBlocks(record.label[name], lines[name]));
  return [block.plainSection(`${pen.show.line(doc.summary)}\n${title}`, ROOM.formBlock), ...parts].slice(0, BLOCKS);
}

const BLOCKS = 100;

/** Show record: the record of the call, or the choice where there are several. */
export function recordView(calls: readonly OpenCall[], context: RenderContext): ModalView {
  const pen = penOf(context);
  const { record, control } = pen.texts;
  const [only] = calls;
  if (calls.length === 1 && only)
    return modal(record.title, control.close, recordBlocks(recordOfThread(only.thread, only.call), context), {
      callback_id: FORMS.record,
    });
  const rows = calls.slice(0, OFFERED).flatMap(({ thread, call }): KnownBlock[] => {
    const scene = sceneOf(pen, thread, call, null);
    if (!scene) return [];
    const value = hasApproval(scene) ? buttonValue(thread, scene.approval) : encodeCall(thread.key, call.id);
    const text = `${faceOf(scene).sign} ${shorten(scene.summary, ROOM.summaryInRow)}`;
    return [{ ...block.plainSection(text), accessory: block.button(ACTIONS.record, pen.texts.home.record, value) }];
  });
  return modal(record.title, control.close, [block.plainSection(record.several), ...rows], {
    callback_id: FORMS.record,
  });
}
