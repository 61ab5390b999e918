import type { Millis } from '../duration.ts';
import { jobOf } from '../pod/owner.ts';
import { willRestart } from '../pod/restart.ts';
import type { Policy } from '../policy/policy.ts';
import type { ContainerView, Facts, Owner, PodView } from '../vocabulary.ts';
import { minAgeOf } from './checks/age.ts';
import { judge } from './judge.ts';
import { assignRoles } from './roles.ts';

/**
 * The Job whose template could make a pod a candidate, by showing that the containers in the way were
 * injected; undefined if it could change nothing or is already known.
 */
export function jobToRead(
  pod: PodView,
  policy: Policy,
  now: Millis | undefined,
  facts: Facts,
): Owner | undefined {
  const owner = jobOf(pod);
  // Without a container that has ended, no pod is stuck, whoever its mains are.
  if (!pod.containers.some(({ state }) => state.kind === 'Terminated')) return undefined;
  if (!owner || pod.statusProblems.length > 0 || facts.jobContainers.has(owner.uid)) return undefined;
  // A main by stronger evidence than the template remains one, so that the pod is not a candidate.
  const minAge = minAgeOf(pod, policy);
  const injected = new Set(
    assignRoles(pod, { policy, facts })
      .filter(({ role, container }) => role === 'Main' && !hasEnded(container, pod, minAge, now))
      .map(({ container }) => container),
  );
  if (injected.size === 0) return undefined;
  const rest = pod.containers.filter((container) => !injected.has(container)).map(({ name }) => name);
  const supposed: Facts = { ...facts, jobContainers: new Map([[owner.uid, rest]]) };
  const { kind } = judge(pod, policy, now, supposed);
  switch (kind) {
    case 'Candidate':
    case 'NeverStarted':
    case 'NotStartedAgain':
      return owner;
    case 'Undecided':
    case 'Excluded':
      return undefined;
  }
}

/** Whether a container, counted as a main, would let the pod be a candidate. */
function hasEnded(
  container: ContainerView,
  pod: PodView,
  minAge: Millis | undefined,
  now: Millis | undefined,
): boolean {
  const { state } = container;
  if (state.kind !== 'Terminated' || willRestart(container, pod.restartPolicy, state.exitCode)) return false;
  if (state.finishedAt === undefined || now === undefined || minAge === undefined) return false;
  return now - state.finishedAt >= minAge;
}
