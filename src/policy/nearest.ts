/** Owns the question "did you mean …?" for names that are not known. */

/** ` (did you mean quorum?)` for the one known name that is at most two typing mistakes away; else nothing. */
export function nearest(word: string, known: Iterable<string>): string {
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    if (!/^[A-Za-z]/.test(name)) continue;
    const distance = mistakes(word.toLowerCase(), name.toLowerCase());
    if (!best || distance < best.distance) best = { name, distance };
  }
  if (!best || best.distance > 2 || best.distance * 2 > word.length) return '';
  return ` (did you mean ${best.name}?)`;
}

/** Letters to add, drop, change or swap with their neighbour to get from one word to the other. */
function mistakes(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > 2) return 3;
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row++) {
    const above = rows[row - 1] ?? [];
    const line = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const options = [(above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1, (above[column - 1] ?? 0) + same];
      if (from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
        options.push((rows[row - 2]?.[column - 2] ?? 9) + 1);
      line.push(Math.min(...options));
    }
    rows.push(line);
  }
  return rows[from.length]?.[to.length] ?? 3;
}
