/**
 * Checks blocks as Slack does before it stores them, and returns them as Slack stores them: texts escaped, `block_id`
 * and `action_id` filled in. Every number comes from `limits.ts`.
 */
import { isList, isObject, objectsIn, textIn } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { acceptLabel, acceptString, acceptText } from './composition.ts';
import { acceptElement } from './elements.ts';
import { checkLength, lengthOf, Report } from './report.ts';
import { checkRichText } from './rich-text.ts';

export type Surface = 'message' | 'modal' | 'home';

export type Accepted =
  | { readonly ok: true; readonly blocks: readonly JsonObject[] }
  | { readonly ok: false; readonly problems: readonly string[] };

type Check = (block: JsonObject, at: string, report: Report, newId: () => string) => JsonObject;

const EVERYWHERE: readonly Surface[] = ['message', 'modal', 'home'];

const BLOCKS: Readonly<Record<string, { readonly surfaces: readonly Surface[]; readonly check: Check }>> = {
  header: { surfaces: EVERYWHERE, check: header },
  section: { surfaces: EVERYWHERE, check: section },
  divider: { surfaces: EVERYWHERE, check: block => block },
  context: { surfaces: EVERYWHERE, check: context },
  actions: { surfaces: EVERYWHERE, check: actions },
  input: { surfaces: EVERYWHERE, check: input },
  image: { surfaces: EVERYWHERE, check: image },
  rich_text: { surfaces: EVERYWHERE, check: richText },
  markdown: { surfaces: ['message'], check: markdown },
};

/** Block types that may be used; what the validator knows is what the coverage list names. */
export const BLOCK_TYPES: readonly string[] = Object.keys(BLOCKS);

/** Checks a list of blocks for one surface; `newId` makes ids for what has none, and is asked again for one that is taken. */
export function acceptBlocks(value: Json | undefined, surface: Surface, newId: () => string): Accepted {
  const report = new Report();
  const most = surface === 'message' ? limits.message.blocks : limits.view.blocks;
  if (!isList(value)) return { ok: false, problems: ['must be a list [json-pointer:/blocks]'] };
  if (value.length > most) report.add('/blocks', `no more than ${most} items allowed`);
  const free = freeIds(value, newId);
  const blocks = value.map((block, index) => acceptBlock(block, `/blocks/${index}`, report, surface, free));
  checkUnique(blocks, report);
  return report.ok ? { ok: true, blocks } : { ok: false, problems: report.problems };
}

/** Ids that no block and none of their elements has: two alike would be held against whoever sent the blocks. */
function freeIds(value: Json, newId: () => string): () => string {
  const given = objectsIn(value).flatMap(block => [block, ...objectsIn(block['elements'])]);
  const taken = new Set(given.flatMap(one => [textIn(one, 'block_id'), textIn(one, 'action_id')]));
  return () => {
    let id = newId();
    while (taken.has(id)) id = newId();
    taken.add(id);
    return id;
  };
}

function acceptBlock(value: Json, at: string, report: Report, surface: Surface, newId: () => string): JsonObject {
  if (!isObject(value)) {
    report.add(at, 'must be an object');
    return {};
  }
  const type = textIn(value, 'type') ?? '';
  const rule = BLOCKS[type];
  if (!rule?.surfaces.includes(surface)) {
    report.add(`${at}/type`, `unsupported type: ${type || 'none'}`);
    return value;
  }
  const blockId = acceptString(value['block_id'], `${at}/block_id`, report, limits.text.blockId) ?? newId();
  return { ...rule.check(value, at, report, newId), block_id: blockId };
}

/** Block ids are unique in a message or view, action ids in a block. */
function checkUnique(blocks: readonly JsonObject[], report: Report): void {
  const seen = new Set<unknown>();
  blocks.forEach((block, index) => {
    if (seen.has(block['block_id'])) report.add(`/blocks/${index}/block_id`, 'block_id already exists');
    seen.add(block['block_id']);
    const ids = objectsIn(block['elements']).flatMap(element => textIn(element, 'action_id') ?? []);
    if (new Set(ids).size < ids.length) report.add(`/blocks/${index}/elements`, 'action_id already exists');
  });
}

function header(block: JsonObject, at: string, report: Report): JsonObject {
  return { ...block, text: acceptText(block['text'], `${at}/text`, report, limits.header.text, ['plain_text']) };
}

function section(block: JsonObject, at: string, report: Report, newId: () => string): JsonObject {
  const { text, fields, accessory } = block;
  if (text === undefined && fields === undefined) report.add(at, 'must define either text or fields');
  return {
    ...block,
    ...(text === undefined
      ? {}
      : { text: acceptText(text, `${at}/text`, report, limits.section.text, ['plain_text', 'mrkdwn']) }),
    ...(fields === undefined ? {} : { fields: acceptFields(fields, at, report) }),
    ...(accessory === undefined
      ? {}
      : { accessory: acceptElement(accessory, `${at}/accessory`, report, 'section', newId) }),
  };
}

function acceptFields(fields: Json, at: string, report: Report): JsonObject[] {
  if (!isList(fields) || fields.length < 1) report.add(`${at}/fields`, 'must have at least 1 item');
  if (isList(fields) && fields.length > limits.section.fields)
    report.add(`${at}/fields`, `no more than ${limits.section.fields} items allowed`);
  const kinds = ['plain_text', 'mrkdwn'] as const;
  return (isList(fields) ? fields : []).map((field, index) =>
    acceptText(field, `${at}/fields/${index}`, report, limits.section.fieldText, kinds),
  );
}

function context(block: JsonObject, at: string, report: Report, newId: () => string): JsonObject {
  const elements = acceptList(block['elements'], `${at}/elements`, report, limits.context.elements);
  return {
    ...block,
    elements: elements.map((element, index) => {
      const here = `${at}/elements/${index}`;
      const isImage = isObject(element) && element['type'] === 'image';
      return isImage
        ? acceptElement(element, here, report, 'context', newId)
        : acceptText(element, here, report, limits.text.object, ['plain_text', 'mrkdwn']);
    }),
  };
}

function actions(block: JsonObject, at: string, report: Report, newId: () => string): JsonObject {
  const elements = acceptList(block['elements'], `${at}/elements`, report, limits.actions.elements);
  return {
    ...block,
    elements: elements.map((element, index) =>
      acceptElement(element, `${at}/elements/${index}`, report, 'actions', newId),
    ),
  };
}

function acceptList(value: Json | undefined, at: string, report: Report, most: number): readonly Json[] {
  if (!isList(value) || value.length < 1) {
    report.add(at, 'must have at least 1 item');
    return [];
  }
  if (value.length > most) report.add(at, `no more than ${most} items allowed`);
  return value;
}

function input(block: JsonObject, at: string, report: Report, newId: () => string): JsonObject {
  const hint = acceptLabel(block['hint'], `${at}/hint`, report, limits.input.hint);
  return {
    ...block,
    label: acceptText(block['label'], `${at}/label`, report, limits.input.label, ['plain_text']),
    element: acceptElement(block['element'], `${at}/element`, report, 'input', newId),
    optional: block['optional'] === true,
    dispatch_action: block['dispatch_action'] === true,
    ...(hint ? { hint } : {}),
  };
}

function image(block: JsonObject, at: string, report: Report, newId: () => string): JsonObject {
  const title = acceptLabel(block['title'], `${at}/title`, report, limits.image.title);
  return { ...block, ...acceptElement({ ...block }, at, report, 'context', newId), ...(title ? { title } : {}) };
}

function richText(block: JsonObject, at: string, report: Report): JsonObject {
  checkRichText(block, at, report);
  return block;
}

function markdown(block: JsonObject, at: string, report: Report): JsonObject {
  const text = textIn(block, 'text');
  if (text === undefined) report.add(`${at}/text`, 'missing required field: text');
  else checkLength(report, `${at}/text`, text, limits.message.markdownText);
  return block;
}

/** How much text all blocks of a message hold together, in characters as stored; markdown blocks have a limit of their own and count apart. */
export function textOfBlocks(blocks: readonly JsonObject[]): { plain: number; markdown: number } {
  const sum = { plain: 0, markdown: 0 };
  for (const block of blocks) {
    if (block['type'] === 'markdown') sum.markdown += lengthOf(textIn(block, 'text') ?? '');
    else sum.plain += textInside(block);
  }
  return sum;
}

function textInside(value: Json | undefined): number {
  if (isList(value)) return value.reduce<number>((sum, one) => sum + textInside(one), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, one]) => sum + (key === 'text' && typeof one === 'string' ? lengthOf(one) : textInside(one)),
    0,
  );
}
