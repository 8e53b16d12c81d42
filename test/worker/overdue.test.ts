import { describe, expect, test } from 'vitest';
import type { WorkspaceEvent } from '../../src/thread/events.ts';
import type { Operators } from '../../src/worker/ports.ts';
import { ANA, World } from './rig.ts';

const freeze: WorkspaceEvent = { type: 'freeze.set', by: ANA, body: { why: 'bad deploy', name: 'Ana Ruiz' } };
const thaw: WorkspaceEvent = { type: 'freeze.cleared', by: ANA, body: { name: 'Ana Ruiz' } };

describe('an approved call that does not run', () => {
  test('for five minutes is told to operators, not before, once per cause; and taken back when it has run [S-61]', async () => {
    const world = new World();
    const open = new Map<string, string>();
    const told: string[] = [];
    const operators: Operators = {
      report: (cause, code, detail) => {
        if (!open.has(cause)) told.push(`${code}: ${detail}`);
        open.set(cause, code);
      },
      resolved: cause => void open.delete(cause),
    };
    const process = world.process('node1/1', { operators });
    world.reply({ tool: 'execute' });
    world.say('Done.');
    await process.say('run it');
    await process.settle();
    await process.click('approve');
    await world.workspace(freeze);
    await process.settle();
    const look = async (afterMs: number): Promise<void> => {
      await world.clock.advance(afterMs);
      await process.worker.tick();
      await process.settle();
    };
    await look(4 * 60_000);
    expect(world.ran).toHaveLength(0);
    expect([...open.values()]).toEqual([]);
    for (let n = 0; n < 4; n += 1) await look(60_000);
    expect(told).toEqual(['approved_not_run: Run execute']);
    expect([...open.values()]).toEqual(['approved_not_run']);
    await world.workspace(thaw);
    await look(60_000);
    expect(world.ran).toHaveLength(1);
    expect([...open.values()]).toEqual([]);
    expect(told).toHaveLength(1);
  });
});
