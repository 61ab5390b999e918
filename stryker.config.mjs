/** Mutation testing of the judging folder: `npm run mutation`; its last result is in docs/mutation.md. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'vitest.mutation.config.ts' },
  mutate: ['src/judge/**/*.ts'],
  coverageAnalysis: 'perTest',
  concurrency: 2,
  reporters: ['clear-text', 'json'],
  thresholds: { high: 95, low: 90, break: 90 },
  ignorePatterns: ['dist', 'bench', 'manifests'],
  // Stryker rewrites it with a part of the TypeScript package that version 7 does not have. Nothing here needs it.
  tsconfigFile: 'tsconfig.none.json',
};
