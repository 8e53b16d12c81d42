/** Submitting and closing forms: checks what Slack's client checks, asks the app, and does what its answer says. */
import { acceptView } from '../blocks/views.ts';
import { HttpRefusal } from '../http.ts';
import { isObject, objectIn, textIn } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { SlackView, ViewContent } from '../workspace/forms.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { APP } from '../world.ts';
import type { Person } from '../world.ts';
import type { Scene } from './act.ts';
import { personIn, requiredText, valuesIn } from './asked.ts';
import { controlsIn, stateOf } from './interactive.ts';
import type { Control, Values } from './interactive.ts';
import { interactionFrame, readable, viewWithState } from './payloads.ts';
import { askApp } from './wait.ts';

/** `POST /human/submit {user, view_id, values}` → `{errors: {block_id: sentence}}`, or `{view}`: the form that shows next, null if none. */
export async function submit({ workspace }: Scene, body: JsonObject): Promise<JsonObject> {
  const person = personIn(workspace, body);
  const view = topForm(workspace, person, requiredText(body, 'view_id'));
  const values = valuesIn(body);
  const state = stateOf(view.blocks, values);
  const errors = errorsOf(view, values);
  if (Object.keys(errors).length > 0) return { errors };
  const answer = await askApp(workspace, 'interactive', {
    ...interactionFrame('view_submission', person),
    trigger_id: workspace.tickets.issueTrigger({ user: person.id, viewId: view.id }),
    view: viewWithState(view, state),
    response_urls: [],
  });
  return workspace.storage.transaction(() => follow(workspace, person, view, answer));
}

function topForm(workspace: Workspace, person: Person, viewId: string): SlackView {
  const top = workspace.forms.stack(person.id).at(-1);
  if (top?.id !== viewId) throw new HttpRefusal(404, 'This form is not open (any more).');
  if (!top['submit'] && !controlsIn(top.blocks).some(one => one.input))
    throw new HttpRefusal(409, 'This form has nothing to submit.');
  return top;
}

/** What Slack's client says about fields before it bothers the app. */
function errorsOf(view: SlackView, values: Values): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const control of controlsIn(view.blocks)) {
    const sentence = errorOf(control, values);
    if (sentence !== undefined) errors[control.blockId] = sentence;
  }
  return errors;
}

function errorOf({ blockId, element, input }: Control, values: Values): string | undefined {
  if (!input) return undefined;
  const given = values[blockId]?.[textIn(element, 'action_id') ?? ''];
  const text = given ?? textIn(element, 'initial_value') ?? '';
  const isPreset = given === undefined && Object.keys(element).some(key => key.startsWith('initial_'));
  if (text === '' || text === '[]')
    return isPreset || input['optional'] === true ? undefined : 'Please complete this required field.';
  const { type, min_length: least, max_length: most } = element;
  if (typeof least === 'number' && text.length < least) return `Please write at least ${least} characters.`;
  const longest = typeof most === 'number' ? most : limits.input.maxLength;
  if (typeof type === 'string' && textInputs.includes(type) && text.length > longest)
    return `Please write at most ${longest} characters.`;
  return type === 'number_input' ? numberError(element, text) : undefined;
}

const textInputs: readonly string[] = ['plain_text_input', 'email_text_input', 'url_text_input'];

function numberError(element: JsonObject, text: string): string | undefined {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return 'Please enter a number.';
  if (element['is_decimal_allowed'] === false && !Number.isInteger(value)) return 'Please enter a whole number.';
  const { min_value: least, max_value: most } = element;
  if (typeof least === 'string' && value < Number(least)) return `Please enter a number from ${least}.`;
  return typeof most === 'string' && value > Number(most) ? `Please enter a number up to ${most}.` : undefined;
}

/** Does what the acknowledgement says: errors, another form, none. */
function follow(workspace: Workspace, person: Person, view: SlackView, answer: Json | undefined): JsonObject {
  const { forms, feed } = workspace;
  const payload = isObject(answer) ? answer : undefined;
  const action = textIn(payload, 'response_action');
  if (action === 'errors') return { errors: objectIn(payload, 'errors') ?? {} };
  const kept = forms.get(view.id);
  if (action === 'update' && kept) forms.update(kept, nextContent(workspace, payload));
  else if (action === 'push') forms.push(person.id, pushable(workspace, person, payload));
  else if (action === 'clear') forms.clear(person.id);
  else if (kept) forms.pop(person.id);
  feed.publish({ kind: 'view', user: person.id });
  const next = forms.stack(person.id).at(-1);
  return { view: next ? readable(next) : null };
}

function pushable(workspace: Workspace, person: Person, payload: JsonObject | undefined): ViewContent {
  if (workspace.forms.stack(person.id).length >= limits.view.stack)
    throw new HttpRefusal(502, `${APP.name} wanted to open more forms than Slack allows.`);
  return nextContent(workspace, payload);
}

function nextContent(workspace: Workspace, payload: JsonObject | undefined): ViewContent {
  const accepted = acceptView(payload?.['view'], 'modal', () => workspace.ids.hex(5));
  if (!accepted.ok)
    throw new HttpRefusal(
      502,
      `${APP.name} answered with a form that Slack would not show: ${accepted.problems.join('; ')}`,
    );
  return accepted.content;
}

/** `POST /human/close {user, view_id}`: closes the form on top; the app hears of it if it asked to. */
export function close({ workspace }: Scene, body: JsonObject): JsonObject {
  const person = personIn(workspace, body);
  const view = workspace.forms.stack(person.id).at(-1);
  if (view?.id !== requiredText(body, 'view_id')) throw new HttpRefusal(404, 'This form is not open (any more).');
  const clears = view['clear_on_close'] === true;
  const closed = clears ? workspace.forms.stack(person.id).reverse() : [view];
  if (clears) workspace.forms.clear(person.id);
  else workspace.forms.pop(person.id);
  workspace.feed.publish({ kind: 'view', user: person.id });
  for (const one of closed.filter(each => each.notify_on_close)) {
    workspace.deliveries.add('interactive', {
      ...interactionFrame('view_closed', person),
      view: one,
      is_cleared: clears,
    });
  }
  const next = workspace.forms.stack(person.id).at(-1);
  return { view: next ? readable(next) : null };
}
