/** Owns the words for why an answer was not taken. */
import type { Pen } from './context.ts';
import { ROOM } from './limits.ts';
import { t, words, type Line } from './line.ts';
import { cut } from './text/escape.ts';

/** The sentence of a code, or the tool's own words. */
export function misfitLine(pen: Pen, why: string): Line {
  const { misfit } = pen.texts.question;
  if (Object.hasOwn(misfit, why)) return misfit[why as keyof typeof misfit];
  const shown = cut(pen.show.line(why), ROOM.why).trim();
  return /[.!?。！？]$/u.test(shown) ? [words(shown)] : t`${words(shown)}.`;
}
