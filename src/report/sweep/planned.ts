import { endsPod } from '../../methods/index.ts';
import { mayBeSent } from '../../plan/sweep-plan.ts';
import type { Cell } from '../columns.ts';
import { elapsed, hasNone, many, number, reserved, sumOf } from '../format.ts';
import { byAge, type Extent, type StuckSidecar, stuckTable } from '../groups.ts';
import { kindOf } from '../records/fields.ts';
import type { ContainerReport, PlannedStepReport, PodReport, SweepReport } from '../schema.ts';
import { caps, describeContainer, isCap } from '../texts/outcomes.ts';
import { describeCost, expectedJobs, takesLogs, whyBlocked } from '../texts/steps.ts';
import { type Block, sentence } from '../view.ts';

export type SidecarReport = Extract<ContainerReport, { readonly role: 'Sidecar' }>;

export function plannedBlocks({ pods, run }: SweepReport, extent: Extent): readonly Block[] {
  const left = pods.filter(isLeftForNext);
  const taken = pods.filter((pod) => !isLeftForNext(pod));
  const rows = (extent.all ? pods : taken).flatMap((pod) =>
    sidecarsOf(pod).map((sidecar) => rowOf(pod, sidecar)),
  );
  const titles = { what: 'WOULD DO', after: 'THEN', other: 'ELSE' };
  return [
    stuckTable(rows, titles, run.asOf, extent),
    ...(taken.length > 0 ? [sentence(whatTheyHold(taken, run.asOf))] : []),
    ...(left.length > 0 ? [sentence(describeLeft(left, 'more '))] : []),
  ];
}

/** How many pods something would be sent to, and about how many of their sidecars. */
export function countPlanned({ pods }: SweepReport): { readonly pods: number; readonly sidecars: number } {
  const acts = pods.map((pod) => sidecarsOf(pod).filter((one) => stepsToSend(pod, one).length > 0).length);
  return { pods: acts.filter((sidecars) => sidecars > 0).length, sidecars: acts.reduce((a, b) => a + b, 0) };
}

export function sidecarsOf({ containers }: Pick<PodReport, 'containers'>): readonly SidecarReport[] {
  return containers.flatMap((container) => (container.role === 'Sidecar' ? container : []));
}

export function isLeftForNext({ outcome }: Pick<PodReport, 'outcome'>): boolean {
  return outcome.kind === 'NotAttempted' && isCap(outcome.reason);
}

/** `40 pods are left for the next run (--max-pods)`. */
export function describeLeft(left: readonly PodReport[], more = ''): string {
  const flags = new Set(
    left.flatMap(({ outcome }) =>
      outcome.kind === 'NotAttempted' && isCap(outcome.reason) ? caps[outcome.reason] : [],
    ),
  );
  const are = left.length === 1 ? 'pod is' : 'pods are';
  return `${number(left.length)} ${more}${are} left for the next run (${[...flags].join(', ')}).`;
}

function rowOf(pod: PodReport, sidecar: SidecarReport): StuckSidecar {
  const [first, ...others] = stepsToSend(pod, sidecar);
  const { name, image, outcome } = sidecar;
  return {
    pod,
    name,
    image,
    what: first ? wouldDo(pod, first) : wouldNot(pod, sidecar),
    after: isLeftForNext(pod) ? '' : after(pod),
    ...(!first && { kind: kindOf(outcome) }),
    other: others.map(({ does }) => does).join(', else '),
  };
}

/** The steps that the guard lets pass, as far as is known before anything is sent. */
function stepsToSend(pod: PodReport, sidecar: SidecarReport): readonly PlannedStepReport[] {
  return isLeftForNext(pod) ? [] : [...sidecar.steps, ...lastResortFor(pod, sidecar)].filter(mayBeSent);
}

/** A sidecar that nothing is sent to ends only with its pod, and one that cannot be swapped is left out of a swap. */
function lastResortFor(
  { lastResort }: PodReport,
  { outcome, unfit }: SidecarReport,
): readonly PlannedStepReport[] {
  if (outcome.kind === 'AlreadyEnded') return [];
  const isSwappable = !unfit.some(
    ({ method, reason }) => method === 'ImageSwap' && (reason === 'NoPath' || reason === 'RestartsAlways'),
  );
  return lastResort.filter(
    ({ method }) =>
      endsPod(method) || (outcome.kind === 'NotAttempted' && (isSwappable || method !== 'ImageSwap')),
  );
}

function wouldDo(pod: PodReport, step: PlannedStepReport): Cell {
  const { uncleanCost } = pod;
  const { does, expectedExitCode: code, raisesBackoffLimit } = step;
  const isClean = code === 0 || uncleanCost.kind === 'Nothing';
  const unclean = code === undefined ? 'if it exits with a code other than 0,' : `it exits with ${code}, so`;
  const risks = [
    ...(isClean ? [] : [`${unclean} the pod fails${describeCost(uncleanCost)}`]),
    ...(takesLogs(step) ? ['its own logs are gone after the swap'] : []),
    ...(raisesBackoffLimit
      ? ['the backoffLimit of its Job is raised if there is no room, and stays raised']
      : []),
  ];
  return risks.length === 0
    ? does
    : { look: isClean ? undefined : 'yellow', text: `${does}: ${risks.join('; ')}` };
}

function wouldNot(pod: PodReport, sidecar: SidecarReport): Cell {
  const blocked = isLeftForNext(pod)
    ? undefined
    : [...sidecar.steps, ...lastResortFor(pod, sidecar)].find((step) => step.blocked);
  const text = blocked?.blocked
    ? `blocked: ${whyBlocked(blocked.blocked, blocked.expectedExitCode, pod.uncleanCost)}`
    : describeContainer(sidecar.outcome);
  return { look: 'yellow', text };
}

/** What would become of its Job or, without one, of itself. */
function after(pod: PodReport): Cell {
  const { job, phase } = pod.prediction;
  if (job === 'NoJob') return phase === 'Unknown' ? 'unknown' : phase;
  if (hasFailed(pod)) return `${expectedJobs[job]}, main failed`;
  const isBad = job === 'RunsAgain' || job === 'IndexFails' || job === 'Fails';
  return { look: isBad ? 'red' : undefined, text: expectedJobs[job] };
}

/** Whether a main failed: its pod fails and its Job goes by that, however its sidecars end. */
export function hasFailed({ containers }: Pick<PodReport, 'containers'>): boolean {
  return containers.some((container) => container.role === 'Main' && container.exitCode !== 0);
}

function whatTheyHold(pods: readonly PodReport[], asOf: string | undefined): string {
  const [oldest] = pods.toSorted(byAge);
  const since = elapsed(oldest?.mainsEndedAt ?? '', asOf);
  const without = pods.filter(({ requests }) => hasNone(requests)).length;
  const held =
    without === pods.length
      ? 'Without requests, they reserve nothing'
      : `They hold ${reserved(sumOf(pods.map(({ requests }) => requests)))}`;
  const others = without > 0 && without < pods.length ? `; ${many(without, 'pod')} without requests` : '';
  return `${many(pods.length, 'pod')} stuck for up to ${since}. ${held}${others}.`;
}
