/** Every sentence that people read, in Chinese; the keys are those of the English table. */
import { en, type Texts } from './en.ts';
export const zh: Texts = en;
