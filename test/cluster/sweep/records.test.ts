import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../kit/cli.ts';
import { reportsIn } from '../../kit/reports-in.ts';
import { startedOnce, temporaryFolder } from '../../kit/started.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = startedOnce(() =>
  TestCluster.start([
    stuckPod({ name: 'clean' }),
    stuckPod({ name: 'stubborn', sidecar: sidecars.immune }),
    stuckPod({ name: 'young', endedMinutesAgo: 1 }),
  ]),
);
const folder = temporaryFolder('records');

function parsed(output: string): readonly Readonly<Record<string, unknown>>[] {
  return jsonLines(output);
}

describe('a sweep in a pipe', () => {
  it('writes one JSON object a line: records on stdout, the log on stderr, and the report to a file', async () => {
    const file = join(folder, 'report.json');
    const run = await cluster.runHere(['--verbose', '--report-file', file]);
    expect(run.exitCode).toBe(4);
    const records = parsed(run.stdout);
    const lines = [...records, ...parsed(run.stderr)];
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

  it('that leaves pods stuck need not fail for it', async () => {
    expect(await cluster.runHere(['--fail-on', 'unresolved'])).toMatchObject({ exitCode: 4 });
    const message = join(folder, 'termination-log');
    const metrics = join(folder, 'sweep.prom');
    const publish = ['--termination-message', message, '--metrics-file', metrics];
    const run = await cluster.runHere(['--fail-on=error', '--log-level=debug', ...publish]);
    expect(run.exitCode).toBe(0);
    expect(parsed(run.stdout).at(-1)).toMatchObject({ level: 'warn', kind: 'Summary' });
    expect(parsed(run.stderr).at(-1)).toMatchObject({ event: 'SweepFinished', 'process.exit.code': 0 });
    expect(await readFile(message, 'utf8')).toMatch(/exit code 0\n[\s\S]*unresolved: demo\/stubborn/);
    expect(await readFile(metrics, 'utf8')).toContain('\nsidecar_sweeper_unresolved_pods 1\n');
  });
});
