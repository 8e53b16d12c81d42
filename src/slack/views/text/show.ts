/** Owns nothing of its own: views show text as every other room does. */
export * from '../../../thread/text/show.ts';
