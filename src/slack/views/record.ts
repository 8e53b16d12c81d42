/**
 * Owns how the record of a call is shown to people: its data as the blocks of a form, without the proof. Pure.
 *
 * 1. Everything stands in preformatted text, masked and with invisible characters written out; nothing in it is a mention, a
 * link or a control. The one link, to the thread, stands in our own words. 2. Times are UTC, ISO 8601. 3. At most 100 blocks;
 * what is cut says how much.
 */
import type { KnownBlock, ModalView } from '@slack/web-api';
import { shortId } from '../../thread/ids.ts';
import type { Outcome } from '../../thread/outcome.ts';
import type { RecordDoc } from '../../thread/record.ts';
import type { OpenCall } from '../../worker/ports.ts';
import { ACTIONS, buttonValue, encodeCall, FORMS } from './actions.ts';
import * as block from './blocks.ts';
import { penOf, type Pen, type RenderContext } from './context.ts';
import { isChecked } from './doubt-ends.ts';
import { ROOM, SLACK } from './limits.ts';
import { bold, link, t, type Line } from './line.ts';
import { modal } from './modal.ts';
import { PARTS, type RecordPart } from './record-lines.ts';
import { line, writerOf, type RecordPlace } from './record-writer.ts';
import { hasApproval, sceneOf } from './scene.ts';
import { faceOf } from './seen.ts';
import { cut, pieces, shorten } from './text/escape.ts';

/** Records of a message that stands for several calls: how many are offered. */
const OFFERED = 30;
/** Text of one part of a record; more is cut, and the cut says how much. */
const PART = 6 * ROOM.formBlock;
/** Lines of one part. */
const LINES = 60;

/** Show record: everything on record of one call. */
export function recordView(doc: RecordDoc, place: RecordPlace, context: RenderContext): ModalView {
  const { record, control } = penOf(context).texts;
  return modal(record.title, control.close, recordBlocks(doc, place, context), { callback_id: FORMS.record });
}

/** Show record of a message that stands for several calls: which one? */
export function recordChoice(calls: readonly OpenCall[], context: RenderContext): ModalView {
  const pen = penOf(context);
  const { record, control, home } = pen.texts;
  const rows = calls.slice(0, OFFERED).flatMap(({ thread, call }): KnownBlock[] => {
    const scene = sceneOf(pen, thread, call, null);
    if (!scene) return [];
    const value = hasApproval(scene) ? buttonValue(thread, scene.approval) : encodeCall(thread.key, call.id);
    const text = `${faceOf(scene).sign} ${shorten(scene.summary, ROOM.summaryInRow)}`;
    return [{ ...block.plainSection(text), accessory: block.button(ACTIONS.record, home.record, value) }];
  });
  return modal(record.title, control.close, [block.plainSection(record.several), ...rows], {
    callback_id: FORMS.record,
  });
}

/** What it came to, in a few words; approved is said only of what was. */
function outcomeWords(record: Pen['texts']['record'], outcome: Outcome): string {
  if (outcome.is === 'done' && isChecked(outcome.ending)) return record.doneChecked;
  const isApproved = outcome.is !== 'not_run' || outcome.approved === 'by_all';
  return record.outcome[isApproved ? outcome.is : 'refused'];
}

/** The record of one call as blocks, at most 100. */
function recordBlocks(doc: RecordDoc, place: RecordPlace, context: RenderContext): KnownBlock[] {
  const pen = penOf(context);
  const { record, card } = pen.texts;
  const write = writerOf(pen, place);
  const id = doc.approval === null ? '' : shortId(doc.approval);
  const title = line(id, outcomeWords(record, doc.outcome));
  const labelOf = (name: RecordPart): Line =>
    name === 'asked'
      ? t`${bold(record.label.asked)} · ${link(place.address, card.openThread)}`
      : bold(record.label[name]);
  const parts = (Object.keys(record.label) as RecordPart[]).flatMap(name =>
    partBlocks(labelOf(name), PARTS[name](write, doc)),
  );
  const head = block.plainSection(`${pen.show.line(doc.summary)}\n${title}`, ROOM.formBlock);
  return [head, ...parts].slice(0, SLACK.formBlocks);
}

function partBlocks(label: Line, lines: readonly string[]): KnownBlock[] {
  if (lines.length === 0) return [];
  const left = lines.length - LINES;
  const text = [...lines.slice(0, LINES), ...(left > 0 ? [`[+${left}]`] : [])].join('\n');
  return [block.ownSection([label]), ...pieces(cut(text, PART), ROOM.formBlock).map(block.preformatted)];
}
