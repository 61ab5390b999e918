import { defineConfig } from 'vitest/config';
import { SkippedReporter } from './test/kit/skipped-reporter.ts';
import { slow } from './test/kit/slow.ts';

/** Far more than any test takes on a slow, busy machine: only a test that hangs fails by it. */
const hangs = 600_000;

export default defineConfig({
  test: {
    pool: 'forks',
    // Most tests wait more than they work.
    maxWorkers: '100%',
    reporters: ['default', new SkippedReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: [...slow],
          // No test changes global state, and importing everything again for each file takes most of the time.
          isolate: false,
          testTimeout: hangs,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          exclude: [...slow],
          isolate: false,
          testTimeout: hangs,
          hookTimeout: hangs,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        // What is replayed in real time must not share the machine with other tests.
        test: {
          name: 'alone',
          include: ['test/cluster/**/*.test.ts'],
          maxWorkers: 1,
          testTimeout: hangs,
          hookTimeout: hangs,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
