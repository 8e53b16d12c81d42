/** Owns what a record takes from the workspace's log: policies, instructions and definitions, since when, whose. Pure. */
import type { Commit } from '../commit.ts';
import { canonical } from '../digest.ts';
import type { WorkspaceEvent } from '../events.ts';
import type { Digest } from '../ids.ts';
import { at } from '../thread.ts';

/** What a record may say beside its thread's log. */
export interface RecordSources {
  /** When a policy was loaded first; null when it is not known. */
  readonly policyLoadedAtMs?: (policy: Digest) => number | null;
  /** When instructions were loaded first; null when it is not known. */
  readonly instructionsLoadedAtMs?: (instructions: Digest) => number | null;
  /** The server of a tool's definition; null when it is not known. */
  readonly serverOf?: (definition: Digest) => string | null;
}

/** What a workspace's whole log tells of policies, instructions and definitions. */
export function sourcesIn(commits: readonly Commit[]): RecordSources {
  const loaded = new Map<string, number>();
  const servers = new Map<string, string>();
  for (const { events, atMs } of commits)
    for (const event of events as readonly WorkspaceEvent[]) {
      if (event.type === 'policy.loaded')
        for (const digest of [event.policy, ...Object.values(event.instructions ?? {})])
          if (!loaded.has(digest)) loaded.set(digest, atMs);
      if (event.type === 'tool.pinned') servers.set(event.digest, event.server);
    }
  return {
    policyLoadedAtMs: policy => loaded.get(policy) ?? null,
    instructionsLoadedAtMs: instructions => loaded.get(instructions) ?? null,
    serverOf: definition => servers.get(definition) ?? null,
  };
}

/** The texts that a workspace's log keeps by content: policies, instructions, and definitions as canonical JSON. */
export function textsIn(commits: readonly Commit[]): ReadonlyMap<Digest, string> {
  const texts = new Map<Digest, string>();
  for (const event of commits.flatMap(({ events }) => events as readonly WorkspaceEvent[])) {
    if (event.type === 'policy.loaded' && event.body) {
      texts.set(event.policy, event.body.text);
      for (const [agent, digest] of Object.entries(event.instructions ?? {})) {
        const text = at(event.body.instructions ?? {}, agent);
        if (text !== undefined) texts.set(digest, text);
      }
    }
    if (event.type === 'tool.pinned' && event.body) texts.set(event.digest, canonical(event.body.definition));
  }
  return texts;
}
