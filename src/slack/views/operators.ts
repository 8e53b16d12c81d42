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

/** The operators' message. */
export function troubleContent(trouble: Trouble, context: RenderContext): Content {
  const pen = penOf(context);
  const { operators } = pen.texts;
  const known = Object.hasOwn(operators, trouble.code) ? operators[trouble.code as keyof typeof operators] : undefined;
  const sentence = typeof known === 'string' ? known : operators.other;
  const line = trouble.over ? operators.closed(sentence) : operators.open(sentence);
  const detail = cut(pen.show.text(trouble.detail), ROOM.result);
  const where = operators.detail(
    cut(pen.show.line(trouble.code), ROOM.label * 2),
    cut(pen.show.line(trouble.cause), ROOM.why),
  );
  return {
    text: cut(plain(line), ROOM.push),
    blocks: [
      block.ownSection([line]),
      block.preformatted(detail.trim() === '' ? where : `${where}\n${detail}`),
      block.fine([cut(pen.context.environment, ROOM.label)]),
    ],
  };
}
