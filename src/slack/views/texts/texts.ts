/** Owns the choice of language; every table has the same keys. */
import { en, type Texts } from './en.ts';
import { zh } from './zh.ts';

export type { Texts } from './en.ts';
export type Language = 'en' | 'zh';

export const texts: { readonly [L in Language]: Texts } = { en, zh };
