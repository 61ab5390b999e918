import type { Reporter, TestModule } from 'vitest/node';

/** As `needs.ts` writes it into titles. */
const reason = '(skipped:';

/**
 * Says at the end which tests were skipped, and why, so that nobody takes a green run for more than it was. Where
 * nothing may be skipped (`NOTHING_SKIPPED=1`, as `.ci/run` sets it), the run fails.
 */
export class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        // What was skipped as a whole says why in the title of the whole, a test of its own in its own.
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
    process.stderr.write('NOTHING_SKIPPED=1: a run in which tests were skipped has failed.\n');
    process.exitCode = 1;
  }
}
