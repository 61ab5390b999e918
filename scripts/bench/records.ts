import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { linesOf } from '../../src/cli/lines.ts';
import { readReports } from '../../src/report/records/read.ts';
import { toRecords } from '../../src/report/records/write.ts';
import { fullReport } from '../../test/builders/report.ts';
import { asLines } from '../../test/builders/written.ts';

// `npm run bench:records`: how long it takes to read the logs of 1,000 runs, as kubectl prints them.
const runs = 1_000;
const podsOfRun = 50;

const one = fullReport(podsOfRun);
const prefix = '[pod/sidecar-sweeper-29/sidecar-sweeper] 2026-11-21T04:00:00.123456789Z ';

/** The log of a run: its records, and as many other lines. */
function logOf(run: number): string {
  const lines = asLines(toRecords({ ...one, run: { ...one.run, id: `run-${run}` } })).split('\n');
  const other = JSON.stringify({ level: 'info', message: 'something else', 'run.id': `run-${run}` });
  return lines
    .slice(0, -1)
    .flatMap((line) => [`${prefix}${line}\n`, `${prefix}${other}\n`])
    .join('');
}

const logs = Array.from({ length: runs }, (_, run) => Buffer.from(logOf(run)));
const bytes = logs.reduce((sum, { length }) => sum + length, 0);
console.log(
  `${runs} runs of ${podsOfRun} stuck pods: ${Math.round(bytes / 2 ** 20)} MiB, on ${availableParallelism()} cores`,
);
for (let round = 0; round < 3; round++) {
  const [from, cpu] = [performance.now(), process.cpuUsage()];
  const { reports, lost } = await readReports([{ name: 'stdin', lines: linesOf(Readable.from(logs)) }]);
  if (reports.length !== runs || lost > 0) throw new Error('reports are missing');
  const { user, system } = process.cpuUsage(cpu);
  const wall = ((performance.now() - from) / 1_000).toFixed(2);
  console.log(`read in ${wall} s (${((user + system) / 1e6).toFixed(2)} s of CPU)`);
}
