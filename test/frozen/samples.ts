/** Owns logs that hold every event in many forms, in no sensible order. */
import fc from 'fast-check';
import { seal } from '../../src/thread/commit.ts';
import type { ThreadEvent } from '../../src/thread/events.ts';
import { threadLog, type ThreadKey, type WriterId } from '../../src/thread/ids.ts';
import { sealed } from '../../src/store/sealed.ts';
import { anyEvent } from '../thread/arbitrary.ts';
import type { World } from '../worker/rig.ts';

/** Seals every event in many forms into the log of `key`, with and without what it may leave out, and erased. */
export function sealSamples(
  world: World,
  key: ThreadKey,
  sample: { readonly seed: number; readonly numRuns: number },
): void {
  const log = threadLog(key);
  const events: readonly ThreadEvent[] = fc.sample(anyEvent, sample);
  let after = { number: 0, hash: '' };
  for (let at = 0; at < events.length; at += 5) {
    const draft = { after, atMs: world.clock.nowMs(), writer: 'node1/1' as WriterId, nonce: world.fresh(), salt: 's' };
    const { stored } = sealed(log, { ...draft, events: events.slice(at, at + 5) }, null);
    world.table.partition(log).commits.set(stored.number, stored);
    after = seal(log, { ...draft, events: events.slice(at, at + 5) });
  }
}
