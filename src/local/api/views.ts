/** `views.*`: forms that a trigger id opens, changes to them, and Home tabs. */
import { acceptView } from '../blocks/views.ts';
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { KeptView, SlackView, ViewContent } from '../workspace/forms.ts';
import type { Trigger } from '../workspace/tickets.ts';
import type { Call, Method } from './call.ts';
import { Refusal } from './call.ts';

export const views: Readonly<Record<string, Method>> = {
  'views.open': open,
  'views.push': push,
  'views.update': update,
  'views.publish': publish,
};

function open(call: Call): JsonObject {
  const trigger = triggerOf(call);
  const content = contentOf(call, 'modal');
  refuseTakenExternalId(call, content, undefined);
  call.workspace.tickets.useTrigger(call.required('trigger_id'));
  return shown(call, trigger.user, call.workspace.forms.open(trigger.user, content));
}

function push(call: Call): JsonObject {
  const { forms, tickets } = call.workspace;
  const trigger = triggerOf(call);
  const stack = forms.stack(trigger.user);
  if (trigger.viewId === undefined || stack.at(-1)?.id !== trigger.viewId) throw new Refusal('invalid_trigger_id');
  if (stack.length >= limits.view.stack) throw new Refusal('push_limit_reached');
  const content = contentOf(call, 'modal');
  refuseTakenExternalId(call, content, undefined);
  tickets.useTrigger(call.required('trigger_id'));
  return shown(call, trigger.user, forms.push(trigger.user, content));
}

function update(call: Call): JsonObject {
  const { forms } = call.workspace;
  const id = call.text('view_id');
  const externalId = call.text('external_id');
  if ((id === undefined) === (externalId === undefined))
    throw new Refusal('invalid_arguments', ['either view_id or external_id']);
  const kept = id === undefined ? forms.byExternalId(externalId ?? '') : forms.get(id);
  if (!kept) throw new Refusal('not_found');
  refuseOldHash(call, kept.view);
  const content = contentOf(call, kept.view.type);
  refuseTakenExternalId(call, content, kept);
  return shown(call, kept.user, forms.update(kept, content));
}

function publish(call: Call): JsonObject {
  const { directory, forms } = call.workspace;
  if (!call.workspace.installation.homeTab) throw new Refusal('not_enabled');
  const user = call.required('user_id');
  if (!directory.person(user)) throw new Refusal('user_not_found');
  const before = forms.home(user);
  if (before) refuseOldHash(call, before);
  return shown(call, user, forms.publish(user, contentOf(call, 'home')));
}

function shown(call: Call, user: string, view: SlackView): JsonObject {
  call.workspace.feed.publish({ kind: view.type === 'home' ? 'home' : 'view', user });
  return { view };
}

function triggerOf(call: Call): Trigger {
  const outcome = call.workspace.tickets.checkTrigger(call.required('trigger_id'));
  if (typeof outcome === 'string') throw new Refusal(outcome);
  return outcome;
}

function contentOf(call: Call, type: 'modal' | 'home'): ViewContent {
  const accepted = acceptView(call.json('view'), type, call.newId);
  if (!accepted.ok) throw new Refusal(accepted.error, accepted.problems);
  return accepted.content;
}

function refuseOldHash(call: Call, view: SlackView): void {
  const hash = call.text('hash');
  if (hash !== undefined && hash !== view.hash) throw new Refusal('hash_conflict');
}

function refuseTakenExternalId(call: Call, content: ViewContent, owner: KeptView | undefined): void {
  const externalId = content['external_id'];
  if (typeof externalId !== 'string' || externalId === '') return;
  const taken = call.workspace.forms.byExternalId(externalId);
  if (taken && taken.view.id !== owner?.view.id) throw new Refusal('duplicate_external_id');
}
