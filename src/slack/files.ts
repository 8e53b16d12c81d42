/**
 * Owns posting a text as a file: an address is asked for, the bytes are sent there, and the file is shown below a message.
 *
 * 1. The key stands in the file's title, since such messages take no metadata, so that a file is found again. 2. Until the
 * last step nothing can be seen, so that only its outcome can be unknown.
 */
import { z } from 'zod';
import type { ChannelId, MessageTs } from '../thread/ids.ts';
import type { SlackAnswer, SlackApi } from './api.ts';
import type { Message } from './message.ts';

/** Sends bytes to an address that Slack gave; false when they were not taken. */
export type Upload = (url: string, bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<boolean>;

const UPLOAD_MS = 15_000;

/** By HTTP, as Slack wants it; never throws. */
export const uploadByHttp: Upload = async (url, body, signal) => {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(UPLOAD_MS)]);
    const response = await fetch(url, { method: 'POST', body, signal: within });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
};

/** What names a file of ours: a short name for people, then where it comes from. */
export interface FileTitle {
  readonly name: string;
  readonly environment: string;
  readonly key: string;
}

const BETWEEN = ' · ';

/** The title by which `readTitle` knows a file again. */
export const titleOf = ({ name, environment, key }: FileTitle): string => [name, environment, key].join(BETWEEN);

/** Undefined when it is no title of ours. */
export function readTitle(title: string): FileTitle | undefined {
  const parts = title.split(BETWEEN);
  const [name, key] = [parts[0], parts.at(-1)];
  if (parts.length < 3 || name === undefined || key === undefined || !/^(?:file|draft)\//.test(key)) return undefined;
  return { name, environment: parts.slice(1, -1).join(BETWEEN), key };
}

const address = z.looseObject({ upload_url: z.string().min(1), file_id: z.string().min(1) });

export interface FilePost {
  readonly title: FileTitle;
  readonly text: string;
  /** Our own words above the file. */
  readonly comment: string;
  readonly channel: ChannelId;
  readonly threadTs: MessageTs | undefined;
}

/** Shows a text as a file; `ok` says that Slack took it, not yet where it stands. */
export async function postFile(
  api: SlackApi,
  upload: Upload,
  file: FilePost,
  signal: AbortSignal,
): Promise<SlackAnswer> {
  const bytes = Buffer.from(file.text, 'utf8');
  const asked = await api('files.getUploadURLExternal', { filename: file.title.name, length: bytes.length });
  if (asked.is !== 'ok') return asked.is === 'unknown' ? { is: 'refused', code: 'upload_failed' } : asked;
  const read = address.safeParse(asked.data);
  if (!read.success || !(await upload(read.data.upload_url, new Uint8Array(bytes), signal)))
    return { is: 'refused', code: 'upload_failed' };
  return api('files.completeUploadExternal', {
    files: [{ id: read.data.file_id, title: titleOf(file.title) }],
    channel_id: file.channel,
    ...(file.threadTs === undefined ? {} : { thread_ts: file.threadTs }),
    initial_comment: file.comment,
  });
}

/** Posts a message's file. Where it stands is not said by the call that shows it, so that it has to be looked for. */
export async function showFile(
  parts: { readonly api: SlackApi; readonly upload: Upload; readonly environment: string },
  message: Pick<Message, 'key' | 'content'>,
  file: NonNullable<Message['file']>,
  target: Pick<FilePost, 'channel'> & { readonly threadTs?: MessageTs | undefined },
  signal: AbortSignal,
): Promise<Exclude<SlackAnswer, { is: 'ok' }>> {
  const title = { name: file.name, environment: parts.environment, key: message.key };
  const of = { title, text: file.text, comment: message.content.text, ...target, threadTs: target.threadTs };
  const shown = await postFile(parts.api, parts.upload, of, signal);
  return shown.is === 'ok' ? { is: 'unknown', why: 'a file is looked for' } : shown;
}
