import type { Files, Packages } from '../support/planted-house.ts';

/** One mistake in a file of its own. */
export interface Mistake {
  readonly what: string;
  readonly path: string;
  readonly text: string;
  /** What the check must say, on one line with the file's path. */
  readonly says: string;
}

/** A house in which every check passes, and which does all that is allowed. */
export const soundHouse: Files = {
  'src/thread/fold.ts': `import { createHash } from 'node:crypto';
import dayjs from 'dayjs';
import { z } from 'zod';

export type Fold = z.infer<typeof fold>;
const fold = z.object({ at: z.number() });

/** Uses all that the core may use. */
export function digest(atMs: number): string {
  const at = dayjs(fold.parse({ at: atMs }).at).toISOString() + new Date(atMs).toISOString();
  return createHash('sha256').update(at).digest('hex');
}
`,
  'src/worker/ports.ts': `import type { Fold } from '../thread/fold.ts';

export interface Log {
  append(fold: Fold): Promise<void>;
}
`,
  'src/worker/loop.ts': `import type { Log } from './ports.ts';

export async function loop(log: Log): Promise<void> {
  await log.append({ at: 1 });
}
`,
  'src/slack/view.ts': `import { digest } from '../thread/fold.ts';
import type { Log } from '../worker/ports.ts';

export const slackLog: Log = { append: fold => Promise.resolve(void digest(fold.at)) };
`,
  'src/config/environment.ts': `export const port = process.env['PORT'] ?? '3000';
`,
  'src/main.ts': `import { port } from './config/environment.ts';
import { slackLog } from './slack/view.ts';
import { loop } from './worker/loop.ts';

await loop(slackLog);
process.stdout.write(port);
`,
  'src/local/page/main.ts': `document.title = 'Countersign';
`,
  'src/cli.ts': `import './main.ts';
`,
  'test/thread/fold.test.ts': `import { expect, it } from 'vitest';
import { digest } from '../../src/thread/fold.ts';

it('digests', () => {
  expect(digest(1)).toHaveLength(64);
});
`,
};
export const packages: Packages = {
  dependencies: ['dayjs', 'zod'],
  devDependencies: ['dependency-cruiser', 'knip', 'oxlint', 'prettier', 'typescript', 'vitest'],
};
/** With the packages that the arrows are about. */
export const packagesWithVendors: Packages = {
  dependencies: [...packages.dependencies, 'openai', '@slack/web-api'],
  devDependencies: [...packages.devDependencies, 'fast-check'],
};

/** Files that a planted mistake needs beside it, and that are no mistake alone. */
export const besides: Files = {
  'src/local/workspace.ts': `export const workspace = 1;\n`,
  'src/policy/m.ts': `export { l } from './l.ts';\nexport const m = 1;\n`,
  'src/utils/k.ts': `export const k = 1;\n`,
  'test/support/p.ts': `export const p = 1;\n`,
};
