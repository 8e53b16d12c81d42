/** Owns what a record takes from the workspace's log: when a policy was loaded, which server a definition belongs to. Pure. */
import type { Commit } from '../commit.ts';
import type { WorkspaceEvent } from '../events.ts';
import type { RecordSources } from './doc.ts';

/** What a workspace's whole log tells of policies and definitions. */
export function sourcesIn(commits: readonly Commit[]): RecordSources {
  const policies = new Map<string, number>();
  const servers = new Map<string, string>();
  for (const { events, atMs } of commits)
    for (const event of events as readonly WorkspaceEvent[]) {
      if (event.type === 'policy.loaded' && !policies.has(event.policy)) policies.set(event.policy, atMs);
      if (event.type === 'tool.pinned') servers.set(event.digest, event.server);
    }
  return {
    policyLoadedAtMs: policy => policies.get(policy) ?? null,
    serverOf: definition => servers.get(definition) ?? null,
  };
}
