/** Owns the messages to operators: one per cause of trouble, edited when it is over. */
import type { Content } from '../message.ts';
import * as block from './blocks.ts';
import { penOf, type RenderContext } from './context.ts';
import { ROOM } from './limits.ts';
import { plain } from './line.ts';
import { cut } from './text/escape.ts';

/** Trouble as it stands in the workspace log: `cause` says where, `code` what, `detail` more in other people's words. */
export interface Trouble {
  readonly cause: string;
  readonly code: string;
  readonly detail: string;
  readonly over: boolean;
}

/** The key of the message about a cause. */
export const troubleKey = (cause: string): string => `trouble/${cause}`;

/** The operators' message: what it means, what it is about, and small where it comes from. */
export function troubleContent(trouble: Trouble, context: RenderContext): Content {
  const pen = penOf(context);
  const { operators } = pen.texts;
  const { environment } = pen.context;
  const known = Object.hasOwn(operators, trouble.code) ? operators[trouble.code as keyof typeof operators] : undefined;
  const sentence = typeof known === 'string' ? known : operators.other;
  const line = trouble.over ? operators.closed(sentence) : operators.open(sentence);
  const cause = cut(pen.show.line(trouble.cause), ROOM.why);
  const code = cut(pen.show.line(trouble.code), ROOM.label * 2);
  const detail = cut(pen.show.text(trouble.detail), ROOM.result);
  return {
    text: cut(plain(line), ROOM.push),
    blocks: [
      block.ownSection([line]),
      ...(detail.trim() === '' ? [] : [block.preformatted(detail)]),
      block.fine([[cause, ...(cause.startsWith(code) ? [] : [code]), cut(environment, ROOM.label)].join(' · ')]),
    ],
  };
}
