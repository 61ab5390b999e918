import { setImmediate } from 'node:timers/promises';
import { concludePod, concludeTarget } from '../../src/apply/conclusion.ts';
import type { PodRef, PodView } from '../../src/model/pod.ts';
import type { Observation, PodReading } from '../../src/model/reading.ts';
import type { RunInfo } from '../../src/model/scope.ts';
import type { Candidate, Verdict } from '../../src/model/verdict.ts';
import type { SweepEvent, TargetConclusion } from '../../src/plan/sweep-event.ts';
import type { Target } from '../../src/plan/sweep-plan.ts';
import type { PodReport, SweepReport } from '../../src/report/schema.ts';
import { ReportFold } from '../../src/report/sweep/fold.ts';
import type { SidecarReport } from '../../src/report/sweep/planned.ts';
import { exclusions, podOutcomes, warnings } from './kinds.ts';
import { attempt, candidate } from './plan.ts';
import { sweepPlanOf } from './planned.ts';
import { now, podView } from './pod-view.ts';
import { policy } from './policy.ts';

/** A pod reference; each number gives a different one. */
export function podRef(number: number): PodRef {
  return { namespace: 'demo', name: `pod-${number}`, uid: `uid-${number}` };
}

export function candidateOf(number: number, more: Partial<PodView> = {}): Candidate {
  return candidate(podView({ ref: podRef(number), ...more }));
}

export function started(run: Partial<RunInfo> = {}): Extract<SweepEvent, { kind: 'SweepStarted' }> {
  return {
    kind: 'SweepStarted',
    at: now,
    run: {
      id: '0d4e5cf0-3a5e-4b0e-9c53-4f6b6dcb8a37',
      version: '1.2.3',
      dryRun: false,
      context: 'kind',
      server: 'https://127.0.0.1:6443',
      ...run,
    },
    policy: policy(),
  };
}

export const finished: SweepEvent = { kind: 'SweepFinished', at: now + 4_000 };

/** The events of a list with these verdicts. */
export function listed(...verdicts: readonly Verdict[]): readonly SweepEvent[] {
  return [
    { kind: 'PageListed', pods: verdicts.length, atWork: [], malformed: [], otherShards: 0 },
    ...verdicts.map((verdict): SweepEvent => ({ kind: 'PodJudged', verdict })),
  ];
}

export function planMade(...candidates: readonly Candidate[]): SweepEvent {
  return { kind: 'PlanMade', plan: sweepPlanOf(candidates, { uncleanExit: 'allow' }) };
}

const exitedNow: Observation = { kind: 'Exited', exitCode: 0, signal: undefined, finishedAt: now + 1_000 };

/** The conclusion of a candidate whose sidecars each accepted one step and then had this observation. */
export function endOf(candidate: Candidate, observation: Observation = exitedNow): SweepEvent {
  const targets = sweepPlanOf([candidate], { uncleanExit: 'allow' }).pods.flatMap((pod) =>
    pod.targets.map((target): TargetConclusion => concludeOne(target, observation)),
  );
  const reading: PodReading = { kind: 'Present', pod: candidate.pod, asOf: now };
  const outcomes = targets.map(({ outcome }) => outcome);
  const outcome = concludePod(reading, outcomes, { kind: 'NoJob' });
  return { kind: 'PodConcluded', conclusion: { pod: candidate.pod.ref, targets, outcome } };
}

function concludeOne(target: Target, observation: Observation): TargetConclusion {
  const { container } = target;
  if (target.kind === 'Skipped') {
    return { container, attempts: [], outcome: target.outcome, endedAt: undefined };
  }
  const attempts = [attempt()];
  return {
    container,
    attempts,
    outcome: concludeTarget(target, attempts, observation, true),
    endedAt: observation.kind === 'Exited' ? observation.finishedAt : undefined,
  };
}

export function reportOf(...events: readonly SweepEvent[]): SweepReport {
  const fold = new ReportFold();
  for (const event of events) fold.hear(event);
  return fold.report();
}

/** The report of a sweep of these pods, with what happened after its plan. */
export function sweepOf(pods: readonly Candidate[], ...events: readonly SweepEvent[]): SweepReport {
  return reportOf(started(), ...listed(...pods), planMade(...pods), ...events, finished);
}

/** The pod with these changes to each of its sidecars. */
export function withSidecars(
  pod: PodReport,
  change: (sidecar: SidecarReport) => Partial<SidecarReport>,
): PodReport {
  const containers = pod.containers.map((one) => (one.role === 'Sidecar' ? { ...one, ...change(one) } : one));
  return { ...pod, containers };
}

/** The report of `pods` stuck pods that ended, with something in every list. */
export function fullReport(pods: number, run: Partial<RunInfo> = {}): SweepReport {
  const candidates = Array.from({ length: pods }, (_, number) => candidateOf(number));
  const report = reportOf(
    started(run),
    { kind: 'ClusterIdentified', uid: '5f2c1a9e-8d1b-4c5e-9a77-0c1d2e3f4a5b' },
    ...listed(...candidates),
    planMade(...candidates),
    ...candidates.map((one) => endOf(one)),
    finished,
  );
  const waiting = {
    namespace: 'demo',
    requests: { cpu: 0, memory: 0 },
    mainsEndedAt: '2026-11-21T03:00:00.000Z',
    waiting: [{ name: 'sidecar', image: 'docker.io/local/busybox:1', reason: 'ImagePullBackOff' }],
  };
  return {
    ...report,
    totals: { ...report.totals, pods: { Ended: pods } },
    pods: report.pods.map((pod) => ({ ...pod, outcome: podOutcomes.Ended })),
    unread: [
      { namespace: 'secret', problem: 'Forbidden', message: 'no' },
      { problem: 'TimedOut', message: 'late' },
    ],
    undecided: [{ namespace: 'demo', name: 'odd', problem: 'no containers' }],
    excluded: [
      { namespace: 'demo', name: 'busy', because: [exclusions.MainRunning] },
      { namespace: 'demo', name: 'alone', because: [exclusions.NoSidecar] },
    ],
    neverStarted: [{ ...waiting, name: 'never', uid: 'uid-never' }],
    notStartedAgain: [
      { ...waiting, name: 'again-2', uid: 'uid-again-2' },
      { ...waiting, name: 'again-1', uid: 'uid-again-1' },
    ],
    warnings: Object.values(warnings),
  };
}

/** The names of the warnings that Node gives during the work, such as MaxListenersExceededWarning. */
export async function warningsDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
  const names: string[] = [];
  const hear = ({ name }: Error) => names.push(name);
  process.on('warning', hear);
  await work();
  await setImmediate();
  process.off('warning', hear);
  return names;
}
