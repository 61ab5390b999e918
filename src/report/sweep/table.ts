import { formatDuration } from '../../duration.ts';
import { printable } from '../../printable.ts';
import type { Clearance, ContainerOutcome } from '../../vocabulary.ts';
import { columns, type Paint, paintIf, type Style } from '../columns.ts';
import { count, describeCounts, describeSidecars } from '../counts.ts';
import { isCap } from '../exit-code.ts';
import type {
  ContainerReport,
  PodReport,
  SweepReport,
  UndecidedReport,
  WaitingPodReport,
} from '../schema.ts';
import { describeContainer, describeHarm, describeJob, describePod } from '../texts/outcomes.ts';
import { describeExclusion, describeRemark, pageOf } from '../texts/reasons.ts';
import { takesLogs } from '../texts/steps.ts';
import { describeLeftOut, describeWarning } from '../texts/warnings.ts';
import { elapsed } from '../times.ts';

type SidecarReport = Extract<ContainerReport, { readonly role: 'Sidecar' }>;

/** The report for people: a row for each sidecar, then the totals. */
export function renderTable(report: SweepReport, style: Style): string {
  const paint = paintIf(style);
  const lines: string[] = [];
  if (report.pods.length > 0) lines.push(rows(report, paint), '');
  for (const warning of report.warnings)
    lines.push(paint('yellow', printable(`warning: ${describeWarning(warning)}`)));
  for (const [advice, sidecars] of advices(report))
    lines.push(paint('yellow', printable(`to do (${count(sidecars, 'sidecar')}): ${advice}`)));
  for (const { namespace, name, problem } of report.undecided) {
    lines.push(paint('yellow', printable(describeUndecided({ namespace, name, problem }))));
  }
  for (const pod of report.neverStarted) {
    lines.push(paint('yellow', printable(describeNeverStarted(pod, report.run.asOf))));
  }
  for (const pod of report.notStartedAgain) {
    lines.push(paint('yellow', printable(describeNotStartedAgain(pod, report.run.asOf))));
  }
  const { pods, neverStarted, notStartedAgain } = report;
  for (const { namespace, name, remarks } of [...pods, ...neverStarted, ...notStartedAgain]) {
    for (const remark of remarks)
      lines.push(paint('yellow', printable(`remark: ${namespace}/${name}: ${describeRemark(remark)}`)));
  }
  for (const { namespace, name, because, remarks } of report.excluded ?? []) {
    const reasons = [
      ...because.map((reason) => `${describeExclusion(reason)} (${reason.kind})`),
      ...remarks.map(describeRemark),
    ];
    lines.push(printable(`left alone: ${namespace}/${name}: ${reasons.join('; ')}`));
  }
  lines.push(...describeLeftOut(report.totals.leftOut), ...leftAlone(report), summary(report));
  return `${lines.join('\n')}\n`;
}

/** Every advice, with the number of sidecars that it is about. */
function advices({ pods }: SweepReport): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const container of pods.flatMap(({ containers }) => containers)) {
    if (container.role !== 'Sidecar' || container.advice === undefined) continue;
    all.set(container.advice, (all.get(container.advice) ?? 0) + 1);
  }
  return all;
}

function rows(report: SweepReport, paint: Paint): string {
  const { dryRun } = report.run;
  const { asOf } = report.run;
  const cells = report.pods.flatMap((pod) =>
    pod.containers.flatMap((container) => {
      if (container.role !== 'Sidecar') return [];
      const { name, outcome } = container;
      const stuckFor = elapsed(pod.mainsEndedAt, asOf);
      const told = dryRun ? expected(pod, container) : happened(pod, outcome, paint);
      return [[printable(pod.namespace), printable(pod.name), stuckFor, printable(name), ...told]];
    }),
  );
  const last = dryRun ? ['WOULD DO', 'POD THEN', 'JOB THEN'] : ['OUTCOME', 'POD NOW', 'JOB'];
  return columns(['NAMESPACE', 'POD', 'STUCK FOR', 'SIDECAR', ...last], cells, paint);
}

function happened(pod: PodReport, outcome: ContainerOutcome, paint: Paint): readonly string[] {
  return [
    paint(styleOf(outcome), printable(describeContainer(outcome))),
    describePod(pod.outcome),
    jobNow(pod, paint),
  ];
}

function jobNow({ outcome, harm }: PodReport, paint: Paint): string {
  const job = 'job' in outcome ? printable(describeJob(outcome.job)) : '';
  return harm ? paint('red', job === '' ? describeHarm(harm.kind) : job) : job;
}

/** What a dry run expects: the first step that would be taken, and what would become of the pod. */
function expected(pod: PodReport, { steps, outcome }: SidecarReport): readonly string[] {
  const { phase, job } = pod.prediction;
  const planned = [...steps, ...pod.lastResort];
  if (outcome.kind === 'NotAttempted' && isCap(outcome.reason)) return [describeContainer(outcome), '', ''];
  const first = planned.find(({ clearance }) => isExpected[clearance]);
  const would = first
    ? `${first.does}${takesLogs(first) ? ' (its own logs are then gone)' : ''}${first.clearance === 'Free' ? '' : ' (after one pod that is started alike)'}`
    : planned.length > 0
      ? 'hold it: finished work would run again or fail'
      : describeContainer(outcome);
  return [printable(would), phase === 'Unknown' ? 'unknown' : phase, expectedJob[job]];
}

const isExpected: Record<Clearance, boolean> = {
  Free: true,
  Canary: true,
  Follower: true,
  KnownUnclean: false,
  Forbidden: false,
};

const expectedJob: Record<PodReport['prediction']['job'], string> = {
  NoJob: '',
  Completes: 'Complete',
  RunsAgain: 'runs again',
  IndexFails: 'index fails',
  Fails: 'Failed',
  StaysActive: 'active',
  Unknown: 'unknown',
};

function styleOf(outcome: ContainerOutcome): 'green' | 'yellow' | 'red' {
  switch (outcome.kind) {
    case 'Stopped':
    case 'AlreadyEnded':
      return outcome.exitCode === 0 ? 'green' : 'yellow';
    case 'Gone':
    case 'Replaced':
      return 'green';
    case 'Skipped':
    case 'NotAttempted':
      return 'yellow';
    case 'StillRunning':
      return outcome.because.kind === 'Held' ? 'yellow' : 'red';
    case 'Restarted':
    case 'NotStarted':
    case 'Unproven':
      return 'red';
  }
}

export function summary({ totals, run }: SweepReport): string {
  const { listed, otherShards, candidates } = totals;
  const elsewhere = otherShards > 0 ? ` (${otherShards} for other shards)` : '';
  const found = `${count(listed, 'pod')} listed${elsewhere}, ${candidates} stuck`;
  const outcomes = describeSidecars(totals);
  const done = outcomes === '' ? '' : `; sidecars: ${outcomes}`;
  const left = describeCounts(totals.leftForNext);
  const next = left === '' ? '' : `; left for the next sweep: ${left}`;
  const harm = describeCounts(totals.harm);
  const harmed = harm === '' ? '' : `; harm: ${harm}`;
  const how = run.dryRun ? ' (dry run)' : run.stoppedEarly ? ` (stopped early: ${run.stoppedEarly})` : '';
  return `${found}${done}${next}${harmed} in ${formatDuration(run.durationMs)}${how}`;
}

/** A pod whose mains have ended, and the sidecars that are waiting to start. */
export function describeNeverStarted(
  { namespace, name, waiting, mainsEndedAt }: WaitingPodReport,
  asOf: string | undefined,
): string {
  const sidecars = waiting.map((sidecar) => `${sidecar.name} is waiting (${sidecar.reason})`).join(', ');
  const age = elapsed(mainsEndedAt, asOf);
  return `never started: ${namespace}/${name}: ${sidecars}, and its mains ended ${age} ago; see ${pageOf('NeverStarted')}`;
}

/** A pod whose mains have ended, and the sidecars that have ended too and cannot start again. */
export function describeNotStartedAgain(
  { namespace, name, waiting, mainsEndedAt }: WaitingPodReport,
  asOf: string | undefined,
): string {
  const sidecars = waiting
    .map((sidecar) => `${sidecar.name} has ended, and ${sidecar.image} does not start (${sidecar.reason})`)
    .join(', ');
  const age = elapsed(mainsEndedAt, asOf);
  return `not started again: ${namespace}/${name}: ${sidecars}, and its mains ended ${age} ago; see ${pageOf('NotStartedAgain')}`;
}

/** A pod whose own data is inconsistent, and the problem. */
export function describeUndecided({ namespace, name, problem }: UndecidedReport): string {
  return `undecided: ${namespace}/${name}: ${problem}; see ${pageOf('Undecided')}`;
}

/** How many pods were left alone for each reason, and where the reasons are explained. */
function leftAlone({ totals, excluded }: SweepReport): readonly string[] {
  if (totals.excluded === 0) return [];
  const more = excluded ? '' : '; --verbose lists them';
  return [
    `${count(totals.excluded, 'pod')} left alone: ${describeCounts(totals.excludedBecause)} (see docs/reasons${more})`,
  ];
}
