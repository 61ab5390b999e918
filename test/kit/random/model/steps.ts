import type { PodConclusion, TargetConclusion } from '../../../../src/plan/sweep-event.ts';
import type { PlannedStep, PodPlan } from '../../../../src/plan/sweep-plan.ts';
import type { Ends } from './ends.ts';
import type { History } from './subject.ts';
import { containerOf } from './watch.ts';

/** Where the steps of a pod were taken out of order, or before the one before had its time. */
export function disordered(
  { pod, targets }: PodConclusion,
  plan: PodPlan | undefined,
  ends: Ends,
): readonly string[] {
  return targets.flatMap((target) => {
    const { container } = target;
    // One that has ended and was started again has shown before its time what came of a step.
    const hasEnded = (from: number, to: number) => ends.hasAny(pod.uid, container, from, to);
    return problemsOf(target, ladderOf(plan, container), hasEnded).map(
      (problem) => `${pod.name}/${container}: ${problem}`,
    );
  });
}

/** The steps that a sidecar may see, in this order. */
function ladderOf(plan: PodPlan | undefined, container: string): readonly PlannedStep[] {
  const target = plan?.targets.find((one) => one.container === container);
  if (!plan || target?.kind !== 'Planned') return [];
  return [...target.steps, ...(plan.swap ? [plan.swap] : []), ...target.uncertain, ...plan.lastResort];
}

function problemsOf(
  { attempts }: TargetConclusion,
  ladder: readonly PlannedStep[],
  hasEnded: (from: number, to: number) => boolean,
): readonly string[] {
  return attempts.flatMap(({ step, sentAt }, index) => {
    const rung = rungOf(step, ladder);
    const before = attempts[index - 1];
    if (rung < 0) return [`${step.method} is not in the plan`];
    if (!before) return [];
    const lower = rungOf(before.step, ladder);
    if (rung < lower) return [`${step.method} follows ${before.step.method}`];
    const early = before.sentAt + before.step.grace - sentAt;
    return rung > lower && mayWork(before.result.kind) && early > 0 && !hasEnded(before.sentAt, sentAt)
      ? [`${step.method} came ${early} ms before ${before.step.method} had its time`]
      : [];
  });
}

function rungOf(step: PlannedStep, ladder: readonly PlannedStep[]): number {
  return ladder.findIndex((one) => JSON.stringify(one) === JSON.stringify(step));
}

/** By the vocabulary: these results leave it open whether the sidecar is going to end. */
function mayWork(result: string): boolean {
  return result === 'Accepted' || result === 'Failed' || result === 'Unconfirmed';
}

/** A step that was answered must not come again; one whose answer was lost may come once more for each time that it was. */
export function sentTwice(sent: History['sent'], events: History['events']): readonly string[] {
  const arrived = sent.filter(({ request }) => request.status === 101 || isWritten(request.status));
  const keyOf = ({ request }: History['sent'][number]) => `${request.method} ${request.path}`;
  return [...new Set(arrived.map(keyOf))].flatMap((key) => {
    const same = arrived.filter((one) => keyOf(one) === key);
    const [first] = same;
    const lost = first ? unconfirmed(events, first.request.name, containerOf(first.request)) : 0;
    return same.length > 1 + lost ? [`${key} arrived ${same.length} times`] : [];
  });
}

function isWritten(status: number): boolean {
  return status >= 200 && status < 300;
}

/** How many answers were lost to requests for a container, or for the whole pod: those tell of each of its containers. */
function unconfirmed(events: History['events'], name: string, container: string | undefined): number {
  const sentAt = events.flatMap(({ event }) =>
    event.kind === 'StepSent' &&
    event.pod.name === name &&
    (container === undefined || event.container === container) &&
    event.attempt.result.kind === 'Unconfirmed'
      ? [event.attempt.sentAt]
      : [],
  );
  return new Set(sentAt).size;
}
