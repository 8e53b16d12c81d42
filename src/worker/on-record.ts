/** Owns what a start puts on record by content: the policy's text, the agents' instructions and the tools' definitions. */
import { canonical, sha256 } from '../thread/digest.ts';
import type { WorkspaceEvent } from '../thread/events.ts';
import type { Digest } from '../thread/ids.ts';
import { at } from '../thread/thread.ts';
import type { Workspace } from '../thread/workspace.ts';
import type { Ports } from './ports.ts';

/** What of it the workspace's log does not have as the latest yet. */
export function notOnRecord(
  { policy, tools }: Pick<Ports, 'policy' | 'tools'>,
  workspace: Workspace,
): WorkspaceEvent[] {
  const loaded = isOnRecord(policy.loaded, workspace) ? [] : [loadedAs(policy.loaded)];
  const pinned = tools
    .definitions()
    .filter(({ server, tool, digest: own }) => at(workspace.tools, `${server}/${tool}`) !== own)
    .map(({ server, tool, digest: own, definition }): WorkspaceEvent => {
      return { type: 'tool.pinned', server, tool, digest: own, body: { definition } };
    });
  return [...loaded, ...pinned];
}

type Loaded = Ports['policy']['loaded'];

const digestsOf = (instructions: Loaded['instructions']): Readonly<Record<string, Digest>> =>
  Object.fromEntries(Object.entries(instructions ?? {}).map(([agent, text]) => [agent, sha256(text)]));

/** A file or instructions that have changed, in whatever way, are loaded anew. */
const isOnRecord = ({ digest, instructions }: Loaded, workspace: Workspace): boolean =>
  workspace.policy === digest && canonical(workspace.instructions) === canonical(digestsOf(instructions));

/** Without instructions the event has none. */
function loadedAs({ digest: policy, text, instructions = {} }: Loaded): WorkspaceEvent {
  if (Object.keys(instructions).length === 0) return { type: 'policy.loaded', policy, body: { text } };
  return { type: 'policy.loaded', policy, instructions: digestsOf(instructions), body: { text, instructions } };
}
