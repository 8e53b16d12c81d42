/**
 * Owns the seed of the property tests: the same at each run, so that a test fails for a change and not for its luck.
 * `PROPERTY_SEED=any` looks elsewhere at each run, `PROPERTY_SEED=<number>` at one place again (fast-check prints it).
 */
import fc from 'fast-check';

const seed = process.env.PROPERTY_SEED ?? '1';
if (seed !== 'any') fc.configureGlobal({ seed: Number(seed) });
