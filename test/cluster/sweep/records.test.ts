import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines, reportsIn } from '../../kit/cli.ts';
import { temporaryFolder } from '../../kit/started.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = TestCluster.startedOnce([
  stuckPod({ name: 'clean' }),
  stuckPod({ name: 'stubborn', sidecar: sidecars.immune }),
  stuckPod({ name: 'young', endedMinutesAgo: 1 }),
]);
const folder = temporaryFolder('records');

describe('a sweep in a pipe', () => {
  it('writes one JSON object a line: records on stdout, the log on stderr, and the report to a file', async () => {
    const file = join(folder, 'report.json');
    const run = await cluster.runHere(['--verbose', '--report-file', file]);
    expect(run.exitCode).toBe(4);
    const records = jsonLines(run.stdout);
    const lines = [...records, ...jsonLines(run.stderr)];
    expect(new Set(lines.map((line) => line['run.id'])).size).toBe(1);
    for (const line of lines) {
      expect(line).toMatchObject({
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        level: expect.stringMatching(/^(?:info|warn|error)$/),
        message: expect.any(String),
      });
    }
    expect(records.map(({ kind }) => kind)).toEqual(['Excluded', 'Pod', 'Pod', 'Summary']);
    expect(records[2]).toMatchObject({ 'k8s.pod.name': 'stubborn', outcome: 'Stuck', level: 'warn' });

    const written = JSON.parse(await readFile(file, 'utf8'));
    // Like the log of a pod, with both streams.
    const { reports, truncated, lost } = await reportsIn(run.stderr + run.stdout);
    expect({ reports, truncated, lost }).toEqual({ reports: [written], truncated: 0, lost: 0 });
  });
});
