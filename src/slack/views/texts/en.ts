/**
 * Every sentence that people read, in English. Whatever is not ours comes in as a part of a line, so that the table holds no
 * escaping and no markup. The Chinese table has the same keys, held to them by the compiler and a test.
 */
import * as card from './en/card.ts';
import * as forms from './en/forms.ts';
import * as question from './en/question.ts';
import * as home from './en/home.ts';
import * as lack from './en/lack.ts';
import * as record from './en/record.ts';
import * as refusals from './en/refusals.ts';
import * as thread from './en/thread.ts';
import * as words from './en/words.ts';

export const en = { ...words, ...card, ...thread, ...question, ...refusals, ...forms, ...home, ...lack, ...record };

/** All sentences of one language. */
export type Texts = typeof en;
