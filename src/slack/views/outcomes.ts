/**
 * Owns the one table of what a call can come to: sign, card status, thread line, push line and the model's result, side by
 * side in each row, so that no two of them can tell different stories.
 */
import type { Faces } from './face.ts';
import { callsNotRun } from './faces-not-run.ts';
import { callsThatRan } from './faces-ran.ts';
import { callsUnderWay } from './faces-under-way.ts';

/** The table. */
export const faces: Faces = { ...callsUnderWay, ...callsThatRan, ...callsNotRun };
