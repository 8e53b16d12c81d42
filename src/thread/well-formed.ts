/**
 * Owns the one rule about text that is stored: it has no lone surrogates. They have no UTF-8, and so neither a digest nor a
 * place in the table.
 */

/** True when neither a text in this plain data nor a name has a lone surrogate. */
export function isWellFormed(data: unknown): boolean {
  if (typeof data === 'string') return data.isWellFormed();
  if (Array.isArray(data)) return data.every(isWellFormed);
  if (data === null || typeof data !== 'object') return true;
  return Object.entries(data).every(([name, value]) => name.isWellFormed() && isWellFormed(value));
}

/** The same plain data with U+FFFD for every lone surrogate; the data itself where there is none. */
export const wellFormed = <T>(data: T): T => (isWellFormed(data) ? data : (repaired(data) as T));

function repaired(data: unknown): unknown {
  if (typeof data === 'string') return data.toWellFormed();
  if (Array.isArray(data)) return data.map(repaired);
  if (data === null || typeof data !== 'object') return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name.toWellFormed(), repaired(value)]));
}
