import { defineConfig } from 'vitest/config';
import { SkippedReporter } from './test/kit/skipped-reporter.ts';

/** As in vitest.config.ts. */
const hangs = 600_000;

export default defineConfig({
  test: {
    include: ['test/faults/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: '100%',
    reporters: ['default', new SkippedReporter()],
    testTimeout: hangs,
    hookTimeout: hangs,
  },
});
