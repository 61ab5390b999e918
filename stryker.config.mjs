/** Mutation testing of the decisions: `npm run mutation`; its last result is in docs/internals/mutation.md. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: [
    'src/judge/**/*.ts',
    'src/plan/**/*.ts',
    'src/methods/**/*.ts',
    'src/model/{observation,job-reaction}.ts',
    'src/apply/gates/*.ts',
    'src/apply/{pod-run,pod-end,step-run,sidecar-run,conclusion}.ts',
  ],
  coverageAnalysis: 'perTest',
  // Tables that are read once, when a file is loaded, would need every test again for each change.
  ignoreStatic: true,
  concurrency: 2,
  // With Vitest 4.1, a process that has run many mutants no longer applies them, so all others survive (stryker-js#6073, #6192).
  maxTestRunnerReuse: 20,
  reporters: ['clear-text', 'json'],
  // scripts/mutation.ts fails below the limit of each area.
  thresholds: { high: 95, low: 85, break: null },
  ignorePatterns: ['dist', 'scripts/bench', 'manifests', '.github'],
  // Stryker rewrites it with a part of the TypeScript package that version 7 does not have. Nothing here needs it.
  tsconfigFile: 'tsconfig.none.json',
};
