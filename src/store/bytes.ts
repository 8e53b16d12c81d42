/**
 * Owns how text becomes bytes: one byte that names the codec, then the content. Synchronous, so that a simulated run
 * replays. The codec says only how bytes are packed; hashes are always over the text itself.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

const PLAIN = 0;
const BROTLI = 1;
/** A window of 64 KB (2^16): a larger one costs milliseconds for each text, and shortens only what is longer. */
const WINDOW_BITS = 16;
/** No text that we wrote is longer; a packed text that claims to be is refused before it fills the memory. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

function compressed(content: Uint8Array): Buffer {
  return brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: content.length > 64 * 1024 ? 5 : 9,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      ...(content.length > 64 * 1024 ? {} : { [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS }),
    },
  });
}

/** Packs bytes, compressed where that is shorter. */
export function packed(content: Uint8Array): Buffer {
  const short = compressed(content);
  return short.length < content.length
    ? Buffer.concat([Buffer.of(BROTLI), short])
    : Buffer.concat([Buffer.of(PLAIN), content]);
}

/** Unpacks what `packed` made; undefined for anything else. */
export function unpacked(bytes: Uint8Array): Buffer | undefined {
  const content = bytes.subarray(1);
  if (bytes[0] === PLAIN) return Buffer.from(content);
  if (bytes[0] !== BROTLI) return undefined;
  try {
    return brotliDecompressSync(content, { maxOutputLength: MAX_TEXT_BYTES });
  } catch {
    return undefined;
  }
}
