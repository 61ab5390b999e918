import { describe, expect, it } from 'vitest';
import type { ContainerOutcome } from '../../../../src/model/outcome.ts';
import { timelineOf } from '../../../../src/report/html/timeline.tsx';
import type { AttemptReport, PodReport } from '../../../../src/report/schema.ts';
import { withSidecars } from '../../../builders/report.ts';
import { sweepTime, sweptPod, sweptReport } from '../../../builders/sweep-reports.ts';

const begun = sweepTime(0);
const at = (ms: number) => new Date(begun + ms).toISOString();

function attempt(sentMs: number, changes: Partial<AttemptReport> = {}): AttemptReport {
  const step = { method: 'Signal', does: 'TERM to PID 1', source: { kind: 'Default' } } as const;
  return { ...step, sentAt: at(sentMs), durationMs: 50, result: { kind: 'Accepted' }, ...changes };
}

function podWith(attempts: readonly AttemptReport[], outcome: ContainerOutcome, endedMs?: number): PodReport {
  const endedAt = endedMs === undefined ? undefined : at(endedMs);
  return withSidecars(sweptPod(1, begun), () => ({ attempts, outcome, endedAt }));
}

function laneOf(...of: Parameters<typeof podWith>) {
  const { lanes } = timelineOf(sweptReport(0, [podWith(...of)]));
  return lanes[0];
}

const stopped: ContainerOutcome = { kind: 'Stopped', exitCode: 0 };
const outlived: ContainerOutcome = { kind: 'StillRunning', because: { kind: 'Outlived' } };

describe('a lane', () => {
  it('has a step and its wait after the other, until the sidecar ended', () => {
    const lane = laneOf([attempt(1_000), attempt(3_000)], stopped, 4_000);
    expect(lane?.spans.map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ['Step', 1_000, 1_050],
      ['Wait', 1_050, 3_000],
      ['Step', 3_000, 3_050],
      ['Wait', 3_050, 4_000],
    ]);
    expect(lane?.end).toEqual({ at: 4_000, look: 'green' });
    expect(lane?.took).toBe(3_000);
  });

  // biome-ignore format: one row a line
  it.each<readonly [what: string, end: object, of: Parameters<typeof podWith>]>([
    ['the end of the sweep if the sidecar still runs', { at: 9_500, look: 'red' }, [[attempt(1_000)], outlived]],
    ['an unclean exit', { at: 2_000, look: 'yellow' }, [[attempt(1_000)], { kind: 'Stopped', exitCode: 143 }, 2_000]],
    ['its step, if the kubelet\u2019s clock of whole seconds is behind', { at: 1_400, look: 'green' }, [[attempt(1_400)], stopped, 1_000]],
  ])('ends at %s', (_what, end, of) => {
    const lane = laneOf(...of);
    expect(lane?.end).toEqual(end);
    expect(lane?.spans.every(({ from, to }) => from <= to)).toBe(true);
  });

  it('says what was sent, and how long the sweep waited', () => {
    const words = laneOf([attempt(1_000)], stopped, 4_000)?.spans.map((span) => span.words);
    expect(words).toEqual(['TERM to PID 1 (accepted in 50 ms)', 'waited 3s']);
    const result = { kind: 'NoSuchProgram', program: '/bin/sh', message: '' } as const;
    const [step] = laneOf([attempt(1_000, { result })], outlived)?.spans ?? [];
    expect(step?.words).toBe('TERM to PID 1 (no such program in 50 ms)');
  });

  it('is missing if all steps were blocked', () => {
    const result = { kind: 'Blocked', reason: 'UnknownEnd' } as const;
    const blocked = podWith([attempt(1_000, { result })], outlived);
    expect(timelineOf(sweptReport(0, [blocked])).lanes).toEqual([]);
  });
});

it('of 10,000 pods, those that were harmed come first, then the slowest and examples of each kind', () => {
  const clean = Array.from({ length: 9_990 }, (_, number) => sweptPod(number, begun));
  const harmed = Array.from({ length: 3 }, (_, number) => {
    return { ...sweptPod(20_000 + number, begun), harm: { kind: 'RunsAgain', permitted: false } as const };
  });
  const kinds: readonly ContainerOutcome[] = [
    { kind: 'Restarted', exitCode: 143, restartCount: 1 },
    { kind: 'StillRunning', because: { kind: 'NoSuchProgram', program: 'sh' } },
  ];
  const rare = kinds.map((outcome) => podWith([attempt(8_000)], outcome, 8_100));
  const immune = podWith([attempt(0)], { kind: 'StillRunning', because: { kind: 'Immune', message: 'x' } });
  const { lanes, leftOut } = timelineOf(sweptReport(0, [...clean, ...rare, immune, ...harmed]));
  expect(lanes.slice(0, 3).every(({ pod }) => pod.harm)).toBe(true);
  const slow = lanes.slice(3, 9).map(({ took }) => took);
  expect(Math.min(...slow)).toBeGreaterThan(4_000);
  for (const kind of ['Restarted', 'StillRunning']) {
    expect(lanes.filter(({ sidecar }) => sidecar.outcome.kind === kind)).toHaveLength(1);
  }
  expect(lanes.map(({ sidecar }) => sidecar.name)).toEqual(
    expect.arrayContaining(['istio-proxy', 'cloud-sql-proxy', 'vault-agent']),
  );
  expect(lanes.length).toBeLessThanOrEqual(30);
  expect(lanes.length + leftOut).toBe(9_990 + 2 + 3);
});
