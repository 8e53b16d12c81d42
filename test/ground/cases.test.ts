/**
 * Owns the list of cases that must hold here: faults that users of comparable software reported (F: what goes wrong between a
 * question and its answer; S: what goes wrong at Slack) and attacks, faults and doubts (T). Each has a test whose name ends
 * with its id in brackets; where the design decides otherwise, the name says so.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../support/repository.ts';

const idsIn = (list: string): string[] => list.trim().split(/\s+/);

/** Every one of these must stand in a test's name. */
const proved = idsIn(`
  F-A1 F-A2 F-A3 F-A4 F-A5 F-A6 F-A7 F-A8 F-A9 F-A10 F-A11 F-A12 F-A13 F-A14
  F-B1 F-B2 F-B3 F-B4 F-B5 F-B6 F-B7 F-B8 F-B9 F-B10 F-B11 F-B12 F-B14 F-B15 F-B16
  F-C1 F-C2 F-C3 F-C4 F-C6 F-C7 F-C8 F-C9 F-C10 F-C11 F-C12 F-C13 F-C14 F-C15 F-C17
  F-D1 F-D2 F-D4 F-D5 F-D7 F-D8 F-D9 F-D10 F-D11 F-D12 F-D15
  F-E1 F-E3 F-E4 F-E6 F-E8 F-E9 F-E10 F-E11 F-E12 F-E13 F-E14 F-E15 F-E16
  F-F1 F-F2 F-F3 F-F4 F-F5 F-F7
  F-G2 F-G4 F-G6
  F-H1 F-H3 F-H4 F-H8 F-H9 F-H10 F-H11
  F-I2 F-I3 F-I4 F-I5 F-I7 F-I9 F-I10 F-I11
  F-J1 F-J3 F-J4 F-J5 F-J6 F-J8
  F-K3 F-K4 F-K7 F-K8
  F-L1 F-L2 F-L3 F-L4 F-L6 F-L7 F-L9 F-L10 F-L12
  F-M1 F-M2 F-M4 F-M5 F-M6
  S-1 S-2 S-3 S-4 S-6 S-8 S-9 S-11 S-12 S-13 S-15 S-16 S-17 S-19 S-21 S-22 S-25 S-26 S-27 S-28 S-29 S-30 S-31 S-33 S-36
  S-39 S-41 S-42 S-43 S-44 S-46 S-47 S-48 S-49 S-50 S-52 S-55 S-58 S-59 S-60 S-61 S-62 S-63 S-64 S-66 S-68 S-69 S-70
  S-71 S-73 S-75 S-77 S-78 S-81 S-84 S-85 S-87 S-90 S-91 S-92
  T-A1a T-A1b T-A1c T-A2b T-A2c T-A2d T-A2e T-A3b T-A3c T-A4a T-A4c T-A4d T-A5a T-A5b T-A6a T-A6b T-A6c T-A7b T-A7e
  T-A7g T-A7h T-A8b T-A9a T-A9b T-A11 T-A12a T-A12b T-A12c T-A12d T-A13b T-A15b T-A15c T-A16b T-A16d T-A17a T-A17b
  T-A17c T-A19a T-A19b T-A20b T-A20c T-A20d T-A21a T-A21b T-A21c T-A23
  T-C1 T-C2 T-C6 T-C9 T-C10 T-C11 T-C16 T-C18 T-C19 T-C20 T-C21 T-C23
  T-D2 T-D4 T-D7 T-D11
`);

/** Cases of what Countersign does not do yet, by what they wait for; each comes with it, and moves up then. */
const later: Readonly<Record<string, string>> = {
  'foreign tool servers': 'T-A7a T-A7c T-A7d T-A7f T-A8a T-A10a T-A10b T-A18',
  'limits by person, cost and workspace': 'T-A22',
  'Slack over HTTP, queues and the schedule of the cloud': 'S-89 T-A14 T-C8 T-C14 T-C17',
  'threads beyond the size of a table item': 'T-C7',
  'audit: verification, anchors, export, evidence': 'T-D1 T-D3 T-D5 T-D8 T-D9 T-D10',
};

const ID = /^[FST]-[A-Z]?\d+[a-z]?$/;

/** The ids at the end of each test's name, with the files that they stand in; and brackets that hold something else beside. */
function named(): { readonly ids: Map<string, Set<string>>; readonly mixed: string[] } {
  const ids = new Map<string, Set<string>>();
  const mixed: string[] = [];
  for (const path of globSync('test/**/*.ts', { cwd: repositoryRoot })) {
    if (basename(path) === basename(import.meta.filename)) continue;
    for (const [brackets, inside = ''] of readFileSync(join(repositoryRoot, path), 'utf8').matchAll(
      /\[([^[\]'"`\n]*)\](?=['"`])/g,
    )) {
      const words = inside.split(', ');
      if (!words.some(word => ID.test(word))) continue;
      if (!words.every(word => ID.test(word))) mixed.push(`${path}: ${brackets}`);
      for (const word of words) ids.set(word, (ids.get(word) ?? new Set()).add(path));
    }
  }
  return { ids, mixed };
}

describe('the cases that must hold', () => {
  const { ids, mixed } = named();
  const waiting = Object.values(later).flatMap(idsIn);

  it('are each on one list, once', () => {
    const all = [...proved, ...waiting];
    expect(all.filter((id, index) => all.indexOf(id) !== index)).toEqual([]);
    expect(all.filter(id => !ID.test(id))).toEqual([]);
  });

  it('each stand in the name of a test', () => {
    expect(proved.filter(id => !ids.has(id))).toEqual([]);
  });

  it('stand in no test while they wait for what is not there yet', () => {
    expect(waiting.filter(id => ids.has(id))).toEqual([]);
  });

  it('are written in names as they are on the lists, and nothing else stands in their brackets', () => {
    const known = new Set([...proved, ...waiting]);
    const unknown = [...ids].filter(([id]) => !known.has(id)).map(([id, paths]) => `${id} in ${[...paths].join(', ')}`);
    expect(unknown).toEqual([]);
    expect(mixed).toEqual([]);
  });
});
