/**
 * Owns how a rule names tools: a name, or a name in which `*` stands for any characters. Everything means only what it
 * says: there is no negation, no empty pattern, and "every tool" has to be written as `*`.
 */

/** What a pattern may hold: the characters of tool names, and `*`. */
const PATTERN = /^[A-Za-z0-9_.:/*-]{1,128}$/;

/** True when the text can stand in a rule's list of tools. */
export const isToolPattern = (pattern: string): boolean => PATTERN.test(pattern);
