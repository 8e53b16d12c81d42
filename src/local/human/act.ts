/** What people do besides forms: write, click, use commands and shortcuts, open Home, read. Answers do not wait for the app, except a command's. */
import { respond } from '../api/response-url.ts';
import { Call } from '../api/call.ts';
import { HttpRefusal } from '../http.ts';
import { isObject, textIn } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { typedText } from '../text.ts';
import type { SlackMessage } from '../workspace/messages.ts';
import type { ResponseTicket } from '../workspace/tickets.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { TEAM } from '../world.ts';
import type { Channel, Person } from '../world.ts';
import { channelFor, optionalText, personIn, requiredText, valuesIn } from './asked.ts';
import { choiceOf, findControl, stateOf } from './interactive.ts';
import type { Control } from './interactive.ts';
import { channelOfInteraction, commandPayload, interactionFrame, readable, viewWithState } from './payloads.ts';
import { askApp } from './wait.ts';

/** What an action needs besides its body. */
export interface Scene {
  readonly workspace: Workspace;
  readonly url: string;
}

/** `POST /human/say {user, channel, text, thread_ts?}` → `{ts}`. */
export function say({ workspace }: Scene, body: JsonObject): JsonObject {
  const person = personIn(workspace, body);
  const channel = channelFor(workspace, body, person);
  const { directory } = workspace;
  const names = { people: directory.people(), groups: directory.groups(), channels: directory.channels() };
  const text = typedText(requiredText(body, 'text'), names);
  if (text.length > limits.message.text)
    throw new HttpRefusal(422, `A message holds at most ${limits.message.text} characters.`);
  const threadTs = threadOf(workspace, channel, optionalText(body, 'thread_ts'));
  const foreign = person.teamId === TEAM.id ? {} : { user_team: person.teamId, source_team: person.teamId };
  const parent = threadTs === undefined ? undefined : workspace.messages.get(channel.id, threadTs)?.message.user;
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs, parent_user_id: parent };
  const message = {
    user: person.id,
    text,
    team: person.teamId,
    client_msg_id: workspace.ids.hex(32),
    ...foreign,
    ...thread,
  };
  return { ts: workspace.conversation.post(channel, message).message.ts };
}

/** An answer to a reply belongs to the reply's thread. */
function threadOf(workspace: Workspace, channel: Channel, ts: string | undefined): string | undefined {
  if (ts === undefined) return undefined;
  const root = workspace.messages.get(channel.id, ts)?.message;
  if (!root) throw new HttpRefusal(404, 'There is no such message to answer.');
  return root.thread_ts ?? root.ts;
}

/** `POST /human/click {user, channel, ts, action_id, value?, block_id?}` or `{user, view_id, action_id, value?, block_id?, values?}`. */
export function click(scene: Scene, body: JsonObject): JsonObject {
  const person = personIn(scene.workspace, body);
  const payload =
    optionalText(body, 'view_id') === undefined ? messageClick(scene, body, person) : viewClick(scene, body, person);
  const { deliveries } = scene.workspace;
  deliveries.add('interactive', payload);
  return { ok: true, delivered: deliveries.connected };
}

function messageClick(scene: Scene, body: JsonObject, person: Person): JsonObject {
  const { workspace } = scene;
  const channel = channelFor(workspace, body, person);
  const ts = requiredText(body, 'ts');
  const whispered = workspace.ephemerals.get(person.id, ts)?.message;
  const message = whispered ?? workspace.messages.get(channel.id, ts)?.message;
  if (!message) throw new HttpRefusal(404, 'There is no such message here (any more).');
  const control = findControl(
    message.blocks ?? [],
    requiredText(body, 'action_id'),
    optionalText(body, 'block_id'),
    optionalText(body, 'value'),
  );
  const thread = message.thread_ts === undefined ? {} : { thread_ts: message.thread_ts };
  const ephemeral = whispered !== undefined;
  const place = { user: person.id, channel: channel.id, messageTs: ts, ephemeral };
  const ticket =
    message.thread_ts === undefined || message.thread_ts === ts ? place : { ...place, threadTs: message.thread_ts };
  return {
    ...interactionFrame('block_actions', person),
    container: { type: 'message', message_ts: ts, channel_id: channel.id, is_ephemeral: ephemeral, ...thread },
    trigger_id: workspace.tickets.issueTrigger({ user: person.id }),
    channel: channelOfInteraction(channel),
    ...(ephemeral ? {} : { message }),
    state: stateOf(message.blocks ?? [], stateWith(control, body)),
    response_url: `${scene.url}/response/${workspace.tickets.issueResponse(ticket)}`,
    actions: [actionOf(workspace, control, optionalText(body, 'value'))],
  };
}

function viewClick({ workspace }: Scene, body: JsonObject, person: Person): JsonObject {
  const viewId = requiredText(body, 'view_id');
  const kept = workspace.forms.get(viewId);
  if (kept?.user !== person.id) throw new HttpRefusal(404, 'This form is not open (any more).');
  const { view } = kept;
  const control = findControl(
    view.blocks,
    requiredText(body, 'action_id'),
    optionalText(body, 'block_id'),
    optionalText(body, 'value'),
  );
  return {
    ...interactionFrame('block_actions', person),
    container: { type: 'view', view_id: viewId },
    trigger_id: workspace.tickets.issueTrigger({ user: person.id, viewId }),
    view: viewWithState(view, stateOf(view.blocks, { ...valuesIn(body), ...stateWith(control, body) })),
    actions: [actionOf(workspace, control, optionalText(body, 'value'))],
  };
}

/** The state holds what was just chosen. */
function stateWith({ blockId, element }: Control, body: JsonObject): Record<string, Record<string, string>> {
  const value = optionalText(body, 'value');
  return value === undefined
    ? {}
    : { [blockId]: { ...valuesIn(body)[blockId], [textIn(element, 'action_id') ?? '']: value } };
}

function actionOf(workspace: Workspace, { blockId, element }: Control, value: string | undefined): JsonObject {
  const { type, action_id } = element;
  return { type, action_id, block_id: blockId, ...choiceOf(element, value), action_ts: workspace.timestamps.next() };
}

/** `POST /human/command {user, channel, command, text}` → `{}` once the app has taken it; what it answers comes as a message. */
export async function command(scene: Scene, body: JsonObject): Promise<JsonObject> {
  const { workspace, url } = scene;
  const person = personIn(workspace, body);
  const channel = channelFor(workspace, body, person);
  const name = requiredText(body, 'command');
  const known = workspace.installation.commands.find(one => one.command === name);
  if (!known) throw new HttpRefusal(404, `${name} is not a command here.`);
  const typed = optionalText(body, 'text') ?? '';
  const place = { user: person.id, channel: channel.id, ephemeral: true };
  const tickets = {
    trigger_id: workspace.tickets.issueTrigger({ user: person.id }),
    response_url: `${url}/response/${workspace.tickets.issueResponse(place)}`,
  };
  const answer = await askApp(
    workspace,
    'slash_commands',
    commandPayload(person, channel, name, known.shouldEscape ? escapedText(workspace, typed) : typed, tickets),
  );
  sayAnswer(scene, answer, { ...place, expiresAtMs: 0, uses: 0 });
  return {};
}

/** What Slack makes of a command's text where the manifest wants it escaped: mentions carry the name beside the id. */
function escapedText({ directory }: Workspace, typed: string): string {
  const people = directory.people();
  const names = { people, groups: directory.groups(), channels: directory.channels() };
  return typedText(typed, names).replaceAll(/<@([A-Z0-9]+)>/g, (whole, id: string) => {
    const name = people.find(one => one.id === id)?.name;
    return name === undefined ? whole : `<@${id}|${name}>`;
  });
}

/** An acknowledgement of a command may hold its answer, as text or as a message. */
function sayAnswer({ workspace, url }: Scene, answer: Json | undefined, ticket: ResponseTicket): void {
  if (!isObject(answer) || (answer['text'] === undefined && answer['blocks'] === undefined)) return;
  respond(new Call('response_url', workspace, url, answer), ticket);
}

/** `POST /human/shortcut {user, channel, ts, callback_id}`: a message shortcut. */
export function shortcut(scene: Scene, body: JsonObject): JsonObject {
  const { workspace, url } = scene;
  const person = personIn(workspace, body);
  const channel = channelFor(workspace, body, person);
  const ts = requiredText(body, 'ts');
  const message: SlackMessage | undefined = workspace.messages.get(channel.id, ts)?.message;
  if (!message) throw new HttpRefusal(404, 'There is no such message here (any more).');
  const callbackId = requiredText(body, 'callback_id');
  const isKnown = workspace.installation.shortcuts.some(one => one.callbackId === callbackId);
  if (!isKnown) throw new HttpRefusal(404, 'There is no such shortcut here.');
  const threadTs = message.thread_ts === undefined || message.thread_ts === ts ? {} : { threadTs: message.thread_ts };
  const place = { user: person.id, channel: channel.id, messageTs: ts, ...threadTs, ephemeral: false };
  workspace.deliveries.add('interactive', {
    ...interactionFrame('message_action', person),
    callback_id: callbackId,
    trigger_id: workspace.tickets.issueTrigger({ user: person.id }),
    response_url: `${url}/response/${workspace.tickets.issueResponse(place)}`,
    action_ts: workspace.timestamps.next(),
    message_ts: ts,
    channel: channelOfInteraction(channel),
    message,
  });
  return { ok: true, delivered: workspace.deliveries.connected };
}

/** `POST /human/home {user, tab?}` → `{view}`: opens Home, or the app's messages; what the app publishes upon that comes as an event. */
export function home({ workspace }: Scene, body: JsonObject): JsonObject {
  const person = personIn(workspace, body);
  const tab = optionalText(body, 'tab') ?? 'home';
  if (tab !== 'home' && tab !== 'messages') throw new HttpRefusal(400, '“tab” must be home or messages.');
  if (tab === 'home' && !workspace.installation.homeTab) return { view: null };
  const view = tab === 'home' ? workspace.forms.home(person.id) : undefined;
  const channel = workspace.directory.directMessage(person.id);
  const event = {
    type: 'app_home_opened',
    user: person.id,
    channel: channel?.id,
    tab,
    event_ts: workspace.timestamps.next(),
  };
  workspace.conversation.tell(undefined, view ? { ...event, view } : event);
  return { view: view ? readable(view) : null };
}

/** `POST /human/read {user, channel, ts}`: everything up to `ts` has been seen. */
export function read({ workspace }: Scene, body: JsonObject): JsonObject {
  const person = personIn(workspace, body);
  const channel = channelFor(workspace, body, person);
  const ts = requiredText(body, 'ts');
  if (!/^\d{1,10}\.\d{1,6}$/.test(ts)) throw new HttpRefusal(400, '“ts” must be a message’s timestamp.');
  workspace.readMarks.set(person.id, channel.id, ts);
  return { ok: true };
}

/** `POST /human/stop {user, channel, thread_ts}`: the person presses Slack's own Stop; running streams of the thread end. */
export function stop({ workspace }: Scene, body: JsonObject): JsonObject {
  const person = personIn(workspace, body);
  const channel = channelFor(workspace, body, person);
  const threadTs = requiredText(body, 'thread_ts');
  const running = workspace.messages
    .thread(channel.id, threadTs, {}, -1)
    .filter(one => one.stream?.state === 'in_progress');
  for (const one of running) {
    const message = { ...one.message, streaming_state: 'completed', stopped_by_user: true };
    workspace.conversation.touch({
      ...one,
      message,
      stream: { startedAtMs: one.stream?.startedAtMs ?? 0, state: 'completed' },
    });
  }
  const place = { channel: channel.id, thread_ts: threadTs, user: person.id };
  const stopped = running.map(one => one.message.ts);
  workspace.conversation.tell(channel, {
    type: 'agent_session_stopped',
    ...place,
    streaming_message_ts: stopped,
    event_ts: workspace.timestamps.next(),
  });
  return { ok: true };
}
