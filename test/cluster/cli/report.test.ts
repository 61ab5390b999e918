import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toLine } from '../../../src/report/records/line.ts';
import { toRecords } from '../../../src/report/records/write.ts';
import { hour, minute, now } from '../../builders/pod-view.ts';
import { endedPod, stuckPod, sweepAt } from '../../builders/sweeps.ts';
import { runHere } from '../../kit/run-here.ts';
import { temporaryFolder } from '../../kit/started.ts';

const reports = [0, 1, 2].map((index) => {
  const at = now + index * hour;
  const owner = { kind: 'Job', name: `bill-${at / minute}` };
  const pods = [
    stuckPod({ name: 'load' }),
    endedPod({ name: `${owner.name}-x`, owner, mainsEndedAt: at, endedAt: at }),
  ];
  return sweepAt({ at, pods });
});
/** As `kubectl logs --prefix --timestamps` prints them, with a line of the log in between. */
const lines = reports.flatMap((report, index) => [
  `[pod/sweeper-${index}/sweeper] 2026-11-21T04:00:00.123456789Z {"level":"info","message":"sweep started"}`,
  ...[...toRecords(report)].map(
    (record) => `[pod/sweeper-${index}/sweeper] 2026-11-21T04:00:00.123456789Z ${toLine(record).trimEnd()}`,
  ),
]);
const folder = temporaryFolder('report');

async function file(name: string, content: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content.join('\n'));
  return path;
}

describe('report', () => {
  it('reads logs of many runs, however they are split into files', async () => {
    const halves = [await file('b.log', lines.slice(4)), await file('a.log', lines.slice(0, 4))];
    const { exitCode, stdout, stderr } = await runHere(['report', ...halves, '-o', 'json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'History',
      read: { sweeps: 3, truncated: 0 },
      totals: { pods: 4, ended: 3, stuck: 1 },
      owners: [
        { kind: 'Pod', name: 'load' },
        { kind: 'CronJob', name: 'bill', times: 3 },
      ],
    });
  });

  it('names the files of which it cannot read the reports', async () => {
    const [report] = reports;
    const whole = await file('rep.json', [JSON.stringify(report)]);
    const newer = await file('v2.json', [
      JSON.stringify({ ...report, apiVersion: 'sidecar-sweeper.dev/v2' }),
    ]);
    const damaged = await file('nototals.json', [JSON.stringify({ ...report, totals: undefined })]);
    const { exitCode, stdout } = await runHere(['report', whole, newer, damaged, '-o', 'table']);
    expect(exitCode).toBe(0);
    const ofNewer = `cannot read 1 report in ${newer}: of apiVersion sidecar-sweeper.dev/v2`;
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain(`${ofNewer}.`);
    expect(text).toContain(`cannot read 1 report in ${damaged}: damaged, or written by a later version.`);
    for (const command of [['report'], ['report', 'merge']]) {
      const alone = await runHere([...command, newer]);
      expect(alone).toMatchObject({ exitCode: 2, stdout: '' });
      expect(alone.stderr).toBe(`sidecar-sweeper: ${ofNewer}\n`);
    }
  });
});
