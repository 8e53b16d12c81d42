import { defineConfig } from 'vitest/config';

// Made for two cores. First what computes (rooms and simulation), then what starts processes and a browser, one file at
// a time, so that neither makes the other slow. Timeouts are there to end a hang, not to measure.
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    setupFiles: ['./test/support/properties.ts'],
    // Sockets, processes and a browser share two cores: one more try tells a fault from a slow moment.
    retry: 1,
    reporters: ['default', './test/support/plain-line-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'rooms',
          include: ['test/**/*.test.ts'],
          exclude: ['test/{e2e,simulation,bench}/**'],
          testTimeout: 20_000,
          hookTimeout: 20_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'simulation',
          include: ['test/simulation/**/*.test.ts'],
          testTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
