import type { Reporter, TestModule } from 'vitest/node';

/**
 * Says at the end which tests were skipped, and why, so that nobody takes a green run for more than it was. Where
 * nothing may be skipped (`NOTHING_SKIPPED=1`, as `.ci/run` sets it), the run fails.
 */
export class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        // What was skipped as a whole says why in the title of the whole.
        const key = `${module.relativeModuleId}: ${test.fullName.split(' > ', 1)[0]}`;
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
