/** `files.*`: uploading in three steps, as Slack wants it: ask for an address, send the bytes, show the file. */
import { isObject, textIn } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { StoredFile } from '../workspace/files.ts';
import { APP } from '../world.ts';
import type { Channel } from '../world.ts';
import type { Call, Method } from './call.ts';
import { Refusal } from './call.ts';
import { replyTo } from './chat.ts';
import { contentsOf, signature } from './contents.ts';

export const files: Readonly<Record<string, Method>> = {
  'files.getUploadURLExternal': getUploadUrl,
  'files.completeUploadExternal': completeUpload,
  'files.info': info,
};

function getUploadUrl(call: Call): JsonObject {
  const name = call.required('filename');
  const bytes = call.number('length', 0);
  if (bytes < 1) throw new Refusal('invalid_arguments', ['length must be at least 1']);
  if (bytes > limits.file.bytes) throw new Refusal('file_upload_size_restricted');
  const { id, ticket } = call.workspace.files.announce(name, bytes, call.workspace.clock.nowMs());
  return { upload_url: `${call.url}/upload/${ticket}`, file_id: id };
}

function completeUpload(call: Call): JsonObject {
  const { workspace } = call;
  const uploads = (call.list('files') ?? []).filter(isObject).map(one => uploadOf(call, one));
  if (uploads.length === 0) throw new Refusal('invalid_arguments', ['missing required field: files']);
  const channels = targetChannels(call);
  for (const file of uploads) workspace.files.put(file);
  const shown = uploads.map(file => slackFile(call.url, file));
  for (const channel of channels) showIn(call, channel, shown);
  return { files: shown };
}

function uploadOf(call: Call, given: JsonObject): StoredFile {
  const file = call.workspace.files.get(textIn(given, 'id') ?? '');
  if (!file || file.contentBase64 === undefined) throw new Refusal('file_not_found');
  return { ...file, title: textIn(given, 'title') ?? file.name, complete: true };
}

/** A call with no channel makes the file known without showing it. */
function targetChannels(call: Call): Channel[] {
  if (call.text('channel_id') === undefined) return [];
  return [call.ownChannel('channel_id')];
}

function showIn(call: Call, channel: Channel, shown: readonly JsonObject[]): void {
  const threadTs = replyTo(call, channel);
  const comment = call.text('initial_comment') ?? '';
  const contents = call.has('blocks') ? contentsOf(call, limits.message.text) : {};
  call.workspace.conversation.post(channel, {
    ...signature(),
    subtype: 'file_share',
    upload: true,
    text: comment,
    files: shown,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    ...contents,
  });
}

function info(call: Call): JsonObject {
  const file = call.workspace.files.get(call.required('file'));
  if (!file?.complete) throw new Refusal('file_not_found');
  return { file: slackFile(call.url, file) };
}

function slackFile(url: string, file: StoredFile): JsonObject {
  const content = Buffer.from(file.contentBase64 ?? '', 'base64');
  const address = `${url}/files/${file.id}/${encodeURIComponent(file.name)}`;
  return {
    id: file.id,
    name: file.name,
    title: file.title,
    created: Math.floor(file.createdAtMs / 1_000),
    user: APP.userId,
    size: content.length,
    mode: 'snippet',
    preview: content.subarray(0, limits.file.previewBytes).toString('utf8'),
    mimetype: 'text/plain',
    filetype: file.name.includes('.') ? file.name.split('.').at(-1) : 'text',
    url_private: address,
    permalink: address,
  };
}
