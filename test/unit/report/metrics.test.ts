import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import { exitCodeOf } from '../../../src/report/exit-code.ts';
import { type Family, toFamilies } from '../../../src/report/metrics.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { warnings } from '../../builders/kinds.ts';
import { candidate } from '../../builders/plan.ts';
import { container, exited, hour, now, podView, running } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';
import {
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
  const ended = candidate(podView({ ref: podRef(1), requests: { cpu: 0.5, memory: 64 * mebibyte } }));
  const stuck = candidate(
    podView({
      ref: podRef(2),
      requests: { cpu: 2, memory: 1024 * mebibyte },
      annotations: {},
      containers: [
        container('main', exited(0, now - 3 * hour)),
        container('istio-proxy', running, {
          image: 'docker.io/istio/proxyv2:1.27',
          id: 'containerd://sidecar-0',
        }),
      ],
    }),
  );
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

function sampleOf(
  families: readonly Family[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const family = families.find((each) => each.name === `sidecar_sweeper_${name}`);
  return family?.samples.find((sample) => JSON.stringify(sample.labels) === JSON.stringify(labels))?.value;
}

describe('the metrics of a sweep', () => {
  const report = twoStuckPods();
  const families = toFamilies(report, exitCodeOf(report));

  it.each<readonly [name: string, labels: Record<string, string>, value: number]>([
    ['build_info', { version: '1.2.3' }, 1],
    ['last_run_exit_code', {}, 4],
    ['last_run_duration_seconds', {}, 4],
    ['last_run_timestamp_seconds', {}, now / 1000 + 4],
    ['last_success_timestamp_seconds', {}, now / 1000 + 4],
    ['listed_pods', {}, 3],
    ['excluded_pods', { reason: 'BeingDeleted' }, 1],
    ['stuck_pods', { outcome: 'Ended' }, 1],
    ['stuck_pods', { outcome: 'Stuck' }, 1],
    ['stuck_pods', { outcome: 'Unproven' }, 0],
    ['oldest_stuck_age_seconds', { outcome: 'Ended' }, 3600],
    ['oldest_stuck_age_seconds', { outcome: 'Stuck' }, 3 * 3600],
    ['reserved_cpu_cores', { outcome: 'Ended' }, 0.5],
    ['reserved_cpu_cores', { outcome: 'Stuck' }, 2],
    ['reserved_memory_bytes', { outcome: 'Stuck' }, 1024 * mebibyte],
    ['reserved_cpu_core_seconds', { outcome: 'Ended' }, 0.5 * 3600],
    ['reserved_cpu_core_seconds', { outcome: 'Stuck' }, 2 * 3 * 3600],
    ['reserved_memory_byte_seconds', { outcome: 'Ended' }, 64 * mebibyte * 3600],
    ['sidecars', { outcome: 'Stopped', reason: 'none', method: 'Command', profile: 'none' }, 1],
    ['sidecars', { outcome: 'StillRunning', reason: 'Outlived', method: 'Command', profile: 'istio' }, 1],
    ['sidecars', { outcome: 'Restarted', reason: 'none', method: 'none', profile: 'none' }, 0],
  ])('%s%j is %d', (name, labels, value) => {
    expect(sampleOf(families, name, labels)).toBe(value);
  });

  it('contain no pod names and no namespaces', () => {
    const text = JSON.stringify(families);
    expect(text).not.toMatch(/pod-\d/);
    expect(text).not.toContain('demo');
  });

  it('have at least one sample each, so that no sample of an earlier push remains', () => {
    const empty = toFamilies(reportOf(started(), ...listed(), finished), 0);
    expect(empty.map(({ name }) => name)).toEqual(families.map(({ name }) => name));
    expect(empty.filter(({ samples }) => samples.length === 0)).toEqual([]);
  });
});

it.each([
  [0, true],
  [1, false],
  [4, true],
])('a sweep with exit code %d counts as a success: %s', (exitCode, isSuccess) => {
  const families = toFamilies(reportOf(started(), ...listed(), finished), exitCode);
  expect(sampleOf(families, 'last_success_timestamp_seconds') !== undefined).toBe(isSuccess);
});

describe('a sweep that was told not to fail for it', () => {
  const report = reportOf(started(), ...listed(), finished);
  const success = (one: SweepReport) => sampleOf(toFamilies(one, 0), 'last_success_timestamp_seconds');

  it('is no success if it could not read everything, stopped early or sent nothing', () => {
    expect(success(report)).toBeDefined();
    expect(success({ ...report, unread: [{ problem: 'Forbidden', message: 'no' }] })).toBeUndefined();
    expect(success({ ...report, run: { ...report.run, stoppedEarly: 'Deadline' } })).toBeUndefined();
    expect(success({ ...report, warnings: [warnings.Braked] })).toBeUndefined();
  });

  it('tells of the brake and of the pods that it left', () => {
    const families = toFamilies({ ...fullReport(2), warnings: [warnings.Braked] }, 0);
    expect(sampleOf(families, 'braked')).toBe(1);
    // One never started, and two cannot start again.
    expect(sampleOf(families, 'unresolved_pods')).toBe(3);
  });
});

const monitoring = new URL('../../../manifests/monitoring/', import.meta.url);

/** The metrics that a file queries. */
function namedIn(file: string): readonly string[] {
  return readFileSync(new URL(file, monitoring), 'utf8').match(/\bsidecar_sweeper_[a-z_]+/g) ?? [];
}

const published = toFamilies(reportOf(started(), ...listed(), finished), 0).map(({ name }) => name);
const queried = new Set([...namedIn('dashboard.json'), ...namedIn('prometheus-rule.yaml')]);

it('every metric is on the dashboard or in an alert', () => {
  expect(published.filter((name) => !queried.has(name))).toEqual([]);
});

it('every metric on the dashboard and in the alerts is published', () => {
  expect(queried.size).toBeGreaterThan(10);
  expect([...queried].filter((name) => !published.includes(name))).toEqual([]);
});
