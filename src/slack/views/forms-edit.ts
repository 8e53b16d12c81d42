/**
 * Owns the two views of an edit: the fields that the rule lets be changed, then what would run instead.
 *
 * 1. Nothing changes before the second submit. 2. An argument that nobody touched keeps its exact value, also where a text
 * field could not have held it. 3. A masked value is not put into a field: an empty field leaves it as it is.
 */
import type { KnownBlock, ModalView } from '@slack/web-api';
import type { Frozen } from '../../thread/evidence.ts';
import type { Terms } from '../../thread/events.ts';
import { at, type Approval, type Call, type Thread } from '../../thread/thread.ts';
import { isObject } from '../../thread/json.ts';
import type { EditPreview } from '../../worker/ports.ts';
import { FORMS } from './actions.ts';
import { argumentsOf } from './arguments.ts';
import * as block from './blocks.ts';
import { penOf, scopeNames, type Pen, type RenderContext } from './context.ts';
import { editedArguments } from './differences.ts';
import { fieldFor, LEFT_OUT, type ArgumentField } from './edit-fields.ts';
import { ROOM } from './limits.ts';
import { modal, option, selectInput, short, textInput } from './modal.ts';
import { formFacts, formPieces, holds } from './room.ts';
import { opened } from './scene.ts';
import { cut, escapedLength, pieces } from './text/escape.ts';
import { frozenLines } from './waiting-lines.ts';

/**
 * The arguments that the rule lets be changed and that a field can hold, in the order of the schema; also those that are not
 * given, where the tool knows them.
 */
export function editableFields(pen: Pen, { tool, args }: Pick<Call, 'tool' | 'args'>, terms: Terms): ArgumentField[] {
  if (!isObject(args)) return [];
  const order = pen.context.argumentOrder(tool);
  const names = [...order, ...terms.edit].filter(
    (name, index, all) => all.indexOf(name) === index && terms.edit.includes(name),
  );
  let left: number = ROOM.editText;
  const fields = names.flatMap(name => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    const field = fieldFor(pen.show, name, value, pen.context.argumentShape?.(tool, name));
    left -= escapedLength(field?.initial ?? '');
    return field && left >= 0 ? [field] : [];
  });
  return fields.slice(0, ROOM.editFields);
}

function hintOf(pen: Pen, { kind, empty, choices }: ArgumentField): string {
  const { form } = pen.texts;
  const about = empty === null ? '' : form.whenEmpty[empty];
  return choices === null
    ? [form.fieldHint[kind], about].filter(part => part !== '').join(pen.texts.list.sentence)
    : '';
}

function inputOf(pen: Pen, field: ArgumentField): KnownBlock {
  const { form } = pen.texts;
  const { kind, empty, choices, initial, label } = field;
  const place = { block: `${FORMS.argument.block}${field.name}`, action: FORMS.argument.action };
  const hint = hintOf(pen, field);
  if (choices !== null) {
    const options = choices.map((value, index) =>
      option(pen.show.line(typeof value === 'string' ? value : JSON.stringify(value)), String(index)),
    );
    const none = empty === 'left_out' ? [option(form.notGiven, LEFT_OUT)] : [];
    return selectInput(place, label, [...options, ...none], {
      preset: initial === '' ? LEFT_OUT : initial,
      optional: empty !== null,
    });
  }
  return textInput(place, label, {
    optional: empty !== null,
    initial,
    multiline: kind !== 'number' && kind !== 'yes_no',
    ...(hint === '' ? {} : { hint }),
  });
}

/** The first view: a field per argument that may be changed, the rest as text. */
export function editForm(thread: Thread, approval: Approval, context: RenderContext): ModalView {
  const scene = opened(thread, approval, context);
  const { pen, call } = scene;
  const { form, control } = pen.texts;
  const fields = editableFields(pen, call, approval.terms);
  const names = new Set(fields.map(field => field.name));
  const rest = isObject(call.args)
    ? Object.fromEntries(Object.entries(call.args).filter(([name]) => !names.has(name)))
    : call.args;
  const others = argumentsOf(rest, context.argumentOrder(call.tool), pen.show);
  const parts = others.length === 0 ? [] : (formPieces(others) ?? []);
  const all = holds([...parts, ...fields.map(field => field.initial)]);
  const blocks: KnownBlock[] = [
    block.plainSection(scene.summary, ROOM.impact),
    ...(fields.length === 0 ? [block.ownSection([pen.texts.refusal.not_editable])] : []),
    ...fields.map(field => inputOf(pen, field)),
    ...(others.length === 0 ? [] : [block.plainSection(all && parts.length > 0 ? form.stays : form.restStays)]),
    ...(all ? parts : []).map(block.preformatted),
    block.fine([form.votesFall]),
  ];
  return modal(form.edit, control.back, blocks, {
    callback_id: FORMS.edit,
    ...(fields.length === 0 ? {} : { submit: short(form.showEdited) }),
  });
}

/** What is shown in its place while everything is frozen: the call as it waits, why nothing can be approved, and nothing to send. */
export function frozenEditForm(thread: Thread, approval: Approval, context: RenderContext, frozen: Frozen): ModalView {
  const scene = opened(thread, approval, context, frozen);
  const { pen, call } = scene;
  const { form, control } = pen.texts;
  const parts = formPieces(argumentsOf(call.args, context.argumentOrder(call.tool), pen.show)) ?? [];
  const all = parts.length > 0 && holds(parts);
  const blocks: KnownBlock[] = [
    block.plainSection(scene.summary, ROOM.impact),
    block.ownSection(frozenLines(scene)),
    ...(all ? [block.plainSection(form.arguments), ...parts.map(block.preformatted)] : []),
  ];
  return modal(form.edit, control.close, blocks, { callback_id: FORMS.notice });
}

type Preview = Extract<EditPreview, { readonly refusal: null }>;

/** Who is needed for the edited call, and by which rule. */
function neededFor(pen: Pen, { evidence, approves, counts }: Preview): KnownBlock[] {
  const { form, card } = pen.texts;
  const { judged } = evidence;
  const why = judged.why === null ? null : cut(pen.show.text(judged.why), ROOM.why);
  const rule =
    judged.rule === null ? card.noRule(why) : card.rule(cut(pen.show.line(judged.rule), ROOM.label * 2), why);
  const needs =
    judged.verdict === 'ask'
      ? form.editNeeds(judged.terms.quorum, scopeNames(pen, judged.terms.ladder[0]?.scopes ?? []))
      : form.editFree;
  const own = approves ? form.editApproves : counts ? form.editCounts : form.editAsks;
  return [block.ownSection([needs, own]), block.fine([rule, form.votesFall])];
}

/**
 * The second view: the difference, the world for the edited call, the rule and who is needed. `carry` (at most 3,000
 * characters) comes back with the second submit.
 */
export function editConfirmForm(preview: Preview, approval: Approval, context: RenderContext, carry = ''): ModalView {
  const pen = penOf(context);
  const { form, control, card } = pen.texts;
  const { evidence, args } = preview;
  const call = at(preview.thread.calls, approval.call);
  const tool = call?.tool ?? '';
  const order = context.argumentOrder(tool);
  const { inspection } = evidence;
  const shown = {
    tool,
    args,
    summary: inspection.ok ? inspection.summary : tool,
    impact: inspection.ok ? inspection.impact : null,
    risk: evidence.tool?.risk ?? approval.risk,
    bind: inspection.ok ? inspection.bind : {},
    note: inspection.ok ? inspection.note : {},
  };
  const impact = card.impact(card.risk[shown.risk], shown.impact === null ? null : pen.show.text(shown.impact));
  const changed = pieces(editedArguments(pen, call?.args ?? null, args, order), ROOM.formBlock);
  const whole = formPieces(argumentsOf(args, order, pen.show)) ?? [];
  const facts = formFacts(pen, shown).filter(text => text !== '');
  // What is edited is never cut: where the form has no room for the rest, it says so; where not for the edit, nobody approves.
  const fits = holds([...changed, ...facts]);
  const all = whole.length > 0 && holds([...changed, ...whole, ...facts]);
  const blocks: KnownBlock[] = [
    ...pieces(`${pen.show.line(shown.summary)}\n${impact}`, ROOM.formBlock)
      .slice(0, ROOM.factBlocks)
      .map(text => block.plainSection(text)),
    ...(fits
      ? [
          block.plainSection(form.changed),
          ...changed.map(block.preformatted),
          block.plainSection(all ? form.runsThen : form.restStays),
          ...(all ? whole : []).map(block.preformatted),
          ...facts.map(block.preformatted),
          ...neededFor(pen, preview),
        ]
      : [block.ownSection([form.tooMuchEdited])]),
  ];
  return modal(form.edit, control.back, blocks, {
    callback_id: FORMS.editConfirm,
    ...(fits ? { submit: short(preview.approves ? form.approveEdited : form.askEdited) } : {}),
    ...(carry === '' ? {} : { private_metadata: carry }),
  });
}
