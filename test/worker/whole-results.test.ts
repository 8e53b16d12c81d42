import { expect, test } from 'vitest';
import { sha256 } from '../../src/thread/digest.ts';
import type { CallId, Digest, ExecutionId, LogKey } from '../../src/thread/ids.ts';
import type { Outcome } from '../../src/thread/outcome.ts';
import { WholeResults } from '../../src/worker/whole-results.ts';

const KEY = 'thread#T1#C1#1.1' as LogKey;

const done = (id: string, blob: boolean): Extract<Outcome, { is: 'done' }> => ({
  is: 'done',
  ending: {
    execution: `${id}.1` as ExecutionId & CallId,
    how: 'succeeded',
    code: null,
    effect: 'none',
    startedAtMs: 0,
    endedAtMs: 1,
    result: 'the start',
    blob: blob ? { id, digest: sha256(id) as Digest, bytes: 10 } : null,
  },
});

/** Blobs of ten characters, and which were read. */
function blobs() {
  const read: string[] = [];
  const getBlob = (_: LogKey, id: string): Promise<Uint8Array> => {
    read.push(id);
    return Promise.resolve(Buffer.from(id.padEnd(10, '.')));
  };
  return { read, getBlob };
}

test('a large result is read from its blob once, and is the same object at the next turn', async () => {
  const log = blobs();
  const results = new WholeResults(log);
  const outcome = done('a', true);
  const [first, second] = [await results.of(KEY, outcome), await results.of(KEY, { ...outcome })];
  expect(first).toMatchObject({ is: 'done', ending: { result: 'a.........' } });
  expect('ending' in first && 'ending' in second && first.ending === second.ending).toBe(true);
  expect(log.read).toEqual(['a']);
});

test('a result that stands in the log, and an outcome without one, are given as they are', async () => {
  const log = blobs();
  const results = new WholeResults(log);
  const small = done('a', false);
  expect(await results.of(KEY, small)).toBe(small);
  expect(await results.of(KEY, { is: 'waiting' })).toEqual({ is: 'waiting' });
  expect(log.read).toEqual([]);
});

test('what is kept is bounded: the result used longest ago is read again', async () => {
  const log = blobs();
  const results = new WholeResults(log, 25);
  const [a, b, c] = [done('a', true), done('b', true), done('c', true)];
  for (const outcome of [a, b, a, c, a, b]) await results.of(KEY, outcome);
  expect(log.read).toEqual(['a', 'b', 'c', 'b']);
});
