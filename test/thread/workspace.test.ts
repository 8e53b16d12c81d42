import { describe, expect, test } from 'vitest';
import { seal } from '../../src/thread/commit.ts';
import { digestOf } from '../../src/thread/digest.ts';
import type { WorkspaceEvent } from '../../src/thread/events.ts';
import { workspaceLog } from '../../src/thread/ids.ts';
import { emptyWorkspace, evidenceOf, foldWorkspace, type Workspace } from '../../src/thread/workspace.ts';
import { ANA, ME, MIA, TEAM } from './stage.ts';

const append = (workspace: Workspace, atMs: number, ...events: WorkspaceEvent[]): Workspace => {
  const draft = { after: workspace.head, events, atMs, writer: ME, nonce: `n${atMs}`, salt: 's' };
  return foldWorkspace(workspace, seal(workspaceLog(TEAM), draft));
};
const freeze = (by = ANA): WorkspaceEvent => ({
  type: 'freeze.set',
  by,
  body: { why: 'bad deploy', name: 'Ana Ruiz' },
});

describe('a workspace', () => {
  test('is frozen by the first who says so, until it is cleared; its version is the last commit’s number', () => {
    const workspace = append(emptyWorkspace(), 1, freeze());
    append(workspace, 2, freeze(MIA));
    expect(evidenceOf(workspace)).toEqual({
      version: 2,
      frozen: { by: ANA, name: 'Ana Ruiz', why: 'bad deploy', sinceMs: 1 },
      grants: {},
    });
    append(workspace, 3, { type: 'freeze.cleared', by: ANA, body: { name: 'Ana Ruiz' } });
    expect(evidenceOf(workspace)).toEqual({ version: 3, frozen: null, grants: {} });
  });

  test('counts the same trouble as one until it is over, and again as a new one afterwards', () => {
    const open: WorkspaceEvent = {
      type: 'trouble.opened',
      cause: 'table',
      code: 'table_unavailable',
      body: { detail: 'd' },
    };
    const workspace = append(append(emptyWorkspace(), 1, open), 2, open);
    expect(workspace.troubles['table']).toMatchObject({ openedAtMs: 1, closedAtMs: null, times: 2 });
    append(workspace, 3, { type: 'trouble.closed', cause: 'table', body: {} });
    append(workspace, 4, { type: 'trouble.closed', cause: 'other', body: {} });
    expect(workspace.troubles['table']).toMatchObject({ closedAtMs: 3 });
    append(workspace, 5, open);
    expect(workspace.troubles['table']).toMatchObject({ openedAtMs: 5, closedAtMs: null, times: 1 });
  });

  test('keeps policy and tool definitions by content; two servers’ tools of one name are two [T-A7h]', () => {
    const pin = (server: string, text: string): WorkspaceEvent => ({
      type: 'tool.pinned',
      tool: 'get',
      server,
      digest: digestOf(text),
      body: { definition: text },
    });
    const workspace = append(emptyWorkspace(), 1, pin('a', 'x'), pin('b', 'y'));
    append(workspace, 2, { type: 'policy.loaded', policy: digestOf('p'), body: { text: 'p' } });
    expect(workspace.tools).toEqual({ 'a/get': digestOf('x'), 'b/get': digestOf('y') });
    expect(workspace.policy).toBe(digestOf('p'));
  });

  test('keeps every grant: whom it is for, what used it, each call once, and who revoked it first [F-M1]', () => {
    const grant = 'G'.repeat(26);
    const given: WorkspaceEvent = {
      type: 'grant.given',
      grant,
      by: MIA,
      tool: 'execute',
      toolDigest: digestOf('execute'),
      untilMs: 9,
      uses: 2,
      who: ANA,
      where: { channel: null, thread: null },
      body: { sentence: 'For a while.', pattern: { n: 0 }, name: 'Mia Chen' },
    };
    const use = (call: string): WorkspaceEvent => ({ type: 'grant.used', grant, call: call as never, body: {} });
    const workspace = append(emptyWorkspace(), 1, given);
    append(workspace, 2, use('a'), use('a'), { ...use('b'), grant: '__proto__' } as WorkspaceEvent);
    append(workspace, 3, { ...given, by: ANA, uses: 99 } as WorkspaceEvent);
    append(workspace, 4, { type: 'grant.revoked', grant, by: ANA, body: {} });
    append(workspace, 5, { type: 'grant.revoked', grant, by: MIA, body: {} });
    expect(evidenceOf(workspace).grants).toMatchObject({
      [grant]: { by: MIA, uses: 2, used: ['a'], pattern: { n: 0 }, givenAtMs: 1, revoked: { by: ANA, atMs: 4 } },
    });
  });
});
