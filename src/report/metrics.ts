import type { HarmKind } from '../model/job.ts';
import type { ContainerOutcome, PodOutcome } from '../model/outcome.ts';
import type { Hang } from '../model/verdict.ts';
import { countUnresolved, exitCodes, isBraked } from './exit-code.ts';
import type { ContainerReport, PodReport, SweepReport } from './schema.ts';

/** A metric and its samples. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

type SidecarReport = Extract<ContainerReport, { role: 'Sidecar' }>;

/** A sweep's report as metrics. No label names a pod, so that the number of time series stays small. */
export function toFamilies(report: SweepReport, exitCode: number): readonly Family[] {
  const { run, totals, unread, warnings, pods } = report;
  return [
    gauge('build_info', 'The version of the sweeper that ran last', [
      { labels: { version: run.version }, value: 1 },
    ]),
    gauge('last_run_timestamp_seconds', 'When the last sweep ended', seconds(run.finishedAt)),
    gauge('last_run_duration_seconds', 'How long the last sweep took', run.durationMs / 1000),
    gauge('last_run_exit_code', 'The exit code of the last sweep', exitCode),
    ...(sawEverything(report, exitCode)
      ? [
          gauge(
            'last_success_timestamp_seconds',
            'When the last sweep ended that read everything and was not stopped early',
            seconds(run.finishedAt),
          ),
        ]
      : []),
    gauge(
      'listed_pods',
      'Pods that the last sweep listed in its own shard',
      totals.listed - totals.otherShards,
    ),
    gauge('excluded_pods', 'Pods that were left alone, by reason', [
      { labels: { reason: 'NotRunning' }, value: 0 },
      ...Object.entries(totals.excludedBecause).map(([reason, value]) => ({ labels: { reason }, value })),
    ]),
    gauge(
      'undecided_pods',
      'Pods that were not judged, because their data is inconsistent',
      totals.undecided,
    ),
    gauge('never_started_pods', 'Pods that are stuck because a sidecar never started', totals.neverStarted),
    gauge(
      'not_started_again_pods',
      'Pods that are stuck because a sidecar ended and cannot start again, as after a failed image swap',
      totals.notStartedAgain,
    ),
    gauge(
      'hanging_pods',
      'Pods that hang for a reason that a sweep does not cure, by reason',
      hangKinds.map((reason) => ({ labels: { reason }, value: totals.hanging[reason] ?? 0 })),
    ),
    gauge(
      'unresolved_pods',
      'Pods that the last sweep left stuck or blocked, unless it was asked to',
      countUnresolved(report),
    ),
    gauge(
      'braked',
      '1 if the plan was for too many pods, so that the last sweep sent nothing',
      isBraked(report) ? 1 : 0,
    ),
    gauge('unread_scopes', 'Parts of the scope that could not be listed', unread.length),
    gauge('warnings', 'Warnings of the last sweep', warnings.length + totals.leftOut.warnings),
    gauge(
      'harmed_pods',
      'Pods with finished work that runs again or has failed by an act of the last sweep, by harm',
      harmKinds.map((harm) => ({ labels: { harm }, value: totals.harm[harm] ?? 0 })),
    ),
    ...byOutcome(pods, [
      ['stuck_pods', 'Pods that the last sweep found stuck, by outcome', () => 1],
      ['reserved_cpu_cores', 'CPU requests of stuck pods, by outcome', ({ requests }) => requests.cpu],
      [
        'reserved_memory_bytes',
        'Memory requests of stuck pods, by outcome',
        ({ requests }) => requests.memory,
      ],
      [
        'reserved_cpu_core_seconds',
        'CPU requests of stuck pods, multiplied by how long they had been stuck',
        (pod) => pod.requests.cpu * stuckFor(pod, report),
      ],
      [
        'reserved_memory_byte_seconds',
        'Memory requests of stuck pods, multiplied by how long they had been stuck',
        (pod) => pod.requests.memory * stuckFor(pod, report),
      ],
    ]),
    gauge(
      'oldest_stuck_age_seconds',
      'How long the oldest stuck pod had been stuck, by outcome',
      outcomeKinds.map((outcome) => ({
        labels: { outcome },
        value: Math.max(0, ...withOutcome(pods, outcome).map((pod) => stuckFor(pod, report))),
      })),
    ),
    gauge('sidecars', 'Sidecars of stuck pods, by outcome', countSidecars(pods)),
  ];
}

/** Whether a sweep read everything and did its work to the end, even if pods are still stuck. */
function sawEverything(report: SweepReport, exitCode: number): boolean {
  const { run, unread } = report;
  return exitCode !== exitCodes.internal && unread.length === 0 && !run.stoppedEarly && !isBraked(report);
}

function gauge(name: string, help: string, value: number | readonly Sample[]): Family {
  const samples = typeof value === 'number' ? [{ labels: {}, value }] : value;
  const labels = [...new Set(samples.flatMap((sample) => Object.keys(sample.labels)))];
  return { name: `sidecar_sweeper_${name}`, help, labels, samples };
}

/**
 * Every outcome has a sample, even if no pod has it: a Pushgateway keeps the old value of a sample that is
 * missing from a push.
 */
const outcomeKinds = Object.keys({
  Ended: true,
  Gone: true,
  Blocked: true,
  NotAttempted: true,
  Replaced: true,
  Skipped: true,
  Stuck: true,
  Unproven: true,
  Unsettled: true,
} satisfies Record<PodOutcome['kind'], true>);

const harmKinds = Object.keys({
  IndexFailed: true,
  JobFailed: true,
  PodFailed: true,
  RunsAgain: true,
} satisfies Record<HarmKind, true>);

const hangKinds = Object.keys({
  MainNotRestarted: true,
  NativeSidecarRunsOn: true,
  ProxyEndedFirst: true,
  RestartPolicyDropped: true,
  StartupProbeStopped: true,
} satisfies Record<Hang['kind'], true>);

const sidecarOutcomes = Object.keys({
  AlreadyEnded: true,
  Gone: true,
  NotAttempted: true,
  NotStarted: true,
  Replaced: true,
  Restarted: true,
  Skipped: true,
  StillRunning: true,
  Stopped: true,
  Unproven: true,
} satisfies Record<ContainerOutcome['kind'], true>);

type Measure = readonly [name: string, help: string, of: (pod: PodReport) => number];

function byOutcome(pods: readonly PodReport[], measures: readonly Measure[]): readonly Family[] {
  return measures.map(([name, help, of]) =>
    gauge(
      name,
      help,
      outcomeKinds.map((outcome) => ({
        labels: { outcome },
        value: withOutcome(pods, outcome).reduce((sum, pod) => sum + of(pod), 0),
      })),
    ),
  );
}

function withOutcome(pods: readonly PodReport[], kind: string): readonly PodReport[] {
  return pods.filter(({ outcome }) => outcome.kind === kind);
}

/** Counts by outcome and its reason, the method tried last, and the profile that matched the sidecar. */
function countSidecars(pods: readonly PodReport[]): readonly Sample[] {
  const counts = new Map(sidecarOutcomes.map((outcome) => [sidecarKey(outcome, 'none', 'none', 'none'), 0]));
  for (const container of pods.flatMap(({ containers }) => containers)) {
    if (container.role !== 'Sidecar') continue;
    const key = sidecarKey(
      container.outcome.kind,
      reasonOf(container),
      methodOf(container),
      profileOf(container),
    );
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, value]) => ({ labels: JSON.parse(key), value }));
}

function sidecarKey(outcome: string, reason: string, method: string, profile: string): string {
  return JSON.stringify({ outcome, reason, method, profile });
}

/** Why the sidecar is still running. */
function reasonOf({ outcome }: SidecarReport): string {
  return outcome.kind === 'StillRunning' ? outcome.because.kind : 'none';
}

function methodOf({ attempts }: SidecarReport): string {
  return attempts.at(-1)?.method ?? 'none';
}

function profileOf({ because }: SidecarReport): string {
  return because.kind === 'Catalogue' ? because.profile : 'none';
}

/** How long the pod had been stuck when it was judged, in seconds by the server's clock; 0 if unknown. */
function stuckFor(pod: PodReport, { run }: SweepReport): number {
  return run.asOf === undefined ? 0 : Math.max(0, seconds(run.asOf) - seconds(pod.mainsEndedAt));
}

function seconds(time: string): number {
  return Date.parse(time) / 1000;
}
