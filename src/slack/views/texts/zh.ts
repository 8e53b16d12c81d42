/** Every sentence that people read, in Chinese; the keys are those of the English table. */
import type { Texts } from './en.ts';
import * as card from './zh/card.ts';
import * as forms from './zh/forms.ts';
import * as question from './zh/question.ts';
import * as home from './zh/home.ts';
import * as lack from './zh/lack.ts';
import * as record from './zh/record.ts';
import * as refusals from './zh/refusals.ts';
import * as thread from './zh/thread.ts';
import * as words from './zh/words.ts';

export const zh: Texts = {
  ...words,
  ...card,
  ...thread,
  ...question,
  ...refusals,
  ...forms,
  ...home,
  ...lack,
  ...record,
};
