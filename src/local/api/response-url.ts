/** The address that comes with a click or command: five answers within thirty minutes, without a token. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Faults } from '../faults.ts';
import { answerJson, readJsonObject } from '../http.ts';
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { ResponseTicket } from '../workspace/tickets.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { APP } from '../world.ts';
import { Call, Refusal } from './call.ts';
import { contentsOf, signature } from './contents.ts';

/** Answers one request for `/response/<id>`. */
export async function handleResponseUrl(
  id: string,
  parts: { workspace: Workspace; faults: Faults; url: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readJsonObject(request);
  const fault = parts.faults.take('response_url');
  if (fault?.kind === 'status') return answerJson(response, fault.status, {});
  if (fault?.kind === 'dropped') return void response.destroy();
  const ticket = parts.workspace.tickets.useResponse(id);
  if (typeof ticket === 'string') return answerJson(response, 404, { ok: false, error: ticket });
  try {
    respond(new Call('response_url', parts.workspace, parts.url, body), ticket);
    answerJson(response, 200, { ok: true });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    answerJson(response, 400, { ok: false, error: error.code, ...error.details });
  }
}

/** Says in the place of the interaction what the app answers: to the person alone unless `response_type` is `in_channel`. */
export function respond(call: Call, ticket: ResponseTicket): void {
  const { workspace } = call;
  workspace.storage.transaction(() => {
    if (call.flag('delete_original')) return removeOriginal(call, ticket);
    const contents = contentsOf(call, limits.message.text);
    if (contents.text === undefined && (contents.blocks ?? []).length === 0) throw new Refusal('no_text');
    const content = { text: contents.text ?? '', ...(contents.blocks ? { blocks: contents.blocks } : {}) };
    if (call.flag('replace_original') && ticket.messageTs !== undefined) return replaceOriginal(call, ticket, content);
    const channel = workspace.directory.channel(ticket.channel);
    if (!channel) throw new Refusal('channel_not_found');
    const threadTs = call.text('thread_ts') ?? ticket.threadTs;
    const message = { ...signature(), ...content, ...(threadTs === undefined ? {} : { thread_ts: threadTs }) };
    if (call.text('response_type') === 'in_channel') workspace.conversation.post(channel, message);
    else workspace.conversation.whisper(channel, ticket.user, message);
  });
}

function replaceOriginal(call: Call, ticket: ResponseTicket, content: { text: string } & JsonObject): void {
  const { workspace } = call;
  const ts = ticket.messageTs ?? '';
  const whispered = workspace.ephemerals.get(ticket.user, ts);
  const stored = workspace.messages.get(ticket.channel, ts);
  const channel = workspace.directory.channel(ticket.channel);
  if (whispered) {
    workspace.ephemerals.put({ ...whispered, message: { ...whispered.message, blocks: [], ...content } });
    workspace.feed.publish({ kind: 'ephemeral', channel: ticket.channel, user: ticket.user, ts });
  } else if (stored?.message.bot_id === APP.botId && channel) {
    workspace.conversation.change(channel, stored, {
      ...stored,
      message: { ...stored.message, blocks: [], ...content },
    });
  } else throw new Refusal('message_not_found');
}

function removeOriginal(call: Call, ticket: ResponseTicket): void {
  const { workspace } = call;
  const ts = ticket.messageTs ?? '';
  const stored = workspace.messages.get(ticket.channel, ts);
  const channel = workspace.directory.channel(ticket.channel);
  if (workspace.ephemerals.get(ticket.user, ts)) {
    workspace.ephemerals.delete(ticket.user, ts);
    workspace.feed.publish({ kind: 'ephemeral', channel: ticket.channel, user: ticket.user, ts });
  } else if (stored?.message.bot_id === APP.botId && channel) workspace.conversation.remove(channel, stored);
  else throw new Refusal('message_not_found');
}
