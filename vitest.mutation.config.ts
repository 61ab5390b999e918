import { defineConfig } from 'vitest/config';

// The tables that hold decisions to their rules. Generated pods take too long to be judged once for every mutant,
// and scripts that run in real processes too long to be started.
export default defineConfig({
  test: {
    testTimeout: 60_000,
    include: [
      'test/unit/judge/**/*.test.ts',
      'test/unit/plan/**/*.test.ts',
      'test/unit/methods/**/*.test.ts',
      'test/unit/policy/**/*.test.ts',
      'test/unit/apply/guard/**/*.test.ts',
      'test/unit/report/schema.test.ts',
    ],
    exclude: [
      'test/unit/judge/judge.property.test.ts',
      'test/unit/apply/guard/guard.property.test.ts',
      'test/unit/judge/naive/**',
      'test/unit/methods/signal-script.test.ts',
    ],
  },
});
