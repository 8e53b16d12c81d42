/**
 * Owns every sentence that the tools write, in English and Chinese: summaries and impacts on cards, and results. What a
 * program printed, a file holds or an error of the system says stays as it is.
 */
import { en } from './words-en.ts';
import { zh } from './words-zh.ts';

export type Language = 'en' | 'zh';

/** All texts of one language; the compiler holds the languages to the same keys and arguments. */
export type Words = typeof en;

export const words: { readonly [L in Language]: Words } = { en, zh };
