import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CannotStart } from '../../src/compose/cannot-start.ts';
import { systemFresh } from '../../src/compose/clock.ts';
import { takeNode, type Node } from '../../src/compose/node-lock.ts';
import { folder } from './stage.ts';

/** Takes the node of a folder in another process; resolves with its writer once it has it. */
async function holdElsewhere(where: string): Promise<{ child: ChildProcess; writer: string }> {
  const script = fileURLToPath(new URL('./hold-node.ts', import.meta.url));
  const child = spawn(process.execPath, [script, where], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, writer: chunk.toString().trim() };
}

const take = (where: string): Node => takeNode(where, systemFresh);
const idOf = (writer: string): string => writer.split('/')[0] ?? '';

describe('the node of a data folder', () => {
  it('keeps its id and key, and counts its boots', () => {
    const where = folder();
    const boots = [1, 2, 3].map(() => {
      const node = take(where);
      node.release();
      return node;
    });
    const id = idOf(boots[0]?.writer ?? '');
    expect(id).toMatch(/^[a-z0-9]{12}$/);
    expect(boots.map(({ writer }) => writer)).toEqual([`${id}/1`, `${id}/2`, `${id}/3`]);
    expect(boots[0]?.key).toHaveLength(32);
    expect(boots[2]?.key).toEqual(boots[0]?.key);
  });

  it('has another id and key in another folder', () => {
    const [one, other] = [take(folder()), take(folder())];
    expect(idOf(other.writer)).not.toBe(idOf(one.writer));
    expect(other.key).not.toEqual(one.key);
    for (const node of [one, other]) node.release();
  });

  it('is never held by two processes, and is free again when its process is killed', async () => {
    const where = folder();
    const { child, writer } = await holdElsewhere(where);
    expect(() => take(where)).toThrow(CannotStart);
    expect(() => take(where)).toThrow(
      `The data folder ${where} is in use by another process. End that one, or set COUNTERSIGN_DATA.`,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    const next = take(where);
    // Those who were refused have not counted as a boot.
    expect([writer, next.writer]).toEqual([`${idOf(writer)}/1`, `${idOf(writer)}/2`]);
    next.release();
  });

  it('is not held twice by one process either', () => {
    const where = folder();
    const node = take(where);
    expect(() => take(where)).toThrow('is in use by another process');
    node.release();
  });

  it('says so in a sentence when the folder cannot be used', () => {
    const where = folder();
    writeFileSync(join(where, 'file'), '');
    expect(() => take(join(where, 'file'))).toThrow(/^The data folder .*file cannot be used: /);
    mkdirSync(join(where, 'odd'));
    writeFileSync(
      join(where, 'odd', 'node.sqlite'),
      'not a database, but long enough to be looked at as one '.repeat(9),
    );
    expect(() => take(join(where, 'odd'))).toThrow(/^The data folder .*odd cannot be used: /);
  });
});
