import type { ContainerOutcome } from '../../model/outcome.ts';
import { printable } from '../../util/text.ts';
import { formatDuration } from '../../util/time.ts';
import type { Column } from '../arrange.ts';
import { type Cell, columns, paragraph, type Style } from '../columns.ts';
import { count, describeCounts, describeFound, describeSidecars } from '../counts.ts';
import type { PodReport, SweepReport } from '../schema.ts';
import { describeContainer, describeHarm, describeJob, describePod, stops } from '../texts/outcomes.ts';
import { elapsed } from '../times.ts';
import { hangingToo, notes } from './notes.ts';
import { renderPlanned, type SidecarReport, sidecarsOf } from './planned.ts';

/** The report for people: a row for each sidecar, then the totals. */
export function renderTable(report: SweepReport, style: Style): string {
  const nothing = whyNothing(report, style);
  if (nothing !== undefined) return `${paragraph(nothing, style)}\n`;
  const rows = report.run.dryRun ? renderPlanned(report, style) : happened(report, style);
  return `${[...rows, ...notes(report, style), paragraph(summary(report), style)].join('\n')}\n`;
}

/** Why nothing was sent, if somebody on a terminal stopped the sweep before: what was planned has just been shown. */
function whyNothing({ pods, run, unread }: SweepReport, { width }: Style): string | undefined {
  const { stoppedEarly } = run;
  if (stoppedEarly === undefined || width === undefined || unread.length > 0) return undefined;
  const isUntouched = pods.every(({ outcome }) => outcome.kind === 'NotAttempted');
  return isUntouched ? `nothing was sent: ${stops[stoppedEarly]}` : undefined;
}

const head: readonly Column[] = [
  { title: 'NAMESPACE', isName: true },
  { title: 'POD', isName: true },
  { title: 'STUCK FOR', worth: 1 },
  { title: 'SIDECAR' },
  { title: 'OUTCOME', worth: 4, isProse: true },
  { title: 'POD NOW', worth: 3 },
  { title: 'JOB', worth: 2 },
  { title: 'NODE', isWide: true },
  { title: 'OWNER', isWide: true },
  { title: 'IMAGE', isWide: true },
];

/** More are a wall of text on a terminal, which has told of each as it ended. */
const mostRows = 50;

function happened({ pods, run }: SweepReport, style: Style): readonly string[] {
  if (pods.length === 0) return [];
  const all = pods.flatMap((pod) => sidecarsOf(pod).map((sidecar) => ({ pod, sidecar })));
  const isLong = style.width !== undefined && !style.wide && all.length > mostRows;
  const shown = isLong ? all.filter(({ sidecar }) => lookOf(sidecar.outcome) !== 'green') : all;
  const rows = shown.map(({ pod, sidecar }) => row(pod, sidecar, run.asOf));
  const others = all.length - shown.length;
  return [
    ...(rows.length > 0 ? [columns(head, rows, style)] : []),
    ...(others > 0
      ? [paragraph(`${count(others, 'sidecar')} ended well; -o wide lists them as well`, style)]
      : []),
    '',
  ];
}

function row(
  pod: PodReport,
  { name, image, outcome }: SidecarReport,
  asOf: string | undefined,
): readonly Cell[] {
  const { owner, node = '' } = pod;
  return [
    printable(pod.namespace),
    printable(pod.name),
    elapsed(pod.mainsEndedAt, asOf),
    printable(name),
    { look: lookOf(outcome), text: printable(describeContainer(outcome)) },
    describePod(pod.outcome),
    jobNow(pod),
    printable(node),
    owner ? printable(`${owner.kind}/${owner.name}`) : '',
    printable(image),
  ];
}

function jobNow({ outcome, harm }: PodReport): Cell {
  const job = 'job' in outcome ? printable(describeJob(outcome.job)) : '';
  return harm ? { look: 'red', text: job === '' ? describeHarm(harm.kind) : job } : job;
}

/** Whether it is what was wanted, was blocked or left, or needs somebody to look. */
export function lookOf(outcome: ContainerOutcome): 'green' | 'yellow' | 'red' {
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
      return outcome.because.kind === 'Blocked' ? 'yellow' : 'red';
    case 'Restarted':
    case 'NotStarted':
    case 'Unproven':
      return 'red';
  }
}

export function summary(report: SweepReport): string {
  const { totals, run } = report;
  const { listed, otherShards, candidates } = totals;
  const elsewhere = otherShards > 0 ? ` (${otherShards} for other shards)` : '';
  const stuck = `${candidates} stuck${hangingToo(report.hanging)}`;
  const found = describeFound(listed, report.unread, stuck, elsewhere);
  const outcomes = describeSidecars(totals);
  const done = outcomes === '' ? '' : `; sidecars: ${outcomes}`;
  const left = describeCounts(totals.leftForNext);
  const next = left === '' ? '' : `; left for the next sweep: ${left}`;
  const harm = describeCounts(totals.harm);
  const harmed = harm === '' ? '' : `; harm: ${harm}`;
  const how = run.dryRun ? ' (dry run)' : run.stoppedEarly ? ` (stopped early: ${run.stoppedEarly})` : '';
  return `${found}${done}${next}${harmed} in ${formatDuration(run.durationMs)}${how}`;
}
