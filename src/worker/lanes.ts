/** Owns how many things of a kind are done at the same time. */

/** Does `work` with each item, at most `atOnce` at a time; the results in the order of the items. Throws what `work` throws. */
export async function inLanes<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return results;
}
