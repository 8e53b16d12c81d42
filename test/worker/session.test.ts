import { describe, expect, test } from 'vitest';
import { LogUnavailable, type Log } from '../../src/worker/ports.ts';
import { DANA, KEY, NullViews, World } from './rig.ts';
import { tapped } from './tapped-log.ts';

describe('a session', () => {
  test('has the same thread as the log, also where something was decided earlier than it was written', async () => {
    const world = new World();
    const process = world.process();
    world.answers.push(async () => {
      await world.clock.sleep(4_000);
      return { reply: { model: 'scripted', text: 'Hello.', calls: [], usage: { input: 1, output: 1 } } };
    });
    await process.say('hello', DANA);
    await world.clock.advance(5_000);
    await process.worker.idle();
    const own = await process.worker.inbox.read(KEY);
    expect(own.runs['r1']?.end?.how).toBe('succeeded');
    expect(own).toEqual(await world.thread());
  });

  test('shows of a run that ended at once only the time that stands in the log, also where that is written at the second attempt', async () => {
    const world = new World();
    world.guests.add(DANA);
    const shown = new Set<number>();
    class EndViews extends NullViews {
      override behind: NullViews['behind'] = ({ runs }) => {
        const end = runs['r1']?.end ?? null;
        return end !== null && !shown.has(end.atMs);
      };
      override reconcile: NullViews['reconcile'] = ({ runs }) => {
        if (runs['r1']?.end) shown.add(runs['r1'].end.atMs);
        return Promise.resolve({ posted: [], retryAtMs: null });
      };
    }
    let isAway = true;
    const log = tapped(world.log('node1/1'), {
      append: async (events, go) => {
        await world.clock.sleep(50);
        if (isAway && events.some(({ type }) => type === 'run.ended')) throw new LogUnavailable('No answer.');
        return go();
      },
    });
    const process = world.process('node1/1', { log, views: new EndViews() });
    await world.until(process.say('hello', DANA));
    await world.clock.advance(3_000);
    isAway = false;
    for (let look = 0; look < 12; look += 1) {
      await world.clock.advance(5_000);
      await world.until(process.worker.tick());
    }
    await world.until(process.worker.idle());
    const endedAtMs = (await world.thread()).runs['r1']?.end?.atMs;
    expect(endedAtMs).toBeDefined();
    expect([...shown]).toEqual([endedAtMs]);
  });

  test('looks after a commit of unknown outcome: when it lands a while later, the thread goes on without a signal', async () => {
    const world = new World();
    const inner = world.log('node1/1');
    let land: (() => Promise<unknown>) | undefined;
    const append: Log['append'] = (...request) => {
      if (land) return inner.append(...request);
      land = () => inner.append(...request);
      return Promise.reject(new LogUnavailable('No answer.'));
    };
    const log: Log = {
      append,
      load: (key, after) => inner.load(key, after),
      offerSnapshot: (key, head, state) => inner.offerSnapshot(key, head, state),
      putBlob: (key, bytes) => inner.putBlob(key, bytes),
      getBlob: (key, id, digest) => inner.getBlob(key, id, digest),
      due: (team, byMs) => inner.due(team, byMs),
      clearWake: entry => inner.clearWake(entry),
      putMark: (team, mark) => inner.putMark(team, mark),
      marksOf: (team, short) => inner.marksOf(team, short),
      lately: (team, person, count) => inner.lately(team, person, count),
    };
    const process = world.process('node1/1', { log });
    world.say('Hello.');
    await expect(process.say('hello', DANA)).rejects.toThrow(LogUnavailable);
    await world.clock.advance(60_000);
    await land?.();
    await world.clock.advance(30_000);
    await process.worker.idle();
    expect((await world.thread()).runs['r1']?.end?.how).toBe('succeeded');
  });
});
