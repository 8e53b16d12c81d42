/**
 * Owns the fold of a workspace's log: freeze, the policy and tool definitions in force, permissions that people gave, open
 * troubles and their messages.
 *
 * 1. Total, like `fold` of a thread.
 */
import type { Commit, Head } from './commit.ts';
import type { WorkspaceEvent } from './events.ts';
import type { Frozen, WorkspaceEvidence } from './evidence.ts';
import type { Grant } from './grant.ts';
import { grantFrom } from './grants.ts';
import type { ChannelId, Digest, MessageTs } from './ids.ts';
import { recordPost, type Post } from './post.ts';
import { at } from './thread.ts';

/**
 * Where somebody finds what a trouble is about: a message (a card, else the beginning of a thread), or a channel as a whole;
 * `short` is the id by which people call a request.
 */
export interface TroubleAbout {
  readonly channel: ChannelId;
  readonly ts?: MessageTs;
  readonly short?: string;
}

/** Something that an operator must know; open until it is over. */
interface Trouble {
  readonly cause: string;
  readonly code: string;
  readonly detail: string;
  readonly about: TroubleAbout | null;
  readonly openedAtMs: number;
  closedAtMs: number | null;
  times: number;
}

export interface Workspace {
  head: Head;
  frozen: Frozen | null;
  policy: Digest | null;
  /** Digests of the instructions that were loaded with it, by agent. */
  instructions: Readonly<Record<string, Digest>>;
  /** Digests of the tool definitions on record, by `<server>/<tool>`. */
  tools: Record<string, Digest>;
  /** Permissions by id; those that are used up, over or revoked among them. */
  grants: Record<string, Grant>;
  troubles: Record<string, Trouble>;
  posts: Record<string, Post>;
}

/** A workspace of which nothing is known yet. */
export const emptyWorkspace = (): Workspace => ({
  head: { number: 0, hash: '' },
  frozen: null,
  policy: null,
  instructions: {},
  tools: {},
  grants: {},
  troubles: {},
  posts: {},
});

/** Folds the next commit of a workspace's log, in place. */
export function foldWorkspace(workspace: Workspace, commit: Commit): Workspace {
  for (const event of commit.events) foldEvent(workspace, event as WorkspaceEvent, commit.atMs);
  workspace.head = { number: commit.number, hash: commit.hash };
  return workspace;
}

function foldEvent(workspace: Workspace, event: WorkspaceEvent, atMs: number): void {
  switch (event.type) {
    case 'policy.loaded':
      workspace.policy = event.policy;
      workspace.instructions = event.instructions ?? {};
      return;
    case 'freeze.set':
      workspace.frozen ??= { by: event.by, name: event.body?.name ?? '', why: event.body?.why ?? '', sinceMs: atMs };
      return;
    case 'freeze.cleared':
      workspace.frozen = null;
      return;
    case 'tool.pinned':
      workspace.tools[`${event.server}/${event.tool}`] = event.digest;
      return;
    case 'trouble.opened': {
      const earlier = at(workspace.troubles, event.cause);
      const open = earlier?.closedAtMs === null ? earlier : undefined;
      workspace.troubles[event.cause] = {
        cause: event.cause,
        code: event.code,
        detail: event.body?.detail ?? '',
        about: event.about ?? null,
        openedAtMs: open?.openedAtMs ?? atMs,
        closedAtMs: null,
        times: (open?.times ?? 0) + 1,
      };
      return;
    }
    case 'trouble.closed': {
      const trouble = at(workspace.troubles, event.cause);
      if (trouble) trouble.closedAtMs ??= atMs;
      return;
    }
    case 'message.posted':
      recordPost(workspace.posts, event);
      return;
    case 'grant.given': {
      const grant = grantFrom(event, atMs);
      if (grant && !at(workspace.grants, grant.grant)) workspace.grants[grant.grant] = grant;
      return;
    }
    case 'grant.used': {
      const grant = at(workspace.grants, event.grant);
      if (grant && !grant.used.includes(event.call)) grant.used.push(event.call);
      return;
    }
    case 'grant.revoked': {
      const grant = at(workspace.grants, event.grant);
      if (grant) grant.revoked ??= { by: event.by, atMs };
      return;
    }
    case 'tool.blocked':
      return;
  }
}

/** What deciding and rendering need of a workspace. */
export const evidenceOf = (workspace: Workspace): WorkspaceEvidence => ({
  version: workspace.head.number,
  frozen: workspace.frozen,
  grants: workspace.grants,
});
