import type { Reporter, TestModule } from 'vitest/node';

const reason = '(skipped:';

/**
 * Prints the skipped tests and the reasons at the end of a run, so that a green run does not look complete.
 * With `NOTHING_SKIPPED=1`, which `.ci/run` sets, a run with skipped tests fails.
 */
export class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        // The reason is in the suite's title if the whole suite was skipped, otherwise in the test's.
        const [whole = ''] = test.fullName.split(' > ', 1);
        const why = whole.includes(reason) ? '' : (test.fullName.split(` ${reason}`)[1] ?? '');
        const key = `${module.relativeModuleId}: ${whole}${why === '' ? '' : ` ${reason}${why}`}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    if (counts.size === 0) return;
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const lines = [...counts].map(([title, count]) => `  ${count} in ${title}`);
    process.stderr.write(`\nSKIPPED ${total} tests:\n${lines.join('\n')}\n`);
    if (process.env['NOTHING_SKIPPED'] !== '1') return;
    process.stderr.write('NOTHING_SKIPPED=1: the run fails because tests were skipped.\n');
    process.exitCode = 1;
  }
}
