import { expect, test } from 'vitest';
import { systemClock, systemFresh } from '../../src/compose/clock.ts';
import { inspectorOf, watchedLog } from '../../src/compose/inspector.ts';
import { MemoryTable, openMemoryLog } from '../../src/store/memory-log.ts';
import type { Event } from '../../src/thread/events.ts';
import { threadLog, workspaceLog, type ThreadKey, type WriterId } from '../../src/thread/ids.ts';

const key = { team: 'T1', channel: 'C1', ts: '1.2' } as ThreadKey;
const writer = 'node/1' as WriterId;
const NOTHING = { number: 0, hash: '' };
const lease: Event = { type: 'lease.taken', holder: writer, lengthMs: 1_000, body: {} };

function openLogs() {
  const options = { table: new MemoryTable(), macKey: null, clock: systemClock, fresh: systemFresh, writer };
  const heard: unknown[] = [];
  const kept = openMemoryLog(options);
  return { kept, heard, log: watchedLog(kept, place => heard.push(place)) };
}

test('the inspector reads a thread from its first commit on, and finds nothing of an unknown one', async () => {
  const { kept, log } = openLogs();
  expect(await inspectorOf(kept)(key)).toEqual({ commits: [], wakes: [] });
  const first = await log.append(threadLog(key), NOTHING, [lease], { dueAtMs: 7, open: [] });
  if (!('won' in first)) throw new Error('The first commit was lost.');
  await log.append(threadLog(key), first.won, [lease]);
  expect(await inspectorOf(kept)(key)).toMatchObject({
    commits: [{ number: 1 }, { number: 2, previous: first.won.hash }],
    wakes: [{ number: 1, dueAtMs: 7 }],
  });
});

test('whoever watches hears of each commit that a thread gets, not of lost ones and not of the workspace’s', async () => {
  const { log, heard } = openLogs();
  await log.append(threadLog(key), NOTHING, [lease]);
  expect(await log.append(threadLog(key), NOTHING, [lease])).toEqual({ lost: true });
  await log.append(workspaceLog(key.team), NOTHING, [{ type: 'trouble.closed', cause: 'x', body: {} }]);
  expect(heard).toEqual([{ channel: 'C1', ts: '1.2' }]);
});
