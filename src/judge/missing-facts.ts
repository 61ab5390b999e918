import type { ContainerView, Facts, Millis, Owner, PodView, Policy } from '../vocabulary.ts';
import { minAgeOf } from './checks/age.ts';
import { judge } from './judge.ts';
import { willRestart } from './restart.ts';
import { assignRoles } from './roles.ts';

/**
 * The Job whose template could make a pod a candidate, because it may tell that the containers which stand in the
 * way were injected; undefined when it could change nothing or is known already.
 */
export function jobToRead(pod: PodView, policy: Policy, now: Millis, facts: Facts): Owner | undefined {
  const { owner } = pod;
  if (owner?.kind !== 'Job' || pod.statusProblems.length > 0 || facts.jobContainers.has(owner.uid))
    return undefined;
  // A main by stronger evidence than the template's remains one, and keeps the pod from being a candidate.
  const injected = assignRoles(pod, { policy, facts })
    .filter(({ role, container }) => role === 'Main' && !hasEnded(container, pod, policy, now))
    .map(({ container }) => container);
  if (injected.length === 0) return undefined;
  const rest = pod.containers.filter((container) => !injected.includes(container)).map(({ name }) => name);
  const supposed: Facts = { ...facts, jobContainers: new Map([[owner.uid, rest]]) };
  const { kind } = judge(pod, policy, now, supposed);
  return kind === 'Candidate' || kind === 'NeverStarted' ? owner : undefined;
}

/** Whether a container, taken for a main, would stand in nobody's way. */
function hasEnded(container: ContainerView, pod: PodView, policy: Policy, now: Millis): boolean {
  const { state } = container;
  if (state.kind !== 'Terminated' || willRestart(container, pod.restartPolicy, state.exitCode)) return false;
  return state.finishedAt !== undefined && now - state.finishedAt >= (minAgeOf(pod, policy) ?? Number.NaN);
}
