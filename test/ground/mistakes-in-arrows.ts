import type { Mistake } from './sound-house.ts';

/** What the check of the import arrows must find. */
export const mistakesInArrows: readonly Mistake[] = [
  {
    what: 'the core that knows an adapter',
    path: 'src/thread/a.ts',
    text: `export * from '../slack/view.ts';\n`,
    says: 'thread-is-pure',
  },
  {
    what: 'the core that knows the file system',
    path: 'src/thread/b.ts',
    text: `export { readFile } from 'node:fs/promises';\n`,
    says: 'thread-is-pure',
  },
  {
    what: 'the core that knows a vendor',
    path: 'src/thread/c.ts',
    text: `export { default as C } from 'openai';\n`,
    says: 'thread-is-pure',
  },
  {
    what: 'the worker that knows an adapter, be it by a type',
    path: 'src/worker/d.ts',
    text: `import type { slackLog } from '../slack/view.ts';\n\nexport type D = typeof slackLog;\n`,
    says: 'worker-knows-only-thread',
  },
  {
    what: 'the worker that knows a vendor',
    path: 'src/worker/e.ts',
    text: `export { WebClient } from '@slack/web-api';\n`,
    says: 'worker-has-no-vendor',
  },
  {
    what: 'an adapter that knows another, when it is called',
    path: 'src/store/f.ts',
    text: `export const f = (): Promise<unknown> => import('../slack/view.ts');\n`,
    says: 'adapters-stand-alone',
  },
  {
    what: 'an adapter that knows more of the worker than its ports',
    path: 'src/tools/g.ts',
    text: `export { loop } from '../worker/loop.ts';\n`,
    says: 'adapters-stand-alone',
  },
  {
    what: 'a room that knows the embedded workspace',
    path: 'src/model/h.ts',
    text: `export * from '../local/workspace.ts';\n`,
    says: 'adapters-stand-alone',
  },
  {
    what: 'a room that knows a composition root',
    path: 'src/audit/i.ts',
    text: `export * from '../main.ts';\n`,
    says: 'roots-are-imported-by-nobody',
  },
  {
    what: 'a room without arrows of its own',
    path: 'src/utils/j.ts',
    text: `import { slackLog } from '../slack/view.ts';\nimport './k.ts';\n\nexport const j = slackLog;\n`,
    says: 'only-known-rooms',
  },
  {
    what: 'two files that need each other',
    path: 'src/policy/l.ts',
    text: `export { m } from './m.ts';\nexport const l = 1;\n`,
    says: 'no-cycles',
  },
  {
    what: 'a vendor outside its room',
    path: 'src/tools/n.ts',
    text: `export { default as N } from 'openai';\n`,
    says: 'openai-stays-in-model',
  },
  {
    what: 'a development package in the product',
    path: 'src/tools/o.ts',
    text: `export { default as O } from 'fast-check';\n`,
    says: 'no-development-packages-in-the-product',
  },
  {
    what: 'the page that needs Node',
    path: 'src/local/page/r.ts',
    text: `export { workspace } from '../workspace.ts';\n`,
    says: 'page-runs-in-the-browser',
  },
  {
    what: 'the product that needs a test',
    path: 'src/tools/p.ts',
    text: `export * from '../../test/support/p.ts';\n`,
    says: 'no-tests-in-the-product',
  },
  {
    what: 'an import of nothing',
    path: 'src/tools/q.ts',
    text: `export * from './nowhere.ts';\n`,
    says: 'nothing-unresolved',
  },
];
