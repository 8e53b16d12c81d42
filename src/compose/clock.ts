/** Owns the real clock and the real dice; everything else is given them. */
import { randomBytes } from 'node:crypto';
import { setTimeout as timeout } from 'node:timers/promises';
import type { Clock, Fresh } from '../worker/ports.ts';

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await timeout(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};

/** 160 random bits as 32 characters `[a-z0-9]`. */
export const systemFresh: Fresh = () =>
  BigInt(`0x${randomBytes(21).toString('hex')}`)
    .toString(36)
    .padStart(33, '0')
    .slice(-32);
