/** What a message may contain: checks text, blocks and metadata of a call, in the order and with the codes of Slack. */
import { acceptBlocks, textOfBlocks } from '../blocks/blocks.ts';
import { lengthOf } from '../blocks/report.ts';
import { isObject, textIn } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { escapeLoose } from '../text.ts';
import { APP, TEAM } from '../world.ts';
import type { Call } from './call.ts';
import { Refusal } from './call.ts';

export interface Contents {
  /** As stored; undefined when the call has none. */
  readonly text?: string;
  readonly blocks?: readonly JsonObject[];
}

/** The text and blocks of a call, checked; `mostText` is 40,000 characters for a new message, 4,000 for an update. */
export function contentsOf(call: Call, mostText: number): Contents {
  const markdown = call.text('markdown_text');
  if (markdown !== undefined && (call.has('text') || call.has('blocks'))) throw new Refusal('markdown_text_conflict');
  if (markdown !== undefined && lengthOf(markdown) > limits.message.markdownText) throw new Refusal('msg_too_long');
  if (markdown !== undefined)
    return { text: escapeLoose(markdown), blocks: [{ type: 'markdown', text: markdown, block_id: call.newId() }] };
  const text = call.text('text');
  const blocks = blocksOf(call);
  const stored = text === undefined ? undefined : escapeLoose(text);
  if (stored !== undefined && lengthOf(stored) > mostText) throw new Refusal('msg_too_long');
  return { ...(stored === undefined ? {} : { text: stored }), ...(blocks ? { blocks } : {}) };
}

/** The blocks of a call, checked for a message; undefined when it has none. */
export function blocksOf(call: Call): readonly JsonObject[] | undefined {
  const given = call.json('blocks', 'invalid_blocks_format');
  if (given === undefined) return undefined;
  const accepted = acceptBlocks(given, 'message', call.newId);
  if (!accepted.ok) throw new Refusal('invalid_blocks', accepted.problems);
  const sum = textOfBlocks(accepted.blocks);
  if (sum.plain > limits.message.blockText || sum.markdown > limits.message.markdownText)
    throw new Refusal('msg_blocks_too_long');
  return accepted.blocks;
}

/** The metadata of a call: `event_type` and `event_payload`, within Slack's size; undefined when it has none. */
export function metadataOf(call: Call): JsonObject | undefined {
  const metadata = call.json('metadata', 'invalid_metadata_format');
  if (metadata === undefined) return undefined;
  if (!isObject(metadata)) throw new Refusal('invalid_metadata_format');
  if (Object.keys(metadata).length === 0) return {};
  if (!textIn(metadata, 'event_type') || !isObject(metadata['event_payload']))
    throw new Refusal('invalid_metadata_schema');
  if (Buffer.byteLength(JSON.stringify(metadata)) > limits.message.metadataBytes)
    throw new Refusal('metadata_too_large');
  return metadata;
}

/** The fields that every message of the app carries. */
export function signature(): { user: string; bot_id: string } & JsonObject {
  const profile = { id: APP.botId, app_id: APP.id, name: APP.name, deleted: false, team_id: TEAM.id };
  return { user: APP.userId, bot_id: APP.botId, app_id: APP.id, team: TEAM.id, bot_profile: profile };
}
