import { concludePod, concludeTarget } from '../../src/apply/conclude.ts';
import { planSweep } from '../../src/plan/plan.ts';
import { ReportFold } from '../../src/report/fold.ts';
import type { SweepReport } from '../../src/report/schema.ts';
import type {
  Candidate,
  JobReaction,
  Observation,
  PodConclusion,
  PodPlan,
  PodReading,
  PodRef,
  RunInfo,
  SweepEvent,
  Verdict,
} from '../../src/types.ts';
import { attempt } from './plan.ts';
import { now } from './pod-view.ts';
import { policy } from './policy.ts';

/** Nobody's pod: refs differ by their number. */
export function podRef(number: number): PodRef {
  return { namespace: 'demo', name: `pod-${number}`, uid: `uid-${number}` };
}

export function started(run: Partial<RunInfo> = {}): SweepEvent {
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

/** The events of a list and its verdicts. */
export function listed(...verdicts: readonly Verdict[]): readonly SweepEvent[] {
  return [
    { kind: 'PageListed', pods: verdicts.length, malformed: [] },
    ...verdicts.map((verdict): SweepEvent => ({ kind: 'PodJudged', verdict })),
  ];
}

export function planMade(...candidates: readonly Candidate[]): SweepEvent {
  return { kind: 'PlanMade', plan: planSweep(candidates, now) };
}

/** What comes of a pod whose planned sidecars got one accepted step each and then looked like this. */
export function concluded(
  { candidate, targets }: PodPlan,
  observation: Observation,
  reading: PodReading = { kind: 'Present', pod: candidate.pod, asOf: now },
  job: JobReaction = { kind: 'NoJob' },
): PodConclusion {
  const attempts = [attempt()];
  const conclusions = targets.map((target) =>
    target.kind === 'Skipped'
      ? { container: target.container, attempts: [], outcome: target.outcome, endedAt: undefined }
      : {
          container: target.container,
          attempts,
          outcome: concludeTarget(attempts, observation),
          endedAt: observation.kind === 'Exited' ? observation.finishedAt : undefined,
        },
  );
  const outcomes = conclusions.map(({ outcome }) => outcome);
  return { pod: candidate.pod.ref, targets: conclusions, outcome: concludePod(reading, outcomes, job) };
}

/** The report of these events. */
export function reportOf(...events: readonly SweepEvent[]): SweepReport {
  const fold = new ReportFold();
  for (const event of events) fold.hear(event);
  return fold.report();
}
