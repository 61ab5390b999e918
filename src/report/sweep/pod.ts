import { describeStep } from '../../methods/index.ts';
import type { Candidate, Sidecar } from '../../model/verdict.ts';
import type { Attempt, PodConclusion } from '../../plan/sweep-event.ts';
import { type PlannedStep, type PodPlan, stepsFor, type Target, type Turn } from '../../plan/sweep-plan.ts';
import { Interned, internText } from '../../util/json.ts';
import type { Millis } from '../../util/time.ts';
import { iso, isoIfKnown } from '../format.ts';
import { reportCandidate } from '../judged-pods.ts';
import type { AttemptReport, ContainerReport, PlannedStepReport, PodReport } from '../schema.ts';
import { adviceOn } from '../texts/advice.ts';

const stepLists = new Interned<readonly PlannedStepReport[]>();
const results = new Interned<AttemptReport['result']>();

export function reportPod(
  candidate: Candidate,
  plan: PodPlan | undefined,
  concluded: PodConclusion,
  begun: Millis = 0,
): PodReport {
  const { pod, mains, sidecars } = candidate;
  const { outcome, harm } = concluded;
  const turnOf = ({ container }: Sidecar): Turn => {
    const target = targetOf(plan, container.name);
    return target?.kind === 'Planned' ? target.turn : 0;
  };
  return {
    ...reportCandidate(candidate),
    uncleanCost: plan?.uncleanCost ?? { kind: 'Nothing' },
    lastResort: (plan?.lastResort ?? []).map(reportStep),
    prediction: plan?.prediction ?? { phase: 'Unknown', job: 'Unknown' },
    containers: [
      ...mains.map((main) => ({ role: 'Main' as const, ...main, endedAt: iso(main.endedAt) })),
      ...sidecars
        .toSorted((one, other) => turnOf(one) - turnOf(other))
        .map((sidecar) => reportSidecar(sidecar, plan, concluded, begun)),
      ...pod.nativeSidecars.map(({ name, image }) => ({ role: 'NativeSidecar' as const, name, image })),
    ],
    outcome,
    harm: harm && { kind: harm.kind, permitted: harm.permitted, expected: harm.expected },
  };
}

function targetOf(plan: PodPlan | undefined, container: string): Target | undefined {
  return plan?.targets.find((one) => one.container === container);
}

function reportSidecar(
  { container: { name, image }, because }: Sidecar,
  plan: PodPlan | undefined,
  { targets }: PodConclusion,
  begun: Millis,
): ContainerReport {
  const planned = targetOf(plan, name);
  const target = targets.find((one) => one.container === name);
  const unfit = planned?.unfit ?? [];
  const attempts = (target?.attempts ?? []).map((one) => reportAttempt(one, name, begun));
  const unknown = { kind: 'Unproven', problem: 'nothing was concluded about it' } as const;
  const outcome = target?.outcome ?? unknown;
  const isAtStake = plan !== undefined && plan.uncleanCost.kind !== 'Nothing';
  return {
    role: 'Sidecar',
    name,
    image,
    because,
    steps: plan && planned?.kind === 'Planned' ? stepLists.of(stepsFor(planned, plan).map(reportStep)) : [],
    unfit,
    attempts,
    outcome,
    advice: adviceOn(outcome, { container: name, attempts, unfit, isAtStake }),
    endedAt: isoIfKnown(target?.endedAt),
  };
}

function reportStep(step: PlannedStep): PlannedStepReport {
  const { grace, blocked, raisesLimit } = step;
  return { ...inCommon(step), graceMs: grace, blocked, raisesBackoffLimit: raisesLimit };
}

function reportAttempt(
  { step, sentAt, duration, result, logs }: Attempt,
  container: string,
  begun: Millis,
): AttemptReport {
  return {
    ...inCommon(step),
    command: step.method === 'Command' ? step.command : undefined,
    // All blocked steps of a run get the same time, so that equal pods have equal records.
    sentAt: iso(result.kind === 'Blocked' ? begun : sentAt),
    durationMs: Math.round(duration),
    result: results.of(result),
    log: logs?.get(container),
  };
}

function inCommon(step: PlannedStep) {
  const { method, source, exitCode, whyUnknown } = step;
  return { method, does: internText(describeStep(step)), source, expectedExitCode: exitCode, whyUnknown };
}
