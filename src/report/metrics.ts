import { type Counts, countKinds } from './counts.ts';
import { countUnresolved, exitCodes, isBraked } from './exit-code.ts';
import type { PodReport, SweepReport } from './schema.ts';
import { sidecarsOf } from './sweep/planned.ts';
import { describeContainer, describePod, harms } from './texts/outcomes.ts';
import { describeHang } from './texts/reasons.ts';

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

const long = 'of stuck pods, multiplied by how long they had been stuck';
const help = {
  build_info: 'The version of the sweeper that ran last',
  last_run_timestamp_seconds: 'When the last sweep ended',
  last_run_duration_seconds: 'How long the last sweep took',
  last_run_exit_code: 'The exit code of the last sweep',
  last_success_timestamp_seconds: 'When the last sweep ended that read everything and was not stopped early',
  listed_pods: 'Pods that the last sweep listed in its own shard',
  excluded_pods: 'Pods that were left alone, by reason',
  undecided_pods: 'Pods that were not judged, because their data is inconsistent',
  never_started_pods: 'Pods that are stuck because a sidecar never started',
  not_started_again_pods:
    'Pods that are stuck because a sidecar ended and cannot start again, as after a failed image swap',
  hanging_pods: 'Pods that hang for a reason that a sweep does not cure, by reason',
  unresolved_pods: 'Pods that the last sweep left stuck or blocked, unless it was asked to',
  braked: '1 if the plan was for too many pods, so that the last sweep sent nothing',
  unread_scopes: 'Parts of the scope that could not be listed',
  warnings: 'Warnings of the last sweep',
  harmed_pods: 'Pods with finished work that runs again or has failed by an act of the last sweep, by harm',
  stuck_pods: 'Pods that the last sweep found stuck, by outcome',
  reserved_cpu_cores: 'CPU requests of stuck pods, by outcome',
  reserved_memory_bytes: 'Memory requests of stuck pods, by outcome',
  reserved_cpu_core_seconds: `CPU requests ${long}`,
  reserved_memory_byte_seconds: `Memory requests ${long}`,
  oldest_stuck_age_seconds: 'How long the oldest stuck pod had been stuck, by outcome',
  sidecars: 'Sidecars of stuck pods, by outcome',
} as const;

/**
 * A sweep's report as metrics. No label names a pod, so that the number of time series stays small. Every kind has a sample, even if
 * there is none of it: a Pushgateway keeps the old value of a sample that is missing from a push.
 */
export function toFamilies(report: SweepReport, exitCode: number): readonly Family[] {
  const { run, totals, unread, warnings } = report;
  const finishedAt = seconds(run.finishedAt);
  const excluded = { NotRunning: 0, ...totals.excludedBecause };
  return [
    family('build_info', [{ labels: { version: run.version }, value: 1 }]),
    family('last_run_timestamp_seconds', finishedAt),
    family('last_run_duration_seconds', run.durationMs / 1000),
    family('last_run_exit_code', exitCode),
    ...(sawEverything(report, exitCode) ? [family('last_success_timestamp_seconds', finishedAt)] : []),
    family('listed_pods', totals.listed - totals.otherShards),
    family('excluded_pods', byKind('reason', Object.keys(excluded), excluded)),
    family('undecided_pods', totals.undecided),
    family('never_started_pods', totals.neverStarted),
    family('not_started_again_pods', totals.notStartedAgain),
    family('hanging_pods', byKind('reason', describeHang.kinds, totals.hanging)),
    family('unresolved_pods', countUnresolved(report)),
    family('braked', Number(isBraked(report))),
    family('unread_scopes', unread.length),
    family('warnings', warnings.length + totals.leftOut.warnings),
    family('harmed_pods', byKind('harm', Object.keys(harms), totals.harm)),
    ...measures(report),
    family('sidecars', countSidecars(report)),
  ];
}

/** Whether a sweep read everything and did its work to the end, even if pods are still stuck. */
function sawEverything(report: SweepReport, exitCode: number): boolean {
  const { run, unread } = report;
  return exitCode !== exitCodes.internal && unread.length === 0 && !run.stoppedEarly && !isBraked(report);
}

function family(name: keyof typeof help, value: number | readonly Sample[]): Family {
  const samples = typeof value === 'number' ? [{ labels: {}, value }] : value;
  const labels = [...new Set(samples.flatMap((sample) => Object.keys(sample.labels)))];
  return { name: `sidecar_sweeper_${name}`, help: help[name], labels, samples };
}

function byKind(label: string, kinds: readonly string[], counts: Counts): readonly Sample[] {
  return kinds.map((kind) => ({ labels: { [label]: kind }, value: counts[kind] ?? 0 }));
}

function measures({ pods, run: { asOf } }: SweepReport): readonly Family[] {
  const stuckFor = ({ mainsEndedAt }: PodReport) =>
    asOf === undefined ? 0 : Math.max(0, seconds(asOf) - seconds(mainsEndedAt));
  const byOutcome = (name: keyof typeof help, value: (found: readonly PodReport[]) => number) => {
    const of = (kind: string) => value(pods.filter(({ outcome }) => outcome.kind === kind));
    return family(
      name,
      describePod.kinds.map((outcome) => ({ labels: { outcome }, value: of(outcome) })),
    );
  };
  const sum = (name: keyof typeof help, of: (pod: PodReport) => number) =>
    byOutcome(name, (found) => found.reduce((total, pod) => total + of(pod), 0));
  return [
    sum('stuck_pods', () => 1),
    sum('reserved_cpu_cores', ({ requests }) => requests.cpu),
    sum('reserved_memory_bytes', ({ requests }) => requests.memory),
    sum('reserved_cpu_core_seconds', (pod) => pod.requests.cpu * stuckFor(pod)),
    sum('reserved_memory_byte_seconds', (pod) => pod.requests.memory * stuckFor(pod)),
    byOutcome('oldest_stuck_age_seconds', (found) =>
      found.reduce((most, pod) => Math.max(most, stuckFor(pod)), 0),
    ),
  ];
}

/** By outcome and its reason, the method tried last, and the profile that matched the sidecar. */
function countSidecars({ pods }: SweepReport): readonly Sample[] {
  const labels = (outcome: string, reason = 'none', method = 'none', profile = 'none') =>
    JSON.stringify({ outcome, reason, method, profile });
  const found = pods.flatMap(sidecarsOf).map(({ outcome, attempts, because }) => {
    const reason = outcome.kind === 'StillRunning' ? outcome.because.kind : undefined;
    const profile = because.kind === 'Catalogue' ? because.profile : undefined;
    return labels(outcome.kind, reason, attempts.at(-1)?.method, profile);
  });
  const counts = countKinds(found);
  const all = new Set([...describeContainer.kinds.map((outcome) => labels(outcome)), ...found]);
  return [...all].map((key) => ({ labels: JSON.parse(key), value: counts[key] ?? 0 }));
}

function seconds(time: string): number {
  return Date.parse(time) / 1000;
}
