import { execFileSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import dashboard from '../../../manifests/monitoring/dashboard.json' with { type: 'json' };
import { policyFlag } from '../../kit/cli.ts';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { describeUnless, missingPrograms } from '../../kit/needs.ts';
import { startedOnce, temporaryFolder } from '../../kit/started.ts';
import { container, type StuckPod, sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';
import { Monitoring, writeRules } from './prometheus.ts';

const promtool = 'promtool';
const folder = temporaryFolder('alerts');
const cannotTry = missingPrograms('prometheus', promtool, 'prometheus-pushgateway');
/** Two pods whose sidecars end and one whose sidecar does not. Each requests half a core and 64 MiB. */
const pods: readonly StuckPod[] = [
  { name: 'a', endedMinutesAgo: 30 },
  { name: 'b', endedMinutesAgo: 60 },
  { name: 'c', endedMinutesAgo: 120, sidecar: sidecars.stubborn },
];

const resources = { requests: { cpu: '250m', memory: '32Mi' } };
const containers = ['main', 'sidecar'].map((name) => container(name, { resources }));
const cluster = TestCluster.startedOnce(pods.map((pod) => stuckPod({ ...pod, spec: { containers } })));
beforeAll(() => ensureNamespace(cluster.emulator.world, 'elsewhere'));

describeUnless(cannotTry, 'with the real Pushgateway and Prometheus', () => {
  const tools = startedOnce(() => Monitoring.start());
  const pushed = () => policyFlag({ pushgatewayUrl: tools.gatewayUrl });
  beforeAll(async () => {
    const run = await cluster.run([...pushed()]);
    expect(run.exitCode).toBe(4);
    await tools.scraped();
  });

  it.each<readonly [query: string, value: number]>([
    ['sidecar_sweeper_stuck_pods{outcome="Ended"}', 2],
    ['sum(sidecar_sweeper_reserved_cpu_cores)', 1.5],
    ['round(sidecar_sweeper_oldest_stuck_age_seconds{outcome="Stuck"} / 60)', 120],
    ['round(sidecar_sweeper_reserved_cpu_core_seconds{outcome="Ended"} / 60)', 0.5 * 90],
    ['round(sidecar_sweeper_reserved_memory_byte_seconds{outcome="Stuck"} / 2 ^ 20 / 3600)', 64 * 2],
    ['sidecar_sweeper_last_run_exit_code', 4],
  ])('%s is %d', async (query, value) => {
    expect(await tools.valueOf(query)).toBeCloseTo(value, 0);
  });

  it.each(
    dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  )('the panel "%s" has data', async (_title, expression) => {
    expect(await tools.valueOf(expression)).toBeGreaterThanOrEqual(0);
  });

  it('a sweep replaces the metrics of the last one, but a failed sweep keeps the last success', async () => {
    const success = await tools.valueOf('sidecar_sweeper_last_success_timestamp_seconds');
    await cluster.run([...pushed(), '-n', 'elsewhere']);
    await tools.scraped();
    expect(await tools.valueOf('sum(sidecar_sweeper_stuck_pods)')).toBe(0);
    expect(await tools.valueOf('sidecar_sweeper_last_success_timestamp_seconds')).toBeGreaterThan(success);

    const between = await tools.valueOf('sidecar_sweeper_last_success_timestamp_seconds');
    const token = cluster.emulator.serviceAccount({ namespace: 'demo', name: 'reader', rules: [] });
    await cluster.run([...pushed()], { user: { name: 'reader', token } });
    await tools.scraped();
    expect(await tools.valueOf('sidecar_sweeper_last_run_exit_code')).toBe(3);
    expect(await tools.valueOf('sidecar_sweeper_last_success_timestamp_seconds')).toBe(between);
  });

  it('shards push separate groups', async () => {
    await Promise.all(['0/2', '1/2'].map((shard) => cluster.run([...pushed(), '--shard', shard])));
    await tools.scraped();
    expect(await tools.valueOf('count(sidecar_sweeper_last_run_exit_code{shard=~"0|1"})')).toBe(2);
    expect(await tools.valueOf('sum(sidecar_sweeper_stuck_pods{shard=~"0|1"})')).toBe(1);
  });

  it('the alerts fire only when they should', async () => {
    await writeRules(folder);
    await copyFile(new URL('alerts.yaml', import.meta.url), join(folder, 'alerts.yaml'));
    const argv = ['test', 'rules', join(folder, 'alerts.yaml')];
    expect(execFileSync(promtool, argv, { encoding: 'utf8' })).toContain('SUCCESS');
  });
});
