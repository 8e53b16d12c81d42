/** Owns what a record takes from the workspace's log: when policies and instructions were loaded, whose a definition is. Pure. */
import type { Commit } from '../commit.ts';
import type { WorkspaceEvent } from '../events.ts';
import type { Digest } from '../ids.ts';

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
