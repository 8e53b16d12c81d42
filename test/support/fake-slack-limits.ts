/** What Slack refuses of a message's content, as far as the reconciler has to cope with it. */
const BLOCKS = 50;
const TEXT = 4_000;
const ALL_TEXT = 13_200;

/** Slack's error code for content that it does not take; undefined for what it takes. */
export function refusalOf(args: Readonly<Record<string, unknown>>): string | undefined {
  const blocks = args['blocks'];
  if (typeof args['text'] !== 'string' || (args['text'] === '' && !Array.isArray(blocks))) return 'no_text';
  if (args['text'].length > TEXT) return 'msg_too_long';
  if (Array.isArray(blocks) && blocks.length > BLOCKS) return 'invalid_blocks';
  return JSON.stringify(blocks ?? []).length > ALL_TEXT * 2 ? 'msg_blocks_too_long' : undefined;
}
