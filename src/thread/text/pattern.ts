/** Owns what a pattern of names means: `*` stands for any characters, everything else for itself. */

/** Whether a whole name fits a pattern; upper and lower case differ. */
export function fitsPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}
