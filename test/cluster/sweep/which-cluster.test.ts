import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonLines, policyFlag } from '../../kit/cli.ts';
import { runHere } from '../../kit/run-here.ts';
import { temporaryFolder } from '../../kit/started.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const one = TestCluster.startedOnce([stuckPod()]);
const other = TestCluster.startedOnce([stuckPod()]);
const folder = temporaryFolder('clusters');

function uidOf({ emulator }: TestCluster): string | undefined {
  return emulator.world.store.get('namespaces', undefined, 'kube-system')?.metadata.uid;
}

describe('two clusters that have one address, as seen from their pods', () => {
  it('are told apart by the uids of kube-system, in reports, records and histories', async () => {
    const logs: string[] = [];
    for (const cluster of [one, other]) {
      const { stdout } = await cluster.runHere(['--dry-run']);
      const records = jsonLines(stdout);
      expect(new Set(records.map((record) => record['k8s.cluster.uid']))).toEqual(new Set([uidOf(cluster)]));
      expect(records.at(-1).entry.cluster.uid).toBe(uidOf(cluster));
      logs.push(
        stdout
          .replaceAll(cluster.emulator.url, 'https://10.96.0.1:443')
          .replaceAll('"dryRun":true', '"dryRun":false'),
      );
    }
    expect(uidOf(one)).toMatch(/^[\da-f]{8}-/);
    expect(uidOf(one)).not.toBe(uidOf(other));
    const file = join(folder, 'both.log');
    await writeFile(file, logs.join(''));
    const { clusters, totals } = JSON.parse((await runHere(['report', file, '-o', 'json'])).stdout);
    expect(totals.pods).toBe(2);
    expect(clusters.map(({ uid }: { uid: string }) => uid).sort()).toEqual([uidOf(one), uidOf(other)].sort());
    const markdown = (await runHere(['report', file, '-o', 'markdown'])).stdout;
    for (const cluster of [one, other]) expect(markdown).toContain(`(${uidOf(cluster)?.slice(0, 8)}) `);
  });

  it('go by what the policy calls them', async () => {
    const run = await one.runHere(['--dry-run', ...policyFlag({ clusterName: 'billing' })]);
    const records = jsonLines(run.stdout);
    expect(new Set(records.map((record) => record['k8s.cluster.name']))).toEqual(new Set(['billing']));
    expect(records.at(-1).entry.cluster).toMatchObject({ name: 'billing', uid: uidOf(one) });
    expect(records.at(-1)).toMatchObject({ 'k8s.cluster.uid': uidOf(one) });
  });
});

it.each([
  ['forbidden', 403, 'Forbidden'],
  ['gone', 404, 'NotFound'],
])('the uid is missing where the namespace is %s, and nothing else is', async (_why, code, reason) => {
  const status = { kind: 'Status', status: 'Failure', code, reason, message: reason };
  const heal = other.emulator.faults.add(
    { resource: 'namespaces', name: 'kube-system' },
    { kind: 'Answer', status: code, body: status },
  );
  const { report, run } = await other.sweepHere(['--dry-run']);
  heal();
  expect(report.cluster).not.toHaveProperty('uid');
  expect([run.exitCode, report.unread, report.warnings]).toEqual([0, [], []]);
  expect(run.stderr).not.toContain('kube-system');
});
