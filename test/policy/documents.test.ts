import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadPolicyFile } from '../../src/policy/policy-file.ts';
import { repositoryRoot } from '../support/repository.ts';

/** The fenced YAML blocks of a page that are whole policy files. */
function filesIn(page: string): string[] {
  const text = readFileSync(join(repositoryRoot, page), 'utf8');
  return [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.startsWith('version:') ? [block] : [],
  );
}

test('every whole policy file in the documents is one that starts', () => {
  const files = [...filesIn('README.md'), ...filesIn('docs/rules.md')];
  expect(files.length).toBeGreaterThanOrEqual(2);
  for (const file of files) expect(loadPolicyFile(file, 'countersign.yaml')).toMatchObject({ ok: expect.anything() });
});
