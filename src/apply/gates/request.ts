import { newImageOf, rbacOf } from '../../methods/index.ts';
import { jobKey, jobOf } from '../../model/pod.ts';
import { promiseOf } from '../../plan/promises.ts';
import type { Attempt } from '../../plan/sweep-event.ts';
import type { PlannedStep, PodPlan } from '../../plan/sweep-plan.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Action } from '../pod-run.ts';
import type { SendRequest } from './gate.ts';

type Rules = Pick<Policy, 'uncleanExit' | 'keepLogs'>;

/** The request that the gates decide on before a step is sent. */
export function requestForStep(
  plan: PodPlan,
  { id, step, watched, isAgain }: Omit<Extract<Action, { readonly kind: 'Send' }>, 'kind'>,
  policy: Rules,
): SendRequest {
  const { pod } = plan.candidate;
  const containers = watched.map(({ container }) => container);
  return {
    ...requestForPod(plan, policy),
    id: `${pod.ref.uid}/${id}`,
    // The gates' reservation for the first request of a step lasts until the step is over.
    promises: isAgain ? [] : promiseOf(plan, containers, step, policy.uncleanExit),
    restarts: isAgain ? 0 : restartsBy(step, containers.length, plan),
    // If the limit may be raised, the Job need not fail.
    mayFailJob: policy.uncleanExit === 'allow' && !step.raisesLimit,
    node: goesThroughNode(step, policy) ? pod.node : undefined,
  };
}

/** For a sidecar that ended after the time of its steps was over: any of them may have ended it. */
export function requestForEnd(
  plan: PodPlan,
  { container, attempts }: { readonly container: string; readonly attempts: readonly Attempt[] },
  policy: Rules,
): SendRequest {
  const promises = attempts.flatMap(({ step }) => promiseOf(plan, [container], step, policy.uncleanExit));
  return { ...requestForPod(plan, policy), promises: [...new Set(promises)] };
}

/** The request for a whole pod, of which no step is in flight. */
export function requestForPod(plan: PodPlan, { uncleanExit }: Rules): SendRequest {
  const { pod } = plan.candidate;
  const job = jobOf(pod);
  return {
    id: pod.ref.uid,
    pod,
    job: job && jobKey(pod.ref.namespace, job),
    cost: plan.uncleanCost.kind,
    promises: [],
    restarts: 0,
    mayFailJob: uncleanExit === 'allow',
    node: undefined,
  };
}

/** How many restarts an image swap adds to those that its Job counts under OnFailure: each no-op image is started once. */
function restartsBy(step: PlannedStep, sidecars: number, { candidate, uncleanCost }: PodPlan): number {
  const isCounted = uncleanCost.kind !== 'Nothing' && candidate.pod.restartPolicy === 'OnFailure';
  return isCounted && newImageOf(step) !== undefined ? sidecars : 0;
}

const throughKubelet = ['pods/exec', 'pods/portforward'];

/** Whether the API server forwards a request of the step to the kubelet of the pod's node. */
function goesThroughNode(step: PlannedStep, { keepLogs }: Rules): boolean {
  const readsLogs = keepLogs > 0 && newImageOf(step) !== undefined;
  const asksFor = rbacOf(step).flatMap(({ resources }) => resources);
  return readsLogs || asksFor.some((one) => throughKubelet.includes(one));
}
