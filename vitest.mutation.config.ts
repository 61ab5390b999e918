import { defineConfig } from 'vitest/config';

// The tables that hold judging to its rules. Generated pods take too long to be judged once for every mutant.
export default defineConfig({
  test: {
    include: ['test/unit/judge/**/*.test.ts'],
    exclude: ['test/unit/judge/judge.property.test.ts', 'test/unit/judge/naive/**'],
  },
});
