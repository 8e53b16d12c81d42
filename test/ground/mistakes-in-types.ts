import type { Mistake } from './sound-house.ts';

/** What the compiler must find, in what Node runs. */
export const mistakesInTypes: readonly Mistake[] = [
  {
    what: 'a value of the wrong type',
    path: 'src/store/a.ts',
    text: `export const a: number = 'one';\n`,
    says: 'TS2322',
  },
  {
    what: 'syntax that Node cannot strip',
    path: 'src/store/b.ts',
    text: `export enum B {\n  One,\n}\n`,
    says: 'TS1294',
  },
  {
    what: 'an element that may be missing',
    path: 'src/store/c.ts',
    text: `export const first = (list: string[]): string => list[0];\n`,
    says: 'TS2322',
  },
  {
    what: 'an import without its ending',
    path: 'src/store/d.ts',
    text: `export * from '../thread/fold';\n`,
    says: 'TS2835',
  },
];

/** What the compiler must find, in what the browser runs. */
export const mistakesInPageTypes: readonly Mistake[] = [
  {
    what: 'a value of the wrong type in the page',
    path: 'src/local/page/e.ts',
    text: `export const e: number = document.title;\n`,
    says: 'TS2322',
  },
];
