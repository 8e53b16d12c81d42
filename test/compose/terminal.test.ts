import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { repositoryRoot } from '../support/repository.ts';
import { folder, shippedPolicy } from './stage.ts';

it('ends quietly when nobody reads on, as behind `| head`', async () => {
  const child = spawn(process.execPath, [join(repositoryRoot, 'src/cli.ts'), 'tools'], {
    cwd: folder(),
    env: { COUNTERSIGN_CONFIG: shippedPolicy },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  child.stdout.destroy();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(complaints).toBe('');
});
