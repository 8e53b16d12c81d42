import type { Mistake } from './sound-house.ts';

/** What the linter must find. */
export const mistakesInLint: readonly Mistake[] = [
  {
    what: 'a promise that nobody waits for',
    path: 'src/slack/a.ts',
    text: `import { slackLog } from './view.ts';\n\nslackLog.append({ at: 1 });\n`,
    says: 'no-floating-promises',
  },
  {
    what: 'a promise where a plain answer is expected',
    path: 'src/slack/b.ts',
    text: `export const b = (list: string[]): void => list.forEach(async one => await Promise.resolve(one));\n`,
    says: 'no-misused-promises',
  },
  {
    what: 'an await of something that is no promise',
    path: 'src/slack/c.ts',
    text: `export const c = async (one: number): Promise<number> => await one;\n`,
    says: 'await-thenable',
  },
  {
    what: 'any',
    path: 'src/slack/d.ts',
    text: `export const d = (one: any): string => \`\${one}\`;\n`,
    says: 'any',
  },
  {
    what: 'a silenced type error',
    path: 'src/slack/e.ts',
    text: `// @ts-ignore\nexport const e: number = 'one';\n`,
    says: 'ban-ts-comment',
  },
  {
    what: 'a double assertion',
    path: 'src/slack/f.ts',
    text: `export const f = (one: string): number => one as unknown as number;\n`,
    says: 'no-double-assertion',
  },
  {
    what: 'a value nobody has checked',
    path: 'src/slack/g.ts',
    text: `export const g = (text: string): string => JSON.parse(text);\n`,
    says: 'no-unsafe-return',
  },
  {
    what: 'a state that a switch forgets',
    path: 'src/slack/h.ts',
    text: `export function h(state: 'done' | 'failed'): void {\n  switch (state) {\n    case 'done':\n  }\n}\n`,
    says: 'switch-exhaustiveness-check',
  },
  {
    what: 'the environment read outside src/config',
    path: 'src/slack/i.ts',
    text: `export const i = process.env['SLACK_BOT_TOKEN'];\n`,
    says: 'no-process-env',
  },
  {
    what: 'the environment read by its other name',
    path: 'src/slack/j.ts',
    text: `import { env } from 'node:process';\n\nexport const j = env['SLACK_BOT_TOKEN'];\n`,
    says: 'no-restricted-imports',
  },
  {
    what: 'a file of more than 300 lines',
    path: 'src/slack/k.ts',
    text: Array.from({ length: 301 }, (_, n) => `export const k${n} = ${n};\n`).join(''),
    says: 'max-lines',
  },
  {
    what: 'the clock in the core',
    path: 'src/thread/l.ts',
    text: `export const l = (): number => Date.now();\n`,
    says: 'no-restricted-properties',
  },
  {
    what: 'the clock in the core, as a new Date',
    path: 'src/thread/m.ts',
    text: `export const m = (): Date => new Date();\n`,
    says: 'no-clock',
  },
  {
    what: 'the clock in the core, through dayjs',
    path: 'src/thread/n.ts',
    text: `import dayjs from 'dayjs';\n\nexport const n = (): number => dayjs().valueOf();\n`,
    says: 'no-clock',
  },
  {
    what: 'dice in the core',
    path: 'src/policy/o.ts',
    text: `export const o = (): number => Math.random();\n`,
    says: 'no-restricted-properties',
  },
  {
    what: 'a random id in the core',
    path: 'src/thread/p.ts',
    text: `import { randomUUID } from 'node:crypto';\n\nexport const p = (): string => randomUUID();\n`,
    says: 'no-restricted-imports',
  },
  {
    what: 'waiting in the core',
    path: 'src/policy/q.ts',
    text: `export const q = (then: () => void): unknown => setTimeout(then, 1);\n`,
    says: 'no-restricted-globals',
  },
  {
    what: 'the environment in the core',
    path: 'src/policy/r.ts',
    text: `export const r = process.env['LANG'];\n`,
    says: 'no-restricted-globals',
  },
  {
    what: 'the stop-watch in the core',
    path: 'src/thread/s.ts',
    text: `export const s = (): number => performance.now();\n`,
    says: 'no-restricted-globals',
  },
  {
    what: 'a test that shuts out all others',
    path: 'test/t.test.ts',
    text: `import { it } from 'vitest';\n\nit.only('alone', () => undefined);\n`,
    says: 'no-focused-tests',
  },
];
