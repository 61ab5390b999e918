import { Gauge, Registry } from 'prom-client';
import { type Counts, countKinds } from './counts.ts';
import { countUnresolved, exitCodes, isBraked } from './exit-code.ts';
import type { PodReport, SweepReport } from './schema.ts';
import { sidecarsOf } from './sweep/planned.ts';
import { describeContainer, describePod, harms } from './texts/outcomes.ts';
import { describeHang } from './texts/reasons.ts';

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/**
 * A sweep's report as metrics. No label names a pod, so that the number of time series stays small. Every kind has a sample, even if
 * there is none of it: a Pushgateway keeps the old value of a sample that is missing from a push.
 */
export function toMetrics(report: SweepReport, exitCode: number): Registry {
  const { run, totals, unread, warnings, pods, asOf } = report;
  const registry = new Registry();
  const add = (name: string, help: string, value: number | readonly Sample[]) => {
    const samples: readonly Sample[] = typeof value === 'number' ? [[{}, value]] : value;
    const labelNames = [...new Set(samples.flatMap(([labels]) => Object.keys(labels)))];
    const gauge = new Gauge({ name: `sidecar_sweeper_${name}`, help, labelNames, registers: [registry] });
    for (const [labels, value] of samples) gauge.set(labels, value);
  };
  const byOutcome = (name: string, help: string, value: (found: readonly PodReport[]) => number) => {
    const of = (kind: string) => value(pods.filter(({ outcome }) => outcome.kind === kind));
    add(
      name,
      help,
      describePod.kinds.map((outcome) => [{ outcome }, of(outcome)]),
    );
  };
  const sum = (name: string, help: string, of: (pod: PodReport) => number) =>
    byOutcome(name, help, (found) => found.reduce((total, pod) => total + of(pod), 0));
  const finishedAt = seconds(run.finishedAt);
  const excluded = { NotRunning: 0, ...totals.excludedBecause };
  const stuckFor = ({ mainsEndedAt }: PodReport) =>
    asOf === undefined ? 0 : Math.max(0, seconds(asOf) - seconds(mainsEndedAt));
  const long = 'of stuck pods, multiplied by how long they had been stuck';

  add('build_info', 'The version of the sweeper that ran last', [[{ version: run.version }, 1]]);
  add('last_run_timestamp_seconds', 'When the last sweep ended', finishedAt);
  add('last_run_duration_seconds', 'How long the last sweep took', run.durationMs / 1000);
  add('last_run_exit_code', 'The exit code of the last sweep', exitCode);
  if (sawEverything(report, exitCode)) {
    const success = 'When a sweep last read everything and was not stopped early';
    add('last_success_timestamp_seconds', success, finishedAt);
  }
  const listed = totals.listed - totals.otherShards;
  add('listed_pods', 'Pods that the last sweep listed in its own shard', listed);
  const reasons = Object.keys(excluded);
  add('excluded_pods', 'Pods that were left alone, by reason', byKind('reason', reasons, excluded));
  const odd = 'Pods that were not judged, because their data is inconsistent';
  add('undecided_pods', odd, totals.undecided);
  const waiting = 'Pods that are stuck because a sidecar never started';
  add('never_started_pods', waiting, totals.neverStarted);
  const ended =
    'Pods that are stuck because a sidecar ended and cannot start again, as after a failed image swap';
  add('not_started_again_pods', ended, totals.notStartedAgain);
  const hanging = 'Pods that hang for a reason that a sweep does not cure, by reason';
  add('hanging_pods', hanging, byKind('reason', describeHang.kinds, totals.hanging));
  const unresolved =
    'Pods that the last sweep left stuck or blocked, except those that a cap or a dry run left';
  add('unresolved_pods', unresolved, countUnresolved(report));
  const braked = '1 if the plan was for too many pods, so that the last sweep sent nothing';
  add('braked', braked, Number(isBraked(report)));
  add('unread_scopes', 'Parts of the scope that could not be listed', unread.length);
  add('warnings', 'Warnings of the last sweep', warnings.length + totals.leftOut.warnings);
  const harmed = 'Pods with finished work that runs again or has failed because of the last sweep, by harm';
  add('harmed_pods', harmed, byKind('harm', Object.keys(harms), totals.harm));
  sum('stuck_pods', 'Pods that the last sweep found stuck, by outcome', () => 1);
  sum('reserved_cpu_cores', 'CPU requests of stuck pods, by outcome', ({ requests }) => requests.cpu);
  sum('reserved_memory_bytes', 'Memory requests of stuck pods, by outcome', (pod) => pod.requests.memory);
  sum('reserved_cpu_core_seconds', `CPU requests ${long}`, (pod) => pod.requests.cpu * stuckFor(pod));
  sum(
    'reserved_memory_byte_seconds',
    `Memory requests ${long}`,
    (pod) => pod.requests.memory * stuckFor(pod),
  );
  const oldest = 'How long the oldest stuck pod had been stuck, by outcome';
  byOutcome('oldest_stuck_age_seconds', oldest, (found) =>
    found.reduce((most, pod) => Math.max(most, stuckFor(pod)), 0),
  );
  add('sidecars', 'Sidecars of stuck pods, by outcome', countSidecars(report));
  return registry;
}

function sawEverything(report: SweepReport, exitCode: number): boolean {
  const { run, unread } = report;
  return exitCode !== exitCodes.internal && unread.length === 0 && !run.stoppedEarly && !isBraked(report);
}

function byKind(label: string, kinds: readonly string[], counts: Counts): readonly Sample[] {
  return kinds.map((kind) => [{ [label]: kind }, counts[kind] ?? 0]);
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
  return [...all].map((key) => [JSON.parse(key), counts[key] ?? 0]);
}

function seconds(time: string): number {
  return Date.parse(time) / 1000;
}
