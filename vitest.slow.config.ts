import { defineConfig } from 'vitest/config';
import { SkippedReporter } from './test/kit/skipped-reporter.ts';
import { slow } from './test/kit/slow.ts';

/** As in vitest.config.ts. */
const hangs = 600_000;

export default defineConfig({
  test: {
    include: [...slow],
    pool: 'forks',
    maxWorkers: '100%',
    reporters: ['default', new SkippedReporter()],
    testTimeout: hangs,
    hookTimeout: hangs,
  },
});
