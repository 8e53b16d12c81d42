/**
 * Owns how a rule names tools: a name, or a name in which `*` stands for any characters. Everything means only what it
 * says: there is no negation, no empty pattern, and "every tool" has to be written as `*`.
 */

/** What a pattern may hold: the characters of tool names, and `*`. */
const PATTERN = /^[A-Za-z0-9_.:/*-]{1,128}$/;

/** True when the text can stand in a rule's list of tools. */
export const isToolPattern = (pattern: string): boolean => PATTERN.test(pattern);

/** Whether a tool's whole name fits the pattern; upper and lower case differ. */
export function matchesTool(pattern: string, tool: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === tool;
  if (!tool.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = tool.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return tool.length - last.length >= from && tool.endsWith(last);
}
