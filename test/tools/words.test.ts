import { expect, test } from 'vitest';
import { words } from '../../src/tools/words.ts';

test('both languages have the same sentences, and every Chinese one is Chinese', () => {
  const { en, zh } = words;
  expect(Object.keys(zh).toSorted()).toEqual(Object.keys(en).toSorted());
  const foreign = Object.entries(zh).filter(([, sentence]) => !/\p{Script=Han}/u.test(String(sentence)));
  expect(foreign).toEqual([]);
});
