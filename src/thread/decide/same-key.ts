/** Owns what the same key means: the first result again for the same act, a refusal for another one. */
import type { ActorEvidence } from '../evidence.ts';
import type { Digest } from '../ids.ts';
import type { Problem } from '../refusal.ts';
import { at, type Thread } from '../thread.ts';

/**
 * Whether this person has acted under this key before: `repeated` where it was the same act (`content`) on the same thing
 * (`of`); undefined when the key is new, or somebody else's.
 */
export function sameKey(
  thread: Thread,
  { key, actor }: { readonly key: string; readonly actor: Pick<ActorEvidence, 'user'> },
  content: () => Digest,
  of: string,
): 'repeated' | Problem | undefined {
  const earlier = at(thread.decisions, key);
  if (!earlier || earlier.by !== actor.user) return undefined;
  return earlier.content === content() && earlier.of === of ? 'repeated' : { code: 'key_reused' };
}
