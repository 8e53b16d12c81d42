/** Owns what a start puts on record by content: the policy's text and the tools' definitions. */
import type { WorkspaceEvent } from '../thread/events.ts';
import { at } from '../thread/thread.ts';
import type { Workspace } from '../thread/workspace.ts';
import type { Ports } from './ports.ts';

/** What of it the workspace's log does not have as the latest yet. */
export function notOnRecord(
  { policy, tools }: Pick<Ports, 'policy' | 'tools'>,
  workspace: Workspace,
): WorkspaceEvent[] {
  const { digest, text } = policy.loaded;
  const loaded: WorkspaceEvent[] =
    workspace.policy === digest ? [] : [{ type: 'policy.loaded', policy: digest, body: { text } }];
  const pinned = tools
    .definitions()
    .filter(({ server, tool, digest: own }) => at(workspace.tools, `${server}/${tool}`) !== own)
    .map(({ server, tool, digest: own, definition }): WorkspaceEvent => {
      return { type: 'tool.pinned', server, tool, digest: own, body: { definition } };
    });
  return [...loaded, ...pinned];
}
