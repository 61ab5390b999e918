import { execFile } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { toRecords } from '../../../src/report/records/write.ts';
import { minute, now } from '../../builders/pod-view.ts';
import { endedPod, stuckPod, sweepAt } from '../../builders/sweeps.ts';
import { asLines } from '../../builders/written.ts';
import { bundle } from '../../kit/cli.ts';

const runs = 1_000;
/** Of each run, half of them new and ended, and half of them stuck for good. */
const pods = 50;
/** Twice what was measured: where others work as well, seconds say nothing. `npm run bench:records` measures those. */
const timesOfParsing = 25;

/** The log of a run as `kubectl logs --prefix --timestamps` prints it: its records, and as many other lines. */
function logOf(run: number): string {
  const at = now + run * 5 * minute;
  const due = at / minute;
  const found = Array.from({ length: pods }, (_, pod) => {
    const owner = { kind: 'Job', name: `cron-${pod}-${due}` };
    return pod % 2 === 0
      ? endedPod({ name: `cron-${pod}-${due}-x`, owner, mainsEndedAt: at - minute, endedAt: at })
      : stuckPod({ name: `stuck-${pod}` });
  });
  const report = sweepAt({ at, pods: found });
  const prefix = '[pod/sidecar-sweeper-29/sidecar-sweeper] 2026-11-21T04:00:00.123456789Z ';
  const other = JSON.stringify({ level: 'info', message: 'pod is stuck', 'run.id': report.run.id });
  const lines = asLines(toRecords(report)).trimEnd().split('\n');
  return lines.flatMap((line) => [`${prefix}${line}\n`, `${prefix}${other}\n`]).join('');
}

/** What it takes of CPU to parse the lines, and nothing else, in seconds. */
async function parse(log: string): Promise<number> {
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
  const before = process.cpuUsage();
  for (const line of lines) JSON.parse(line.slice(line.indexOf('{')));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** What a run of the built command takes of it, and what it prints. */
async function report(log: string): Promise<{ readonly cpu: number; readonly history: unknown }> {
  const command = `TIMEFORMAT='%U %S'; time '${process.execPath}' '${bundle}' report '${log}' -o json`;
  const done = await promisify(execFile)('bash', ['-c', command], { maxBuffer: 2 ** 28 });
  const [user = Number.NaN, system = Number.NaN] = done.stderr.trim().split(' ').map(Number);
  return { cpu: user + system, history: JSON.parse(done.stdout) };
}

it('the logs of 1,000 runs are read in a few times of what it takes to parse their lines', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-many-runs-'));
  try {
    const log = join(folder, 'sweeps.log');
    const file = await open(log, 'w');
    for (let run = 0; run < runs; run++) await file.write(logOf(run));
    await file.close();
    const { cpu, history } = await report(log);
    expect(history).toMatchObject({
      read: { sweeps: runs, other: runs * (pods + 1), lost: 0, truncated: 0 },
      totals: { pods: (runs * pods) / 2 + pods / 2, ended: (runs * pods) / 2, stuck: pods / 2 },
    });
    expect(cpu / (await parse(log))).toBeLessThan(timesOfParsing);
  } finally {
    await rm(folder, { recursive: true });
  }
});
