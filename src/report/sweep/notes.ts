import type { PodName } from '../../model/pod.ts';
import type { Remark } from '../../model/verdict.ts';
import { count, describeCounts, Tally } from '../counts.ts';
import { elapsed } from '../format.ts';
import type { HangingPodReport, SweepReport, UndecidedReport, WaitingPodReport } from '../schema.ts';
import { describeExclusion, describeHang, describeRemark, pageOf } from '../texts/reasons.ts';
import { describeLeftOut, describeWarning } from '../texts/warnings.ts';
import { type Block, notes } from '../view.ts';

/** What a report says in sentences, below its rows. */
export function notesOn(report: SweepReport): readonly Block[] {
  const { pods, neverStarted, notStartedAgain, hanging, totals, run } = report;
  return [
    notes(
      [
        ...notesOnFound(report, run.asOf, advices(report)),
        ...notesOnRemarks([...pods, ...neverStarted, ...notStartedAgain, ...hanging]),
      ],
      'yellow',
    ),
    notes([...leftAloneByName(report), ...describeLeftOut(totals.leftOut), ...leftAlone(report)]),
  ];
}

type Found = Pick<SweepReport, 'warnings' | 'undecided' | 'neverStarted' | 'notStartedAgain' | 'hanging'>;

/** What was found besides stuck pods. */
export function notesOnFound(
  { warnings, undecided, neverStarted, notStartedAgain, hanging }: Found,
  asOf: string | undefined,
  advices: readonly string[] = [],
): readonly string[] {
  return [
    ...warnings.map((warning) => `warning: ${describeWarning(warning)}`),
    ...advices,
    ...undecided.map(describeUndecided),
    ...neverStarted.map((pod) => describeNeverStarted(pod, asOf)),
    ...notStartedAgain.map((pod) => describeNotStartedAgain(pod, asOf)),
    ...hanging.map((pod) => describeHangingPod(pod, asOf)),
  ];
}

export function notesOnRemarks(
  pods: readonly (PodName & { readonly remarks: readonly Remark[] })[],
): readonly string[] {
  return pods.flatMap(({ namespace, name, remarks }) =>
    remarks.map((remark) => `remark: ${namespace}/${name}: ${describeRemark(remark)}`),
  );
}

/** Every advice, with the number of sidecars that it is about. */
function advices({ pods }: SweepReport): readonly string[] {
  const all = new Tally();
  for (const container of pods.flatMap(({ containers }) => containers)) {
    if (container.role === 'Sidecar' && container.advice !== undefined) all.add(container.advice);
  }
  return all.entries().map(([advice, times]) => `to do (${count(times, 'sidecar')}): ${advice}`);
}

function leftAloneByName({ excluded = [] }: SweepReport): readonly string[] {
  return excluded.map(({ namespace, name, because, remarks }) => {
    const reasons = [
      ...because.map((reason) => `${describeExclusion(reason)} (${reason.kind})`),
      ...remarks.map(describeRemark),
    ];
    return `left alone: ${namespace}/${name}: ${reasons.join('; ')}`;
  });
}

/** A pod whose mains have ended, and the sidecars that are waiting to start. */
function describeNeverStarted(
  { namespace, name, waiting, mainsEndedAt }: WaitingPodReport,
  asOf: string | undefined,
): string {
  const sidecars = waiting.map((sidecar) => `${sidecar.name} is waiting (${sidecar.reason})`).join(', ');
  const age = elapsed(mainsEndedAt, asOf);
  return `never started: ${namespace}/${name}: ${sidecars}, and its mains ended ${age} ago; see ${pageOf('NeverStarted')}`;
}

/** A pod whose mains have ended, and the sidecars that have ended too and cannot start again. */
function describeNotStartedAgain(
  { namespace, name, waiting, mainsEndedAt }: WaitingPodReport,
  asOf: string | undefined,
): string {
  const sidecars = waiting
    .map((sidecar) => `${sidecar.name} has ended, and ${sidecar.image} does not start (${sidecar.reason})`)
    .join(', ');
  const age = elapsed(mainsEndedAt, asOf);
  return `not started again: ${namespace}/${name}: ${sidecars}, and its mains ended ${age} ago; see ${pageOf('NotStartedAgain')}`;
}

/** A pod that hangs for a reason that a sweep does not cure. */
function describeHangingPod(
  { namespace, name, since, hang, page }: HangingPodReport,
  asOf: string | undefined,
): string {
  return `hanging: ${namespace}/${name}, for ${elapsed(since, asOf)}: ${describeHang(hang)}; see ${page}`;
}

/** How many pods hang for another reason than a sidecar, if any do. */
export function hangingToo({ length }: readonly unknown[]): string {
  return length > 0 ? `, ${length} hanging otherwise` : '';
}

/** A pod whose own data is inconsistent, and the problem. */
function describeUndecided({ namespace, name, problem }: UndecidedReport): string {
  return `undecided: ${namespace}/${name}: ${problem}; see ${pageOf('Undecided')}`;
}

/** How many pods were left alone for each reason. A pod may have several, so that the numbers may be more than there are pods. */
export function describeReasons({
  excluded,
  excludedBecause,
}: Pick<SweepReport['totals'], 'excluded' | 'excludedBecause'>): string {
  const reasons = Object.values(excludedBecause).reduce((sum, times) => sum + times, 0);
  const several = reasons > excluded ? '; a pod counts for each of its reasons' : '';
  return `${describeCounts(excludedBecause)}${several}`;
}

/** How many pods were left alone for each reason, and where the reasons are explained. */
function leftAlone({ totals, excluded }: SweepReport): readonly string[] {
  if (totals.excluded === 0) return [];
  const more = excluded ? '' : '; --verbose lists them';
  return [
    `${count(totals.excluded, 'pod')} left alone: ${describeReasons(totals)} (explain --reason says what each means${more})`,
  ];
}
