import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { METHODS, OPEN_SOCKET } from '../../src/local/api/methods.ts';
import { BLOCK_TYPES } from '../../src/local/blocks/blocks.ts';
import { ELEMENT_TYPES } from '../../src/local/blocks/elements.ts';
import { DIFFERENCES, EVENT_COVERAGE, METHOD_COVERAGE } from '../../src/local/coverage.ts';
import { HUMAN_CALLS } from '../../src/local/human/human.ts';
import { api, openWorkspace } from './stage.ts';

const page = readFileSync(new URL('../../docs/embedded-workspace.md', import.meta.url), 'utf8');

test('every method on the coverage list is answered, and every method that is answered is on the list', async () => {
  const lines: string[] = [];
  const { url } = await openWorkspace({ log: line => lines.push(line) });
  expect(Object.keys(METHOD_COVERAGE).sort()).toEqual([...METHODS.keys(), OPEN_SOCKET].sort());
  for (const method of Object.keys(METHOD_COVERAGE)) {
    expect((await api(url, method))['error'], method).not.toBe('unknown_method');
  }
  expect(lines).toEqual([]);
});

test('a method that is not on the list answers unknown_method and is logged', async () => {
  const lines: string[] = [];
  const { url } = await openWorkspace({ log: line => lines.push(line) });
  expect(await api(url, 'chat.scheduleMessage', { channel: 'C0GENERAL' })).toEqual({
    ok: false,
    error: 'unknown_method',
  });
  expect(lines).toEqual(['The app called chat.scheduleMessage, which the embedded workspace does not know.']);
});

test('the documented table of people’s calls is the table of routes', () => {
  const documented = [...page.matchAll(/`(GET|POST) (\w+)/g)].map(([, method, name]) => `${method} ${name}`);
  expect([...new Set(documented)].sort()).toEqual([...HUMAN_CALLS].sort());
});

test('the documented blocks and elements are those that the validator takes', () => {
  const [blocks = '', elements = ''] = (/^Blocks: (.*)$/m.exec(page)?.[1] ?? '').split(' Elements: ');
  const named = (list: string) => [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(named(blocks)).toEqual(BLOCK_TYPES);
  expect(named(elements)).toEqual(ELEMENT_TYPES);
});

test('the documented differences from Slack are the listed ones', () => {
  expect(page.split('\n').filter(line => line.startsWith('- ') && !line.startsWith('- `'))).toEqual(
    DIFFERENCES.map(line => `- ${line}`),
  );
});

test('every event and interaction on the list says what it covers', () => {
  for (const [name, { covers }] of Object.entries({ ...EVENT_COVERAGE, ...METHOD_COVERAGE })) {
    expect(covers, name).not.toBe('');
  }
});
