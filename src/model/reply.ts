/**
 * Owns how a reply is put together from what a server sends, streamed or whole, and what its end marker means.
 *
 * 1. Without an end marker (`finish_reason`) there is no reply, whatever was received.
 * 2. What was cut off is never passed on as if it were whole: calls of a cut reply are dropped, cut text says so.
 * 3. A malformed call (no name, arguments that are not JSON) is passed on as it is, for the core to refuse.
 */
import { z } from 'zod';
import type { ModelAnswer, ModelReply } from '../worker/ports.ts';

/** More than this (UTF-8 bytes of text and arguments) is not taken in; a commit holds less than 400 KB. */
const MAX_REPLY_BYTES = 256 * 1024;

const callSchema = z.object({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.json().nullish() }).nullish(),
});
const partSchema = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(callSchema).nullish(),
});
const choiceSchema = z.object({
  index: z.number().nullish(),
  delta: partSchema.nullish(),
  message: partSchema.nullish(),
  finish_reason: z.string().nullish(),
});
/** A chunk of a stream or a whole completion: the same but for `delta` and `message`. */
const pieceSchema = z.object({
  model: z.string().nullish(),
  choices: z.array(choiceSchema).nullish(),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
});

interface OpenCall {
  readonly index: number | null;
  id: string;
  tool: string;
  args: string;
}

/** What has been received of one reply. */
export class Assembly {
  #model = '';
  #text = '';
  readonly #calls: OpenCall[] = [];
  #finish: string | null = null;
  #usage: ModelReply['usage'] | null = null;
  #bytes = 0;

  /** Takes in a chunk or a whole completion; `garbled` when it has another shape, `full` when the reply has become too long. */
  add(piece: unknown): 'taken' | 'garbled' | 'full' {
    const parsed = pieceSchema.safeParse(piece);
    if (!parsed.success) return 'garbled';
    const { model, choices, usage } = parsed.data;
    if (model) this.#model = model;
    if (usage) this.#usage = { input: wholeCount(usage.prompt_tokens), output: wholeCount(usage.completion_tokens) };
    for (const choice of choices ?? []) {
      if ((choice.index ?? 0) !== 0) continue;
      const part = choice.delta ?? choice.message;
      this.#addText(part?.content ?? '');
      this.#addText(part?.refusal ?? '');
      for (const call of part?.tool_calls ?? []) this.#addCall(call);
      if (choice.finish_reason) this.#finish = choice.finish_reason;
    }
    return this.#bytes > MAX_REPLY_BYTES ? 'full' : 'taken';
  }

  /** True once the end marker has come. */
  get ended(): boolean {
    return this.#finish !== null;
  }

  /** The text so far, without the half of a character that may stand at its end. */
  get text(): string {
    return this.#text.replace(/[\u{D800}-\u{DBFF}]$/u, '').toWellFormed();
  }

  /** The answer. `asked` stands in for a model or usage that the server does not name (tokens: a quarter of the characters). */
  answer(asked: { readonly model: string; readonly characters: () => number }): ModelAnswer {
    switch (this.#finish) {
      case null:
        return { away: 'model_cut_off' };
      case 'content_filter':
        return { refused: 'content_filter', detail: 'The server held the reply back.' };
      case 'error':
      case 'abort':
      case 'cancelled':
        return { away: 'model_error' };
      case 'length':
        if (this.#calls.length > 0 || this.#text === '')
          return { refused: 'reply_cut_off', detail: 'The reply reached the length limit before it was complete.' };
        return { reply: this.#reply(asked, `${this.#text} […]`) };
      default:
        if (this.#calls.length === 0 && this.#text.trim() === '') return { away: 'model_empty' };
        return { reply: this.#reply(asked, this.#text) };
    }
  }

  #addText(text: string): void {
    this.#text += text;
    this.#bytes += Buffer.byteLength(text);
  }

  #addCall(delta: z.infer<typeof callSchema>): void {
    const call = this.#callFor(delta);
    const args = delta.function?.arguments ?? '';
    const text = typeof args === 'string' ? args : JSON.stringify(args);
    call.id ||= delta.id ?? '';
    call.tool ||= delta.function?.name ?? '';
    call.args += text;
    this.#bytes += Buffer.byteLength(text) + Buffer.byteLength(delta.function?.name ?? '');
  }

  /** By index. Some servers give every parallel call the same index, or none: there a new id with a name starts a new call. */
  #callFor(delta: z.infer<typeof callSchema>): OpenCall {
    const index = delta.index ?? null;
    const known = index === null ? this.#calls.at(-1) : this.#calls.findLast(call => call.index === index);
    const isAnother = Boolean(delta.id && delta.function?.name) && known?.id !== delta.id;
    if (known && !isAnother) return known;
    const call = { index, id: '', tool: '', args: '' };
    this.#calls.push(call);
    return call;
  }

  #reply(asked: { readonly model: string; readonly characters: () => number }, text: string): ModelReply {
    const written = this.#text.length + this.#calls.reduce((sum, call) => sum + call.args.length, 0);
    return {
      model: this.#model || asked.model,
      text: text.toWellFormed(),
      calls: this.#calls.map(({ tool, args }) => ({
        tool: tool.toWellFormed(),
        args: args.trim() === '' ? '{}' : args.toWellFormed(),
      })),
      usage: this.#usage ?? { input: Math.ceil(asked.characters() / 4), output: Math.ceil(written / 4) },
    };
  }
}

const wholeCount = (value: number): number => (Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0);
