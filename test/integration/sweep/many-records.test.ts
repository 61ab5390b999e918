import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { containerLog } from '../../builders/container-log.ts';
import { reportsIn } from '../../reports-in.ts';
import { sidecars, stuckPod, TestCluster } from '../stuck-pods.ts';

const reactions = [sidecars.clean, sidecars.clean, sidecars.immune, sidecars.shellLess];

/** The same order each time, and no other: a Weyl sequence. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const keyed = items.map((item, index) => [(index * 0.618_033_988_75) % 1, item] as const);
  return keyed.sort(([a], [b]) => a - b).map(([, item]) => item);
}

it('the log of a sweep of 10,000 pods, shuffled among other lines, gives the report that --report-file has', async () => {
  const cluster = await TestCluster.start(
    Array.from({ length: 10_000 }, (_, number) =>
      stuckPod({
        name: `stuck-${number}`,
        namespace: `tenant-${number % 50}`,
        sidecar: reactions[number % reactions.length] ?? sidecars.clean,
      }),
    ),
  );
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-records-'));
  try {
    const file = join(folder, 'report.json');
    const run = await cluster.run(['--max-pods', '200', '--report-file', file]);
    const written = JSON.parse(await readFile(file, 'utf8'));
    expect(written.pods).toHaveLength(10_000);
    expect(Object.keys(written.totals.pods)).toEqual(['Ended', 'NotAttempted', 'Stuck']);

    const own = [...containerLog(run.stdout), ...containerLog(run.stderr, 'stderr')];
    // No line was split.
    expect(own.filter((line) => / std(?:out|err) P /.test(line))).toEqual([]);
    const others = own.map(
      (_, index) => `2026-11-21T04:00:00Z stdout F {"level":"info","n":${index},"run.id":"of another"}`,
    );
    const lines = shuffled([...own, ...others]);
    const { reports, truncated, lost } = await reportsIn(lines.join('\n'));
    expect({ truncated, lost }).toEqual({ truncated: 0, lost: 0 });
    expect(reports).toHaveLength(1);
    expect(reports[0]?.totals).toEqual(written.totals);
    expect(reports[0]).toEqual(written);
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true });
  }
});
