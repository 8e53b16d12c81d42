/** Checks a form or Home tab as Slack does before it shows it. */
import { isObject, textIn } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { ViewContent } from '../workspace/forms.ts';
import { acceptBlocks } from './blocks.ts';
import { acceptLabel, acceptText } from './composition.ts';
import { checkLength, Report } from './report.ts';

export type AcceptedView =
  | { readonly ok: true; readonly content: ViewContent }
  | {
      readonly ok: false;
      readonly error: 'invalid_arguments' | 'view_too_large';
      readonly problems: readonly string[];
    };

/** Checks a view of the given type and returns it as Slack stores it; `newId` makes ids for what has none. */
export function acceptView(value: Json | undefined, type: 'modal' | 'home', newId: () => string): AcceptedView {
  if (!isObject(value)) return { ok: false, error: 'invalid_arguments', problems: ['missing required field: view'] };
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > limits.view.bytes) return { ok: false, error: 'view_too_large', problems: [`${bytes} bytes`] };
  const report = new Report();
  if (value['type'] !== type) report.add('/type', `must be ${type}`);
  const frame = type === 'modal' ? acceptFrame(value, report) : {};
  checkShort(value, 'private_metadata', limits.view.privateMetadata, report);
  checkShort(value, 'callback_id', limits.view.callbackId, report);
  checkShort(value, 'external_id', limits.view.externalId, report);
  const accepted = acceptBlocks(value['blocks'], type, newId);
  if (accepted.ok && report.ok) return { ok: true, content: { ...value, ...frame, type, blocks: accepted.blocks } };
  return {
    ok: false,
    error: 'invalid_arguments',
    problems: [...report.problems, ...(accepted.ok ? [] : accepted.problems)],
  };
}

function acceptFrame(view: JsonObject, report: Report): JsonObject {
  const submit = acceptLabel(view['submit'], '/submit', report, limits.view.submit);
  const close = acceptLabel(view['close'], '/close', report, limits.view.close);
  const blocks = view['blocks'];
  const asks = Array.isArray(blocks) && blocks.some(block => isObject(block) && block['type'] === 'input');
  if (asks && !submit) report.add('/submit', 'missing required field: submit');
  const title = acceptText(view['title'], '/title', report, limits.view.title, ['plain_text']);
  return { title, ...(submit ? { submit } : {}), ...(close ? { close } : {}) };
}

function checkShort(view: JsonObject, key: string, most: number, report: Report): void {
  checkLength(report, `/${key}`, textIn(view, key) ?? '', most, 0);
}
