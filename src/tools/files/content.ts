/** Owns the look at a file's content: its digest, how much there is, and whether it is text. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Facts } from '../../thread/events.ts';
import type { Digest } from '../../thread/ids.ts';
import type { Jail, Place } from './jail.ts';

/** What a file holds; `characters` is null when it is not UTF-8. */
export interface Content {
  readonly digest: Digest;
  readonly bytes: number;
  readonly characters: number | null;
  /** Permission bits. */
  readonly mode: number;
}

/** What the binding fact `content` says where nothing is. */
export const ABSENT = 'absent';

/** Characters as people count them, near enough: code points. */
export function characters(text: string): number {
  let low = 0;
  for (let at = 0; at < text.length; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) low += 1;
  return text.length - low;
}

/** Reads a whole file once; undefined when nothing is there. Throws a ToolError for anything that is no regular file. */
export async function lookAt(jail: Jail, place: Place, signal: AbortSignal): Promise<Content | undefined> {
  try {
    return await jail.read(place, file => contentOf(file, signal));
  } catch (error) {
    throw signal.aborted ? error : jail.trouble(place, error);
  }
}

async function contentOf(file: FileHandle, signal: AbortSignal): Promise<Content> {
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let counted: number | null = 0;
  let bytes = 0;
  const count = (chunk?: Buffer): void => {
    if (counted === null) return;
    try {
      counted += characters(chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode());
    } catch {
      counted = null;
    }
  };
  for await (const chunk of file.createReadStream({ autoClose: false })) {
    if (!Buffer.isBuffer(chunk)) continue;
    signal.throwIfAborted();
    hash.update(chunk);
    bytes += chunk.length;
    count(chunk);
  }
  count();
  const { mode } = await file.stat();
  return { digest: hash.digest('hex') as Digest, bytes, characters: counted, mode: mode & 0o777 };
}

/** The facts of what is there: its digest binds, its size is a note: characters of a text, else bytes. */
export function contentFacts(content: Content | undefined): { readonly bind: Facts; readonly note: Facts } {
  if (!content) return { bind: { content: ABSENT }, note: {} };
  const { digest, bytes, characters: counted } = content;
  return { bind: { content: digest }, note: counted === null ? { bytes } : { characters: counted } };
}
