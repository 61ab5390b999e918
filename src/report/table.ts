import { formatDuration } from '../duration.ts';
import { printable } from '../printable.ts';
import type { ContainerOutcome, Millis } from '../vocabulary.ts';
import { columns, type Paint, paintIf } from './columns.ts';
import type { ContainerReport, PodReport, SweepReport } from './schema.ts';
import { describeContainer, describeJob, describePod } from './texts/outcomes.ts';
import { describeExclusion, describeRemark, pageOf } from './texts/reasons.ts';
import { describeWarning } from './texts/warnings.ts';

export interface TableOptions {
  readonly colour: boolean;
}

type SidecarReport = Extract<ContainerReport, { readonly role: 'Sidecar' }>;
type NeverStarted = SweepReport['neverStarted'][number];

/** The report for people: a row a sidecar, then what it comes to. */
export function renderTable(report: SweepReport, { colour }: TableOptions): string {
  const paint = paintIf(colour);
  const lines: string[] = [];
  if (report.pods.length > 0) lines.push(rows(report, paint), '');
  for (const warning of report.warnings)
    lines.push(paint('yellow', printable(`warning: ${describeWarning(warning)}`)));
  for (const { namespace, name, problem } of report.undecided) {
    lines.push(paint('yellow', printable(describeUndecided({ namespace, name, problem }))));
  }
  for (const pod of report.neverStarted) {
    lines.push(paint('yellow', printable(describeNeverStarted(pod, Date.parse(report.run.asOf ?? '')))));
  }
  for (const { namespace, name, remarks } of [...report.pods, ...report.neverStarted]) {
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
  lines.push(...leftAlone(report), summary(report));
  return `${lines.join('\n')}\n`;
}

function rows(report: SweepReport, paint: Paint): string {
  const { dryRun } = report.run;
  const asOf = Date.parse(report.run.asOf ?? '');
  const cells = report.pods.flatMap((pod) =>
    pod.containers.flatMap((container) => {
      if (container.role !== 'Sidecar') return [];
      const { name, outcome } = container;
      const stuckFor = formatDuration(asOf - Date.parse(pod.mainsEndedAt));
      const told = dryRun ? foreseen(pod, container) : happened(pod, outcome, paint);
      return [[printable(pod.namespace), printable(pod.name), stuckFor, printable(name), ...told]];
    }),
  );
  const last = dryRun ? ['WOULD', 'POD THEN', 'JOB THEN'] : ['OUTCOME', 'POD NOW', 'JOB'];
  return columns(['NAMESPACE', 'POD', 'STUCK FOR', 'SIDECAR', ...last], cells, paint);
}

function happened(pod: PodReport, outcome: ContainerOutcome, paint: Paint): readonly string[] {
  return [
    paint(styleOf(outcome), printable(describeContainer(outcome))),
    describePod(pod.outcome),
    pod.outcome.kind === 'Ended' ? printable(describeJob(pod.outcome.job)) : '',
  ];
}

/** What a dry run foresees: the first step that would be taken, and what would come of it. */
function foreseen(pod: PodReport, { steps, outcome }: SidecarReport): readonly string[] {
  const { phase, job } = pod.prediction;
  const planned = [...steps, ...pod.lastResort];
  const first = planned.find(({ clearance }) => clearance === 'Free' || clearance === 'Canary');
  const would = first
    ? `${first.does}${first.clearance === 'Canary' ? ' (one pod of the image first)' : ''}`
    : planned.length > 0
      ? 'hold it: its Job would run again'
      : describeContainer(outcome);
  return [printable(would), phase === 'Unknown' ? 'not known' : phase, foreseenJob[job]];
}

const foreseenJob: Record<PodReport['prediction']['job'], string> = {
  NoJob: '',
  Completes: 'Complete',
  RunsAgain: 'runs again',
  StaysActive: 'active',
  Unknown: 'not known',
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
    case 'Held':
      return 'yellow';
    case 'StillRunning':
    case 'Restarted':
    case 'Refused':
    case 'NoShell':
    case 'NoSuchProgram':
    case 'Unsupported':
    case 'Immune':
    case 'NotStarted':
    case 'Undelivered':
    case 'Unproven':
      return 'red';
  }
}

function summary({ totals, run }: SweepReport): string {
  const { listed, otherShards, candidates, sidecars } = totals;
  const outcomes = Object.entries(sidecars).map(([kind, count]) => `${count} ${kind}`);
  const elsewhere = otherShards > 0 ? ` (${otherShards} for other shards)` : '';
  const found = `${count(listed, 'pod')} listed${elsewhere}, ${candidates} stuck`;
  const done = outcomes.length > 0 ? `; sidecars: ${outcomes.join(', ')}` : '';
  const how = run.dryRun ? ' (dry run)' : run.stoppedEarly ? ` (stopped early: ${run.stoppedEarly})` : '';
  return `${found}${done} in ${formatDuration(run.durationMs)}${how}`;
}

/** What keeps a pod from starting that has done its work. */
export function describeNeverStarted(
  { namespace, name, waiting, mainsEndedAt }: NeverStarted,
  asOf: Millis,
): string {
  const sidecars = waiting.map((sidecar) => `${sidecar.name} waits (${sidecar.reason})`).join(', ');
  const age = formatDuration(asOf - Date.parse(mainsEndedAt));
  return `never started: ${namespace}/${name}: ${sidecars}, and its mains ended ${age} ago; see ${pageOf('NeverStarted')}`;
}

/** What of a pod's own data does not add up. */
export function describeUndecided({ namespace, name, problem }: SweepReport['undecided'][number]): string {
  return `undecided: ${namespace}/${name}: ${problem}; see ${pageOf('Undecided')}`;
}

/** How many pods were left alone for which reason, and where that is explained. */
function leftAlone({ totals, excluded }: SweepReport): readonly string[] {
  if (totals.excluded === 0) return [];
  const reasons = Object.entries(totals.excludedBecause).map(([kind, number]) => `${number} ${kind}`);
  const more = excluded ? '' : '; --verbose names them';
  return [`${count(totals.excluded, 'pod')} left alone: ${reasons.join(', ')} (see docs/reasons${more})`];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
