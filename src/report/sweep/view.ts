import type { ContainerOutcome } from '../../model/outcome.ts';
import { formatDuration } from '../../util/time.ts';
import type { Column } from '../arrange.ts';
import type { Cell, Style } from '../columns.ts';
import { count, describeCounts, describeFound, describeSidecars } from '../counts.ts';
import { elapsed } from '../format.ts';
import type { PodReport, SweepReport } from '../schema.ts';
import { describeContainer, describeHarm, describeJob, describePod, stops } from '../texts/outcomes.ts';
import { type Block, notes, sentence, type View } from '../view.ts';
import { hangingToo, notesOn } from './notes.ts';
import { plannedBlocks, type SidecarReport, sidecarsOf } from './planned.ts';

/** The report for people: a row for each sidecar, then the totals. */
export function sweepView(report: SweepReport, style: Pick<Style, 'width' | 'wide'>): View {
  const nothing = whyNothing(report, style);
  if (nothing !== undefined) return { sections: [[sentence(nothing)]] };
  const { table, notes } = report.run.dryRun
    ? plannedBlocks(report)
    : { table: happened(report, style), notes: [] };
  return { sections: [table, [...notes, ...notesOn(report), sentence(summary(report))]] };
}

/** Why nothing was sent, if the user stopped the sweep before: what was planned has just been shown. */
function whyNothing({ pods, run, unread }: SweepReport, { width }: Pick<Style, 'width'>): string | undefined {
  const { stoppedEarly } = run;
  if (stoppedEarly === undefined || width === undefined || unread.length > 0) return undefined;
  const isUntouched = pods.every(({ outcome }) => outcome.kind === 'NotAttempted');
  return isUntouched ? `nothing was sent: ${stops[stoppedEarly]}` : undefined;
}

const columns: readonly Column[] = [
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

/** A terminal has shown each sidecar as it ended, so a longer table has only those that did not end well. */
const mostRows = 50;

function happened(
  { pods, run }: SweepReport,
  { width, wide }: Pick<Style, 'width' | 'wide'>,
): readonly Block[] {
  const all = pods.flatMap((pod) => sidecarsOf(pod).map((sidecar) => ({ pod, sidecar })));
  const isLong = width !== undefined && !wide && all.length > mostRows;
  const shown = isLong ? all.filter(({ sidecar }) => lookOf(sidecar.outcome) !== 'green') : all;
  const rows = shown.map(({ pod, sidecar }) => row(pod, sidecar, run.asOf));
  const others = all.length - shown.length;
  return [
    { kind: 'Table', columns, rows },
    notes(others > 0 ? [`${count(others, 'sidecar')} ended well; -o wide lists them as well`] : []),
  ];
}

function row(
  pod: PodReport,
  { name, image, outcome }: SidecarReport,
  asOf: string | undefined,
): readonly Cell[] {
  const { owner, node = '' } = pod;
  return [
    pod.namespace,
    pod.name,
    elapsed(pod.mainsEndedAt, asOf),
    name,
    { look: lookOf(outcome), text: describeContainer(outcome) },
    describePod(pod.outcome),
    jobNow(pod),
    node,
    owner ? `${owner.kind}/${owner.name}` : '',
    image,
  ];
}

function jobNow({ outcome, harm }: PodReport): Cell {
  const job = 'job' in outcome ? describeJob(outcome.job) : '';
  return harm ? { look: 'red', text: job === '' ? describeHarm(harm.kind) : job } : job;
}

/** Whether it is what was wanted, was blocked or left, or needs a look. */
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

function summary(report: SweepReport): string {
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
