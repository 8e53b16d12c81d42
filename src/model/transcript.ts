/**
 * Owns the way from a conversation to Chat Completions messages.
 *
 * 1. Each call of a reply has exactly one result, directly behind the reply; nothing else stands between. A conversation
 * that breaks this is never sent.
 * 2. Every message says in its first line who wrote it; that line is ours and a person's name cannot break out of it.
 * 3. Arguments and results are text and stay text.
 */
import type {
  ChatCompletionMessageParam,
  ChatCompletionMessageFunctionToolCall,
} from 'openai/resources/chat/completions';
import type { Json } from '../thread/events.ts';
import type { Outcome } from '../thread/outcome.ts';
import type { Turn } from '../worker/ports.ts';
import { wireName } from './tool-names.ts';

type Reply = Extract<Turn, { kind: 'reply' }>;
type Message = Extract<Turn, { kind: 'message' }>;
type Result = Extract<Turn, { kind: 'result' }>;

/** What the model is told about a call's outcome, and of arguments that a person put in; secrets are masked in both. */
export interface ResultWords {
  readonly resultText: (outcome: Outcome) => string;
  readonly argumentsText: (args: Json) => string;
}

/** A conversation whose calls and results do not fit together; it is a fault of ours, not of a model. */
export class BrokenTranscript extends Error {}

/** Throws BrokenTranscript unless every call has exactly one result directly behind its reply, and every result its call. */
export function checkPairs(conversation: readonly Turn[]): void {
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const turn of conversation) {
    if (turn.kind === 'result') {
      if (open.delete(turn.call)) continue;
      const why = seen.has(turn.call)
        ? 'has a second result, or one that does not stand behind its reply'
        : 'was never made';
      throw new BrokenTranscript(`Call ${turn.call} ${why}.`);
    }
    refuseOpen(open);
    if (turn.kind !== 'reply') continue;
    open = new Set();
    for (const { id } of turn.calls) {
      if (seen.has(id)) throw new BrokenTranscript(`Call ${id} stands twice in the conversation.`);
      seen.add(id);
      open.add(id);
    }
  }
  refuseOpen(open);
}

function refuseOpen(open: ReadonlySet<string>): void {
  if (open.size > 0) throw new BrokenTranscript(`No result directly behind its reply: call ${[...open].join(', ')}.`);
}

/** A display name on one line of at most 60 characters, without what would end the first line or its brackets. */
const plainName = (name: string): string =>
  name
    .replaceAll(/[\p{C}\p{Z}()]+/gu, ' ')
    .trim()
    .slice(0, 60)
    .toWellFormed();

const attributed = ({ author, name, text }: Message): string => `From ${plainName(name)} (${author}):\n${text}`;

/** Some servers parse the arguments of past calls, so what is no JSON object goes back wrapped in one. */
function objectText(args: string): string {
  try {
    const value: unknown = JSON.parse(args);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return args;
  } catch {
    // Wrapped below.
  }
  return JSON.stringify({ not_an_object: args });
}

const toolCall = (call: Reply['calls'][number]): ChatCompletionMessageFunctionToolCall => ({
  id: call.id,
  type: 'function',
  function: { name: wireName(call.tool), arguments: objectText(call.args) },
});

function replyMessages(reply: Reply): ChatCompletionMessageParam[] {
  if (reply.calls.length > 0)
    return [{ role: 'assistant', content: reply.text || null, tool_calls: reply.calls.map(toolCall) }];
  return reply.text === '' ? [] : [{ role: 'assistant', content: reply.text }];
}

/** A result; where a person had changed the arguments, the model is told what ran in place of what it had asked for. */
function resultMessage({ outcome, editedTo }: Result, { resultText, argumentsText }: ResultWords): string {
  const text = resultText(outcome);
  if (editedTo === undefined) return text;
  const edited = argumentsText(editedTo);
  if (outcome.is === 'done' || outcome.is === 'said_done')
    return `ran, with arguments changed by a person: ${edited}\n${text}`;
  // How such a text begins says what became of the call, so nothing is put in front of it.
  return `${text}\nA person had changed the arguments to: ${edited}`;
}

/**
 * The messages for a conversation, behind the system message. Throws BrokenTranscript (see `checkPairs`).
 */
export function messagesFor(
  system: string,
  conversation: readonly Turn[],
  words: ResultWords,
): ChatCompletionMessageParam[] {
  checkPairs(conversation);
  return [
    { role: 'system', content: system },
    ...conversation.flatMap((turn): ChatCompletionMessageParam[] => {
      switch (turn.kind) {
        case 'message':
          return [{ role: 'user', content: attributed(turn) }];
        case 'summary':
          return [{ role: 'user', content: `Summary of what came before, written by the software:\n${turn.text}` }];
        case 'task':
          return [{ role: 'user', content: `From the agent that gave you this task:\n${turn.text}` }];
        case 'reply':
          return replyMessages(turn);
        case 'result':
          return [{ role: 'tool', tool_call_id: turn.call, content: resultMessage(turn, words) }];
      }
    }),
  ];
}
