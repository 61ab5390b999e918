import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toRecords } from '../../../src/report/records/write.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { containerLog } from '../../builders/container-log.ts';
import { asLines } from '../../builders/written.ts';
import { runCli } from '../../kit/cli.ts';
import { reportsIn } from '../../kit/reports-in.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const atOnce = { on: { SIGTERM: { exitCode: 0, after: 0 } } };
const reactions = [atOnce, atOnce, sidecars.immune, sidecars.shellLess];
const pods = 10_000;

/** The same order each time, and no other: a Weyl sequence. */
function shuffled<T>(items: readonly T[]): readonly T[] {
  const keyed = items.map((item, index) => [(index * 0.618_033_988_75) % 1, item] as const);
  return keyed.sort(([a], [b]) => a - b).map(([, item]) => item);
}

/** What a container's runtime keeps of both streams, shuffled among the lines of others. */
function shuffledLog(stdout: string, stderr: string): readonly string[] {
  const own = [...containerLog(stdout), ...containerLog(stderr, 'stderr')];
  // No line was split.
  expect(own.filter((line) => / std(?:out|err) P /.test(line))).toEqual([]);
  const others = own.map(
    (_, index) => `2026-11-21T04:00:00Z stdout F {"level":"info","n":${index},"run.id":"of another"}`,
  );
  return shuffled([...own, ...others]);
}

async function rebuilt(lines: readonly string[]): Promise<SweepReport | undefined> {
  const { reports, truncated, lost } = await reportsIn(lines.join('\n'));
  expect({ truncated, lost, reports: reports.length }).toEqual({ truncated: 0, lost: 0, reports: 1 });
  return reports[0];
}

it('the log of a sweep of 10,000 pods, shuffled among other lines, gives the report that -o json prints', async () => {
  const cluster = await TestCluster.start(
    Array.from({ length: pods }, (_, number) =>
      stuckPod({
        name: `stuck-${number}`,
        namespace: `tenant-${number % 50}`,
        sidecar: reactions[number % reactions.length] ?? atOnce,
      }),
    ),
  );
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-records-'));
  try {
    const file = join(folder, 'report.json');
    const limits = ['--brake-pods', `${pods}`, '--concurrency', '100'];
    const run = await cluster.run([...limits, '--report-file', file]);
    const written: SweepReport = JSON.parse(await readFile(file, 'utf8'));
    expect(written.pods).toHaveLength(pods);
    expect(written.totals.pods).toEqual({ Ended: pods / 2, Stuck: pods / 2 });
    expect(written.totals.leftForNext).toEqual({});

    const lines = shuffledLog(run.stdout, run.stderr);
    expect(await rebuilt(lines)).toEqual(written);

    const log = join(folder, 'sweep.log');
    await writeFile(log, lines.join('\n'));
    const { exitCode, stdout } = await runCli(['report', log, '-o', 'json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      read: { sweeps: 1, lost: 0, truncated: 0 },
      totals: { pods, ended: pods / 2, gone: 0, stuck: pods / 2 },
    });

    // One run prints either. So another prints the document, which is what it writes, and its records give it again.
    const next = await cluster.run(['-o', 'json', ...limits, '--report-file', file]);
    const document: SweepReport = JSON.parse(next.stdout);
    expect(document.pods).toHaveLength(pods / 2);
    expect(document).toEqual(JSON.parse(await readFile(file, 'utf8')));
    expect(await rebuilt(shuffledLog(asLines(toRecords(document)), next.stderr))).toEqual(document);
  } finally {
    await cluster.stop();
    await rm(folder, { recursive: true });
  }
});
