import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { alive } from './alive.ts';
import { project, type Project } from './project.ts';

const parent = fileURLToPath(new URL('./parent.ts', import.meta.url));
/** Ends of calls from which a command has 50 ms, beside the time that killing may take. */
const soon = ({ clock }: Project) => clock.nowMs() + 2_050;

test('a command and what it started end when Countersign is killed the hard way [T-A19a, F-E12]', async () => {
  const { root } = await project();
  const { holding, begun, gone } = alive(root);
  const countersign = spawn(process.execPath, [parent, root, 'sh', '-c', `${holding()} sleep 300 & sleep 300`]);
  await begun;
  countersign.kill('SIGKILL');
  await once(countersign, 'exit');
  expect(await gone).toBe('gone');
});

test('a command that outlives its time is ended with all that it started, and keeps what it wrote', async () => {
  const here = await project();
  const { holding, gone } = alive(here.root);
  const argv = ['sh', '-c', `${holding()} echo begun; sleep 300 & sleep 300`];
  expect(await here.run('execute', { argv }, { endsByMs: soon(here) })).toEqual({
    how: 'failed',
    effect: 'possible',
    code: 'timed_out',
    result: 'stopped after 0.1 s, its time limit\nbegun\n',
  });
  expect(await gone).toBe('gone');
});

test('a command is stopped by an abort, also when it ignores the first request [F-B15]', async () => {
  const { root, run } = await project();
  const { holding, begun, gone } = alive(root);
  const stop = new AbortController();
  const argv = ['sh', '-c', `trap '' TERM; ${holding()} echo begun; sleep 300 & sleep 300`];
  const running = run('execute', { argv }, { signal: stop.signal });
  await begun;
  stop.abort();
  expect(await running).toEqual({
    how: 'failed',
    effect: 'possible',
    code: 'aborted',
    result: 'stopped while it ran\nbegun\n',
  });
  expect(await gone).toBe('gone');
});

test('a command that ends well when it is asked to stop has still not been finished [F-B15]', async () => {
  const { root, run } = await project();
  const { holding, begun } = alive(root);
  const stop = new AbortController();
  const argv = ['sh', '-c', `trap 'echo cleaned up; exit 0' TERM; ${holding()} while :; do sleep 0.05; done`];
  const running = run('execute', { argv }, { signal: stop.signal });
  await begun;
  stop.abort();
  expect(await running).toMatchObject({
    how: 'failed',
    code: 'aborted',
    result: expect.stringContaining('cleaned up'),
  });
});

test('a command that is stopped before it begins has no effect [F-B15, F-I9]', async () => {
  const { execute, bind } = await project();
  const args = { argv: ['touch', 'ran'] };
  const stop = new AbortController();
  const running = execute('execute', args, { bind: await bind('execute', args), signal: stop.signal });
  stop.abort();
  expect(await running).toMatchObject({ how: 'failed', effect: 'none', code: 'aborted' });
});

test('what a command leaves running is ended with it, and that is said', async () => {
  const { root, run } = await project();
  const { holding, gone } = alive(root);
  expect(await run('execute', { argv: ['sh', '-c', `${holding()} sleep 300 & echo done`] })).toMatchObject({
    how: 'succeeded',
    result: 'done\n(Processes that it had left behind were ended.)',
  });
  expect(await gone).toBe('gone');
});

test('a flood of output is cut while it comes: start, end and count are kept [T-A19a]', async () => {
  const { end } = await project();
  const { result } = await end('execute', {
    argv: ['sh', '-c', 'echo first; head -c 200000000 /dev/zero | tr "\\0" x; echo last'],
  });
  expect(result).toMatch(/^first\nx+\n\[… 199,967,243 bytes left out …\]\nx+last\n$/);
  expect(Buffer.byteLength(result)).toBeLessThan(33_000);
});

test('when the supervisor itself is killed, the command is ended and its effect is possible [F-B7]', async () => {
  const { root, run } = await project();
  const { holding, begun, gone } = alive(root);
  const running = run('execute', { argv: ['sh', '-c', `sleep 0.2; ${holding('$PPID')} sleep 300 & sleep 300`] });
  process.kill(Number(await begun), 'SIGKILL');
  expect(await running).toMatchObject({
    how: 'failed',
    effect: 'possible',
    code: 'supervisor_lost',
    result: 'the process that watches over the command ended early',
  });
  expect(await gone).toBe('gone');
});

test('when the supervisor hangs, an abort still ends the command', async () => {
  const { root, run, clock } = await project();
  const { holding, begun, gone } = alive(root);
  const stop = new AbortController();
  const running = run(
    'execute',
    { argv: ['sh', '-c', `sleep 0.2; ${holding('$PPID')} sleep 300`] },
    { signal: stop.signal },
  );
  process.kill(Number(await begun), 'SIGSTOP');
  stop.abort();
  await clock.advance(4_000);
  expect(await running).toMatchObject({ how: 'failed', effect: 'possible', code: 'aborted' });
  expect(await gone).toBe('gone');
});
