import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SkippedReporter } from './test/kit/skipped-reporter.ts';

/** Tests that need more than Node and this machine's kernel: `npm run test:tools`. */
const tools = ['test/tools/**/*.test.ts'];

/** Tests that take too long for `npm test`: `npm run test:deep`. */
const deep = ['test/**/*.deep.test.ts'];

/** Only a test that hangs takes this long, even on a busy machine. */
const hangs = 600_000;

function project(
  name: string,
  include: readonly string[],
  test: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: { name, include: [...include], testTimeout: hangs, hookTimeout: hangs, ...test },
  };
}

/** One fault of each family, then every fifth file, beginning with `ROTATION`. Without it, all. */
function faults(): readonly string[] {
  const rotation = process.env['ROTATION'];
  if (rotation === undefined) return ['test/faults/**/*.test.ts'];
  const always = ['broken-server', 'broken-streams', 'changed-meanwhile', 'left-alone', 'credentials'];
  const files = readdirSync('test/faults')
    .filter((file) => file.endsWith('.test.ts'))
    .sort();
  const drawn = files.filter((_, index) => index % 5 === Number(rotation) % 5);
  return [
    ...always.map((name) => `test/faults/${name}.test.ts`),
    ...drawn.map((file) => `test/faults/${file}`),
  ];
}

/** The tests that take longest, so that none of them runs alone at the end. */
const longest = [
  'recordings/recordings',
  'cli/flags/flags',
  'cli/verbs',
  'cluster/cure',
  'cluster/behaviours',
  'sweep/lock',
  'sweep/named-pods',
  'terminal/widths',
  'kubectl/connection',
  'terminal/terminal',
].map((name) => `${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** For tests that wait more than they work. */
const waiting = { maxWorkers: 2 * availableParallelism(), sequence: { groupOrder: 1 } };

// No test changes global state, and importing everything again for each file takes most of the time.
const shared = { isolate: false, exclude: [...tools, ...deep] };

/** The tables of the decisions, for Stryker. Random pods and real processes would take too long for each mutant. */
const mutation = project(
  'mutation',
  [
    'test/unit/{model,judge,facts,plan,methods,policy,apply}/**/*.test.ts',
    'test/unit/report/schema*.test.ts',
  ],
  {
    // Stryker changes the text of the sources, which kinds.test.ts reads.
    exclude: [
      '**/*.{property,deep}.test.ts',
      'test/unit/methods/signal-script.test.ts',
      'test/unit/model/kinds.test.ts',
    ],
    testTimeout: 60_000,
  },
);

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new SkippedReporter()],
    projects: process.env['MUTATION']
      ? [mutation]
      : [
          project('unit', ['test/unit/**/*.test.ts'], { ...shared, sequence: { groupOrder: 0 } }),
          project('cluster', ['test/cluster/**/*.test.ts'], { ...shared, ...waiting }),
          project('tools', tools, waiting),
          project('deep', deep),
          project('faults', faults(), { isolate: false }),
          project('e2e', ['test/e2e/**/*.test.ts'], {
            globalSetup: 'test/e2e/needs-a-cluster.ts',
            testTimeout: 60_000,
          }),
        ],
  },
});
