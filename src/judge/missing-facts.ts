import { type ContainerView, jobOf, type Owner, type PodView, willRestart } from '../model/pod.ts';
import type { Facts } from '../model/reading.ts';
import type { Verdict } from '../model/verdict.ts';
import type { Policy } from '../policy/policy.ts';
import type { Millis } from '../util/time.ts';
import { minAgeOf } from './checks.ts';
import { judge } from './judge.ts';
import { assignRoles } from './roles.ts';

/**
 * The Job whose template could change the verdict: it may show that the containers in the way were injected, or that an init
 * container was meant as a native sidecar. Undefined if it could change nothing or is already known.
 */
export function jobToRead(
  pod: PodView,
  policy: Policy,
  now: Millis | undefined,
  facts: Facts,
): Owner | undefined {
  const owner = jobOf(pod);
  if (!owner || pod.statusProblems.length > 0 || facts.jobContainers.has(owner.uid)) return undefined;
  const supposed = supposeInjected(pod, policy, now, facts, owner) ?? supposeNative(pod, facts, owner);
  if (!supposed) return undefined;
  const { kind } = judge(pod, policy, now, supposed);
  return kind === 'Undecided' || kind === 'Excluded' ? undefined : owner;
}

/** The node of a pod, if the verdict depends on whether it is ready. */
export function nodeToRead(
  verdict: Verdict,
  policy: Policy,
  now: Millis | undefined,
  facts: Facts,
): string | undefined {
  const { kind, pod } = verdict;
  const { node } = pod;
  if (kind === 'Candidate') return node;
  // If its node is ready, native sidecars that run beside ended mains show a hang.
  const hasRunning = pod.nativeSidecars.some(({ state }) => state.kind === 'Running');
  if (kind !== 'Excluded' || !hasRunning || node === undefined || facts.platforms.has(node)) return undefined;
  const supposed: Facts = { ...facts, platforms: new Map([[node, '']]) };
  return judge(pod, policy, now, supposed).kind === 'Hanging' ? node : undefined;
}

/** What if the template lacked the mains in the way? Those that stronger evidence than the template makes mains remain so. */
function supposeInjected(
  pod: PodView,
  policy: Policy,
  now: Millis | undefined,
  facts: Facts,
  owner: Owner,
): Facts | undefined {
  // A pod without an ended container is not stuck, whichever of its containers are mains.
  if (!pod.containers.some(({ state }) => state.kind === 'Terminated')) return undefined;
  const minAge = minAgeOf(pod, policy);
  const injected = new Set(
    assignRoles(pod, { policy, facts })
      .filter(({ role, container }) => role === 'Main' && !hasEnded(container, pod, minAge, now))
      .map(({ container }) => container),
  );
  if (injected.size === 0) return undefined;
  const rest = pod.containers.filter((container) => !injected.has(container)).map(({ name }) => name);
  return { ...facts, jobContainers: new Map([[owner.uid, rest]]) };
}

/** What if the template had the init container that runs as a native sidecar? */
function supposeNative(pod: PodView, facts: Facts, owner: Owner): Facts | undefined {
  const running = pod.initContainers.filter(({ state }) => state.kind === 'Running');
  if (running.length === 0) return undefined;
  return { ...facts, jobNativeSidecars: new Map([[owner.uid, running.map(({ name }) => name)]]) };
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
