import { describe, expect, it } from 'vitest';
import type { ModalView } from '@slack/web-api';
import { argumentShapes } from '../../../src/compose/argument-shapes.ts';
import { FORMS } from '../../../src/slack/views/actions.ts';
import type { RenderContext } from '../../../src/slack/views/context.ts';
import { editForm, fieldMust, readEdit, type FormValues } from '../../../src/slack/views/forms.ts';
import { decideButtons } from '../../../src/slack/views/card-buttons.ts';
import { opened } from '../../../src/slack/views/scene.ts';
import type { Json } from '../../../src/thread/events.ts';
import { drawView } from './drawn.ts';
import { refusedOfForm } from './limits.ts';
import { context, need, request, terms, threadOf } from './fixtures.ts';

const schema: Json = {
  type: 'object',
  properties: {
    argv: { type: 'array', items: { type: 'string' }, minItems: 1 },
    level: { type: 'string', enum: ['low', 'high'] },
    mode: { type: 'string', enum: ['fast', 'safe'] },
    count: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
    dry: { type: 'boolean' },
    cwd: { type: 'string' },
    timeout: { type: 'integer', minimum: 1, maximum: 120 },
    note: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['argv', 'level', 'count', 'dry', 'note'],
};
const shapes = argumentShapes({ name: 'job', schema });
const knowing: RenderContext = {
  ...context,
  argumentOrder: () => [...shapes.keys()],
  argumentShape: (_, name) => shapes.get(name),
};
const given = { argv: ['echo', 'a'], level: 'low', count: 2, dry: false, note: 'hello' };

function asked(args: Json, edit: readonly string[] = [...shapes.keys()]) {
  const part = request({ is: 'waiting' }, { terms: { ...terms, edit: [...edit] } }, { args });
  return { thread: threadOf([part]), approval: need(part.approval), call: part.call };
}
const formOf = (args: Json): ModalView => {
  const { thread, approval } = asked(args);
  return editForm(thread, approval, knowing);
};
const inputs = (view: ModalView) =>
  view.blocks.flatMap(each =>
    each.type === 'input' && 'element' in each ? [[(each.block_id ?? '').slice(4), each] as const] : [],
  );
const read = (args: Json, fields: Readonly<Record<string, { text: string } | { chosen: string }>>) => {
  const { call, approval } = asked(args);
  const values: Record<string, FormValues[string]> = {};
  for (const [name, field] of Object.entries(fields))
    values[`${FORMS.argument.block}${name}`] = {
      [FORMS.argument.action]: 'text' in field ? { value: field.text } : { selected_option: { value: field.chosen } },
    };
  return readEdit(values, call, approval.terms, knowing);
};

describe('The fields of an edit, where the schema of the tool is known', () => {
  it('are selects for what takes only some values, and fields also for what is not given yet [F-A6]', () => {
    const view = formOf(given);
    expect(refusedOfForm(view)).toEqual([]);
    expect(drawView(view)).toMatchSnapshot();
    const kinds = inputs(view).map(([name, { element }]) => `${name} ${element.type}`);
    expect(kinds).toEqual([
      'argv plain_text_input',
      'level static_select',
      'mode static_select',
      'count plain_text_input',
      'dry static_select',
      'cwd plain_text_input',
      'timeout plain_text_input',
      'note plain_text_input',
      'tags plain_text_input',
    ]);
  });

  it('may be left empty only where an empty one means something', () => {
    const may = inputs(formOf(given)).flatMap(([name, { optional }]) => (optional === true ? [name] : []));
    expect(may).toEqual(['mode', 'cwd', 'timeout', 'note', 'tags']);
  });

  it('give what is chosen or filled in its own kind, falsy values and what was not given exactly', () => {
    expect(read(given, { level: { chosen: '1' }, dry: { chosen: '0' }, mode: { chosen: '1' } })).toEqual({
      ok: true,
      args: { ...given, level: 'high', dry: true, mode: 'safe' },
    });
    expect(read(given, { cwd: { text: 'src' }, timeout: { text: '0' }, tags: { text: 'a\nb' } })).toEqual({
      ok: true,
      args: { ...given, cwd: 'src', timeout: 0, tags: ['a', 'b'] },
    });
    expect(read(given, { timeout: { text: 'soon' } })).toEqual({
      ok: false,
      errors: { 'arg.timeout': 'Must be a number.' },
    });
  });

  it('leave out what is emptied or no longer chosen, and keep what nobody touched', () => {
    const more = { ...given, cwd: 'src', mode: 'fast' };
    expect(read(more, { cwd: { text: '' }, mode: { chosen: 'left_out' } })).toEqual({ ok: true, args: given });
    expect(read(given, { cwd: { text: '' }, mode: { chosen: 'left_out' }, level: { chosen: '0' } })).toEqual({
      ok: true,
      args: given,
    });
    expect(read(given, { note: { text: '' } })).toEqual({ ok: true, args: { ...given, note: '' } });
  });

  it('say what a number has to be, where the schema limits it', () => {
    expect(fieldMust('job', 'timeout', knowing)).toBe('Must be a number from 1 to 120.');
    expect(['count', 'note', 'gone'].map(name => fieldMust('job', name, knowing))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('bring the Edit button also where only something not given may be filled in', () => {
    const { thread, approval } = asked(given, ['cwd']);
    const buttons = (with_: RenderContext) => JSON.stringify(decideButtons(opened(thread, approval, with_), 'whole'));
    expect(buttons(knowing)).toContain('"Edit"');
    expect(buttons(context)).not.toContain('"Edit"');
  });
});

describe('What a schema says of arguments', () => {
  it('is their kind, their values and whether they are needed', () => {
    expect(Object.fromEntries(shapes)).toMatchObject({
      argv: { kind: 'lines', choices: null, required: true, mayBeEmpty: false },
      level: { kind: 'text', choices: ['low', 'high'], required: true },
      dry: { kind: 'yes_no', choices: [true, false] },
      cwd: { kind: 'text', choices: null, required: false, mayBeEmpty: true },
      timeout: { kind: 'number', required: false },
    });
  });

  it('is nothing where there is none, and values of a union of constants are choices', () => {
    expect([...argumentShapes(undefined)]).toEqual([]);
    const union = { schema: { properties: { size: { anyOf: [{ const: 1 }, { const: 2 }] }, any: {} } } };
    const found = argumentShapes(union);
    expect(found.get('size')).toMatchObject({ choices: [1, 2], kind: 'json' });
    expect(found.get('any')).toMatchObject({ choices: null, kind: 'json' });
  });
});
