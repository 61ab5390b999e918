import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import { exitCodeOf } from '../../../src/report/exit-code.ts';
import { toMetrics } from '../../../src/report/metrics.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { warnings } from '../../builders/kinds.ts';
import { container, exited, hour, now, podView, running } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';
import {
  candidateOf,
  endOf,
  finished,
  fullReport,
  listed,
  planMade,
  podRef,
  reportOf,
  started,
} from '../../builders/report.ts';

const mebibyte = 2 ** 20;

/** Two pods, stuck for one and for three hours. The first one's sidecar ends, the other's keeps running. */
function twoStuckPods(): SweepReport {
  const ended = candidateOf(1, { requests: { cpu: 0.5, memory: 64 * mebibyte } });
  const istio = { image: 'docker.io/istio/proxyv2:1.27', id: 'containerd://sidecar-0' };
  const containers = [container('main', exited(0, now - 3 * hour)), container('istio-proxy', running, istio)];
  const requests = { cpu: 2, memory: 1024 * mebibyte };
  const stuck = candidateOf(2, { requests, annotations: {}, containers });
  const other = judge(podView({ ref: podRef(3), deleting: true }), policy(), now, noFacts);
  return reportOf(
    started(),
    ...listed(ended, stuck, other),
    planMade(ended, stuck),
    endOf({ ...ended, pod: { ...ended.pod, phase: 'Succeeded' } }),
    endOf(stuck, { kind: 'Running' }),
    finished,
  );
}

const nothing = reportOf(started(), ...listed(), finished);
const published = toMetrics(nothing, 0)
  .getMetricsAsArray()
  .map(({ name }) => name);

/** The samples of a report's metrics, as they are pushed, without the prefix of their names. */
async function samplesOf(report: SweepReport, exitCode = 0): Promise<readonly string[]> {
  const text = await toMetrics(report, exitCode).metrics();
  return text.split('\n').flatMap((line) => /^sidecar_sweeper_(.*)/.exec(line)?.[1] ?? []);
}

describe('the metrics of a sweep', async () => {
  const report = twoStuckPods();
  const samples = await samplesOf(report, exitCodeOf(report));

  it.each([
    'build_info{version="1.2.3"} 1',
    'last_run_exit_code 4',
    'last_run_duration_seconds 4',
    `last_run_timestamp_seconds ${now / 1000 + 4}`,
    `last_success_timestamp_seconds ${now / 1000 + 4}`,
    'listed_pods 3',
    'excluded_pods{reason="BeingDeleted"} 1',
    'stuck_pods{outcome="Ended"} 1',
    'stuck_pods{outcome="Stuck"} 1',
    'stuck_pods{outcome="Unproven"} 0',
    'oldest_stuck_age_seconds{outcome="Ended"} 3600',
    `oldest_stuck_age_seconds{outcome="Stuck"} ${3 * 3600}`,
    'reserved_cpu_cores{outcome="Ended"} 0.5',
    'reserved_cpu_cores{outcome="Stuck"} 2',
    `reserved_memory_bytes{outcome="Stuck"} ${1024 * mebibyte}`,
    `reserved_cpu_core_seconds{outcome="Ended"} ${0.5 * 3600}`,
    `reserved_cpu_core_seconds{outcome="Stuck"} ${2 * 3 * 3600}`,
    `reserved_memory_byte_seconds{outcome="Ended"} ${64 * mebibyte * 3600}`,
    'sidecars{outcome="Stopped",reason="none",method="Command",profile="none"} 1',
    'sidecars{outcome="StillRunning",reason="Outlived",method="Command",profile="istio"} 1',
    'sidecars{outcome="Restarted",reason="none",method="none",profile="none"} 0',
  ])('%s', (sample) => {
    expect(samples).toContain(sample);
  });

  it('contain no pod names and no namespaces', () => {
    expect(samples.join()).not.toMatch(/pod-\d|demo/);
  });

  it('have at least one sample each, so that no sample of an earlier push remains', async () => {
    const namesIn = (all: readonly string[]) => [...new Set(all.map((one) => one.split(/[{ ]/)[0]))];
    expect(namesIn(await samplesOf(nothing))).toEqual(namesIn(samples));
    expect(namesIn(samples).map((name) => `sidecar_sweeper_${name}`)).toEqual(published);
  });
});

it.each<readonly [isSuccess: boolean, what: string, exitCode: number, more: Partial<SweepReport>]>([
  [true, 'has exit code 0', 0, {}],
  [false, 'has exit code 1', 1, {}],
  [true, 'has exit code 4', 4, {}],
  [false, 'could not read everything', 0, { unread: [{ problem: 'Forbidden', message: 'no' }] }],
  [false, 'stopped early', 0, { run: { ...nothing.run, stoppedEarly: 'Deadline' } }],
  [false, 'sent nothing', 0, { warnings: [warnings.Braked] }],
])('it is %s that a sweep succeeded that %s', async (isSuccess, _what, exitCode, more) => {
  const samples = await samplesOf({ ...nothing, ...more }, exitCode);
  expect(samples.some((one) => one.startsWith('last_success_timestamp_seconds'))).toBe(isSuccess);
});

it('the brake is told, and the pods that a sweep left that was told not to fail for them', async () => {
  const samples = await samplesOf({ ...fullReport(2), warnings: [warnings.Braked] });
  // One never started, and two cannot start again.
  expect(samples).toEqual(expect.arrayContaining(['braked 1', 'unresolved_pods 3']));
});

const monitoring = new URL('../../../manifests/monitoring/', import.meta.url);

function namedIn(file: string): readonly string[] {
  return readFileSync(new URL(file, monitoring), 'utf8').match(/\bsidecar_sweeper_[a-z_]+/g) ?? [];
}

const queried = new Set([...namedIn('dashboard.json'), ...namedIn('prometheus-rule.yaml')]);

it('every metric is on the dashboard or in an alert', () => {
  expect(published.filter((name) => !queried.has(name))).toEqual([]);
});

it('every metric on the dashboard and in the alerts is published', () => {
  expect(queried.size).toBeGreaterThan(10);
  expect([...queried].filter((name) => !published.includes(name))).toEqual([]);
});
