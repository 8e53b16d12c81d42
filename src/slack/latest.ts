/** Owns how a map stays bounded: what was used longest ago goes. */

/** Puts a value at the end of the map, as the one used last; beyond `most` entries the first one goes. */
export function keepLatest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
