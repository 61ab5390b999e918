import { Gauge, Registry } from 'prom-client';
import { type Counts, countKinds } from '../util/groups.ts';
import { countUnresolved, exitCodes, isBraked } from './exit-code.ts';
import type { PodReport, SweepReport } from './schema.ts';
import { sidecarsOf } from './sweep/planned.ts';
import { describeContainer, describePod, harms } from './texts/outcomes.ts';
import { describeHang } from './texts/reasons.ts';

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** No label names a pod. Every kind has a sample, because a Pushgateway keeps what a push leaves out. */
export function toMetrics(report: SweepReport, exitCode: number): Registry {
  const { run, totals, unread, warnings, pods, asOf } = report;
  const finishedAt = seconds(run.finishedAt);
  const stuckFor = ({ mainsEndedAt }: PodReport) =>
    asOf === undefined ? 0 : Math.max(0, seconds(asOf) - seconds(mainsEndedAt));
  const byOutcome = (value: (found: readonly PodReport[]) => number): readonly Sample[] =>
    describePod.kinds.map((outcome) => [
      { outcome },
      value(pods.filter((pod) => pod.outcome.kind === outcome)),
    ]);
  const sum = (of: (pod: PodReport) => number) =>
    byOutcome((found) => found.reduce((total, pod) => total + of(pod), 0));
  const excluded = { NotRunning: 0, ...totals.excludedBecause };
  const long = 'of stuck pods, multiplied by how long they had been stuck';
  // biome-ignore format: one metric a line
  const gauges: Readonly<Record<string, readonly [help: string, value: number | readonly Sample[]]>> = {
    build_info: ['The version of the sweeper that ran last', [[{ version: run.version }, 1]]],
    last_run_timestamp_seconds: ['When the last sweep ended', finishedAt],
    last_run_duration_seconds: ['How long the last sweep took', run.durationMs / 1000],
    last_run_exit_code: ['The exit code of the last sweep', exitCode],
    ...(sawEverything(report, exitCode) && {
      last_success_timestamp_seconds: ['When a sweep last read everything and was not stopped early', finishedAt],
    }),
    listed_pods: ['Pods that the last sweep listed in its own shard', totals.listed - totals.otherShards],
    excluded_pods: ['Pods that were left alone, by reason', byKind('reason', Object.keys(excluded), excluded)],
    undecided_pods: ['Pods that were not judged, because their data is inconsistent', totals.undecided],
    never_started_pods: ['Pods that are stuck because a sidecar never started', totals.neverStarted],
    not_started_again_pods: ['Pods that are stuck because a sidecar ended and cannot start again', totals.notStartedAgain],
    hanging_pods: ['Pods that hang for a reason that a sweep does not cure, by reason', byKind('reason', describeHang.kinds, totals.hanging)],
    unresolved_pods: ['Pods that the last sweep left stuck or blocked, except those that a cap or a dry run left', countUnresolved(report)],
    braked: ['1 if the plan was for too many pods, so that the last sweep sent nothing', Number(isBraked(report))],
    unread_scopes: ['Parts of the scope that could not be listed', unread.length],
    warnings: ['Warnings of the last sweep', warnings.length + totals.leftOut.warnings],
    harmed_pods: ['Pods with finished work that runs again or has failed because of the last sweep, by harm', byKind('harm', Object.keys(harms), totals.harm)],
    stuck_pods: ['Pods that the last sweep found stuck, by outcome', sum(() => 1)],
    reserved_cpu_cores: ['CPU requests of stuck pods, by outcome', sum((pod) => pod.requests.cpu)],
    reserved_memory_bytes: ['Memory requests of stuck pods, by outcome', sum((pod) => pod.requests.memory)],
    reserved_cpu_core_seconds: [`CPU requests ${long}`, sum((pod) => pod.requests.cpu * stuckFor(pod))],
    reserved_memory_byte_seconds: [`Memory requests ${long}`, sum((pod) => pod.requests.memory * stuckFor(pod))],
    oldest_stuck_age_seconds: ['How long the oldest stuck pod had been stuck, by outcome', byOutcome((found) => found.reduce((most, pod) => Math.max(most, stuckFor(pod)), 0))],
    sidecars: ['Sidecars of stuck pods, by outcome', countSidecars(report)],
  };
  const registry = new Registry();
  for (const [name, [help, value]] of Object.entries(gauges)) {
    const samples: readonly Sample[] = typeof value === 'number' ? [[{}, value]] : value;
    const labelNames = [...new Set(samples.flatMap(([labels]) => Object.keys(labels)))];
    const gauge = new Gauge({ name: `sidecar_sweeper_${name}`, help, labelNames, registers: [registry] });
    for (const [labels, value] of samples) gauge.set(labels, value);
  }
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
