/**
 * What came to version 1 after `version-1-d.jsonl` was frozen: how many may still decide a request that waits, and what that
 * lacks. `version-1-e.jsonl` is frozen as well: it was made once, with FREEZE_VERSION_1_E=1 where it was missing, and is never
 * made again.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Scope } from '../../src/thread/events.ts';
import { fold } from '../../src/thread/fold.ts';
import { threadLog } from '../../src/thread/ids.ts';
import { recordOf } from '../../src/thread/record.ts';
import { emptyThread, type Approval } from '../../src/thread/thread.ts';
import { ANA, KEY, LEO, MIA, SRE, terms, World } from '../worker/rig.ts';
import { readItems, writeItems } from './items.ts';

const path = new URL('version-1-e.jsonl', import.meta.url);
const HOUR_MS = 3_600_000;
const LEADS: Scope = { name: 'leads', label: 'Leads', users: [ANA], groups: [] };
const group: Scope = { ...SRE, groups: ['S0SRE0001'] };

/** A request that takes two of SRE, and of Leads after an hour; Leo leaves, then everybody, then they are back. */
async function made(): Promise<World> {
  const world = new World();
  world.scopes = [group, LEADS];
  world.asks['execute'] = terms({
    quorum: 2,
    ladder: [
      { afterMs: 0, scopes: [group] },
      { afterMs: HOUR_MS, scopes: [LEADS] },
    ],
  });
  const process = world.process('node1/1');
  world.reply({ tool: 'execute', args: { argv: ['echo', 'hello'] } });
  await process.say('run echo hello');
  await process.settle();
  for (const left of [[LEO], [LEO, MIA, ANA], []]) {
    world.left.clear();
    for (const user of left) world.left.add(user);
    world.peopleChanged({ group: 'S0SRE0001' });
    await world.clock.advance(1_000);
    await process.settle();
  }
  return world;
}

if (!existsSync(path)) {
  if (process.env['FREEZE_VERSION_1_E'] !== '1')
    throw new Error('version-1-e.jsonl is missing. It is frozen: bring it back from the history.');
  writeItems(path, (await made()).table);
}

describe('what version 1 stores of people who come and go', () => {
  it('is how many may decide, and what that lacks until when; read and folded, and part of a whole record [F-K4]', async () => {
    const world = new World();
    readItems(path, world.table);
    const { commits } = await world.log('reader/1').load(threadLog(KEY));
    const thread = emptyThread(KEY);
    const seen: Pick<Approval, 'eligible' | 'lack'>[] = [];
    for (const commit of commits) {
      fold(thread, commit);
      const [approval] = Object.values(thread.approvals);
      if (commit.events.some(event => event.type === 'approval.rechecked') && approval)
        seen.push({ eligible: approval.eligible, ...(approval.lack ? { lack: approval.lack } : {}) });
    }
    const [approval] = Object.values(thread.approvals);
    if (!approval) throw new Error('Nothing was asked.');
    expect(seen).toEqual([
      { eligible: 1, lack: { code: 'quorum_impossible', fromMs: approval.requestedAtMs + HOUR_MS } },
      { eligible: 0, lack: { code: 'no_approvers', fromMs: null } },
      { eligible: 2 },
    ]);
    expect(recordOf(KEY, commits, approval.call)?.findings).toEqual([]);
  });
});
