import { expect } from 'vitest';
import type { StopReason } from '../../src/model/outcome.ts';
import type { SweepReport } from '../../src/report/schema.ts';
import { mainOf } from '../kit/random/read-pod.ts';
import { playAll, type RealCase, type Struck } from './real-case.ts';

/** How long a process that is stopped may go on, in milliseconds. */
export const longestEnd = 5_000;

export async function allIndexes(): Promise<readonly number[]> {
  const indexes: number[] = [];
  await playAll(
    [0],
    async (undisturbed) => {
      const { run, requests } = await undisturbed.sweep();
      expect(run.exitCode).toBe(0);
      indexes.push(...requests.keys());
    },
    1,
  );
  expect(indexes.length).toBeGreaterThan(10);
  return indexes;
}

export function signalled({ requests }: Struck, from = 0): readonly string[] {
  return requests.slice(from).flatMap(({ subresource, name, status }) => {
    return subresource === 'exec' && status === 101 ? [name] : [];
  });
}

/** Whatever there is, is whole. */
export function expectNotTorn({ file }: Struck): void {
  if (file !== undefined) expect(JSON.parse(file)).toHaveProperty('kind', 'SweepReport');
}

/** What stops a sweep, and what it exits with. */
const exitCodes = { Signal: 5, InternalError: 1 } as const satisfies Partial<Record<StopReason, number>>;

export function expectReported(
  { namespace, pods }: RealCase,
  { file, run }: Struck,
  reason: keyof typeof exitCodes | undefined,
): SweepReport {
  const report: SweepReport = JSON.parse(file ?? 'none');
  expect(run.exitCode, namespace).toBe(reason ? exitCodes[reason] : 0);
  expect(report.run.stoppedEarly).toBe(reason);
  const summary = JSON.parse(run.stdout.trimEnd().split('\n').at(-1) ?? '');
  expect(summary['run.stoppedEarly']).toBe(reason);
  if (report.unread.length === 0) expect(report.pods.map(({ name }) => name)).toEqual(['pod-0', 'pod-1']);
  for (const { name, outcome } of report.pods) {
    const phase = pods.find(({ metadata }) => metadata.name === name)?.status?.phase;
    if (outcome.kind === 'Ended') expect(phase, `${namespace}/${name}`).toBe('Succeeded');
  }
  return report;
}

/** The sweep that follows ends what is left, signals nothing that has ended, and touches no main. */
export async function expectConverges(one: RealCase): Promise<void> {
  const running = one.pods.flatMap(({ metadata, status }) => {
    const sidecar = status?.containerStatuses?.find(({ name }) => name === 'sidecar');
    return sidecar?.state?.running ? [metadata.name] : [];
  });
  const next = await one.sweep();
  expect(next.run.exitCode, next.run.stderr).toBe(0);
  // A pod whose sidecar was ending already is none of its pods, and may show its phase a moment later.
  await expect
    .poll(() => one.pods.map(({ status }) => status?.phase), { timeout: 10_000 })
    .toEqual(['Succeeded', 'Succeeded']);
  expect(one.pods.map((pod) => mainOf(pod)?.restartCount)).toEqual([0, 0]);
  expect(running).toEqual(expect.arrayContaining([...signalled(next)]));
}
