import { endsPod } from '../../methods/index.ts';
import { mayBeSent } from '../../plan/sweep-plan.ts';
import type { Cell } from '../columns.ts';
import { elapsed, hasNone, many, number, requestsOf, reserved } from '../format.ts';
import { byAge, type Extent, type StuckSidecar, stuckTable } from '../groups.ts';
import { kindOf } from '../records/fields.ts';
import type { ContainerReport, PlannedStepReport, PodReport, SweepReport } from '../schema.ts';
import { caps, describeContainer, isCap } from '../texts/outcomes.ts';
import { afterUncleanEnd, expectedJobs, takesLogs, whyBlocked } from '../texts/steps.ts';
import type { Block } from '../view.ts';

export type SidecarReport = Extract<ContainerReport, { readonly role: 'Sidecar' }>;

export function sidecarsOf({ containers }: Pick<PodReport, 'containers'>): readonly SidecarReport[] {
  return containers.flatMap((container) => (container.role === 'Sidecar' ? container : []));
}

/** Whether a main failed: its pod fails and its Job reacts to that, however its sidecars end. */
export function hasFailed({ containers }: Pick<PodReport, 'containers'>): boolean {
  return containers.some((container) => container.role === 'Main' && container.exitCode !== 0);
}

function capOf({ outcome }: Pick<PodReport, 'outcome'>): string | undefined {
  return outcome.kind === 'NotAttempted' && isCap(outcome.reason) ? caps[outcome.reason] : undefined;
}

export function isLeftForNext(pod: Pick<PodReport, 'outcome'>): boolean {
  return capOf(pod) !== undefined;
}

/** `40 pods are left for the next sweep (--max-pods).` */
export function describeLeft(pods: readonly PodReport[], more = ''): readonly string[] {
  const left = pods.flatMap((pod) => capOf(pod) ?? []);
  if (left.length === 0) return [];
  const are = left.length === 1 ? 'pod is' : 'pods are';
  return [`${number(left.length)} ${more}${are} left for the next sweep (${[...new Set(left)].join(', ')}).`];
}

export function plannedBlocks({ pods, asOf }: SweepReport, extent: Extent): readonly Block[] {
  const taken = pods.filter((pod) => !isLeftForNext(pod));
  const rows = (extent.wide ? pods : taken).flatMap((pod) =>
    sidecarsOf(pod).map((sidecar) => rowOf(pod, sidecar)),
  );
  return [
    stuckTable(rows, { what: 'WOULD DO', after: 'THEN' }, asOf, extent),
    { kind: 'Sentences', texts: [...whatTheyHold(taken, asOf), ...describeLeft(pods, 'more ')] },
  ];
}

export function countPlanned({ pods }: SweepReport): { readonly pods: number; readonly sidecars: number } {
  const acts = pods.map((pod) => sidecarsOf(pod).filter((one) => stepsOf(pod, one).some(mayBeSent)).length);
  return { pods: acts.filter((sidecars) => sidecars > 0).length, sidecars: acts.reduce((a, b) => a + b, 0) };
}

function rowOf(pod: PodReport, sidecar: SidecarReport): StuckSidecar {
  const first = stepsOf(pod, sidecar).find(mayBeSent);
  const { name, image, outcome } = sidecar;
  return {
    pod,
    name,
    image,
    ...(first ? { what: wouldDo(pod, first) } : wouldNot(pod, sidecar)),
    after: isLeftForNext(pod) ? '' : after(pod),
    ...(outcome.kind === 'Skipped' && { kind: kindOf(outcome) }),
  };
}

/** Its own steps, and the last resort unless that leaves it out: a skipped sidecar ends only with its pod. */
function stepsOf(pod: PodReport, { outcome, steps, unfit }: SidecarReport): readonly PlannedStepReport[] {
  if (isLeftForNext(pod)) return [];
  const isSwappable = !unfit.some(
    ({ method, reason }) => method === 'ImageSwap' && (reason === 'NoPath' || reason === 'RestartsAlways'),
  );
  const isFor = ({ method }: PlannedStepReport) =>
    outcome.kind !== 'AlreadyEnded' &&
    (endsPod(method) || (outcome.kind === 'NotAttempted' && (isSwappable || method !== 'ImageSwap')));
  return [...steps, ...pod.lastResort.filter(isFor)];
}

function wouldDo(pod: PodReport, step: PlannedStepReport): Cell {
  const { does, expectedExitCode: code, raisesBackoffLimit } = step;
  const isClean = code === 0 || pod.uncleanCost.kind === 'Nothing';
  const unclean = code === undefined ? 'if it exits with a code other than 0,' : `it exits with ${code}, so`;
  const risks = [
    ...(isClean ? [] : [`${unclean} ${afterUncleanEnd(pod, step)}`]),
    ...(takesLogs(step) ? ['its own logs are gone after the swap'] : []),
    ...(raisesBackoffLimit ? ['the backoffLimit of its Job is raised if needed, and stays raised'] : []),
  ];
  return risks.length === 0
    ? does
    : { look: isClean ? undefined : 'yellow', text: `${does}: ${risks.join('; ')}` };
}

function wouldNot(pod: PodReport, sidecar: SidecarReport): Pick<StuckSidecar, 'what' | 'kind'> {
  const held = stepsOf(pod, sidecar).find(({ blocked }) => blocked);
  if (!held?.blocked) return { what: { look: 'yellow', text: describeContainer(sidecar.outcome) } };
  const text = `blocked: ${whyBlocked(held.blocked, pod, held)}`;
  const refused = sidecar.unfit.find(({ reason }) => reason === 'NotAdmitted');
  if (!refused) return { what: { look: 'yellow', text } };
  const kind = `${text}; its image swap is not admitted`;
  return { what: { look: 'yellow', text: `${kind}: ${refused.detail}` }, kind };
}

/** The expected end of its Job or, without one, of the pod. */
function after(pod: PodReport): Cell {
  const { job, phase } = pod.prediction;
  if (job === 'NoJob') return phase === 'Unknown' ? 'unknown' : phase;
  if (hasFailed(pod)) return `${expectedJobs[job]}, main failed`;
  const isBad = job === 'RunsAgain' || job === 'IndexFails' || job === 'Fails';
  return { look: isBad ? 'red' : undefined, text: expectedJobs[job] };
}

function whatTheyHold(pods: readonly PodReport[], asOf: string | undefined): readonly string[] {
  const [oldest] = pods.toSorted(byAge);
  if (!oldest) return [];
  const without = pods.filter(({ requests }) => hasNone(requests)).length;
  const held = without === pods.length ? 'without requests' : `holding ${reserved(requestsOf(pods))}`;
  const others = without > 0 && without < pods.length ? `; ${many(without, 'pod')} without requests` : '';
  return [
    `${many(pods.length, 'pod')} stuck for up to ${elapsed(oldest.mainsEndedAt, asOf)}, ${held}${others}.`,
  ];
}
