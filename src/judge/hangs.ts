import { shortened } from '../model/bounds.ts';
import {
  type ContainerState,
  type ContainerView,
  type InitContainerView,
  jobOf,
  type NativeSidecarView,
  type PodView,
  willRestart,
} from '../model/pod.ts';
import { shows } from '../model/signs.ts';
import type { Exclusion, Hang } from '../model/verdict.ts';
import type { Profile } from '../policy/profile.ts';
import { findProfile, isNamedLike } from '../policy/profile.ts';
import type { Millis } from '../util/time.ts';
import { type ExclusionKind, minAgeOf, type Subject } from './checks.ts';

/** Looks for one way in which a pod hangs for a reason that a sweep does not cure. */
interface HangCheck {
  /** What such a pod is left alone for as well. If there is any other reason, that one counts, and nothing is looked for. */
  readonly entails: readonly ExclusionKind[];
  /** What the pod hangs on, if it has done so for at least `minAge`. */
  find(subject: Subject, now: Millis, minAge: Millis): FoundHang | undefined;
}

export interface FoundHang {
  readonly hang: Hang;
  readonly since: Millis;
}

/** Since when a container runs, if it has done so for that long; undefined if not, or if the time is missing or in the future. */
function runningSince(state: ContainerState, now: Millis, least: Millis): Millis | undefined {
  const since = state.kind === 'Running' ? state.startedAt : undefined;
  return since !== undefined && now - since >= least ? since : undefined;
}

/** Twice the longest back-off. https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy */
const longestWait: Millis = 10 * 60_000;

/**
 * After it was restarted itself, a kubelet 1.35 does not know that a native sidecar has passed its startup probe. While no regular
 * container runs, it takes the pod for one that has not begun, and restarts nothing. (kubernetes/kubernetes#136910, #137146)
 */
const mainNotRestarted: HangCheck = {
  entails: ['MainWillRestart', 'NoSidecar', 'NoRunningSidecar'],
  find({ pod, mains, facts }, now, minAge) {
    const since = allEndedAt(pod);
    const isLate = since !== undefined && now - since >= Math.max(minAge, longestWait);
    // Only of a node that is known to be ready: the kubelet of another one cannot restart anything.
    if (!isLate || !facts.platforms.has(pod.node ?? '') || !hasPassedProbe(pod, now)) return undefined;
    for (const { container } of mains) {
      const { name, state } = container;
      if (state.kind !== 'Terminated' || !willRestart(container, pod.restartPolicy, state.exitCode)) continue;
      return { hang: { kind: 'MainNotRestarted', container: name, exitCode: state.exitCode }, since };
    }
    return undefined;
  },
};

/** When the last of all regular containers ended; undefined if one has not, or a time is missing. */
function allEndedAt({ containers }: PodView): Millis | undefined {
  let last = -Infinity;
  for (const { state } of containers) {
    if (state.kind !== 'Terminated' || state.finishedAt === undefined) return undefined;
    last = Math.max(last, state.finishedAt);
  }
  return last;
}

function hasPassedProbe({ nativeSidecars }: PodView, now: Millis): boolean {
  return nativeSidecars.some(
    ({ state, started, startupLimit }) =>
      started && startupLimit !== undefined && runningSince(state, now, 0) !== undefined,
  );
}

/**
 * The kubelet sends TERM to native sidecars when the last main has ended, and kills them after the pod's grace period. One that
 * is deaf to TERM holds its pod for all of it, at every run. (buildkite/agent-stack-k8s#862)
 */
const nativeSidecarRunsOn: HangCheck = {
  entails: ['NoSidecar', 'NoRunningSidecar'],
  find({ pod, facts }, now, minAge) {
    const since = endedForGoodAt(pod);
    // Of a node that does not answer, the status would be out of date.
    const isKnown = facts.platforms.has(pod.node ?? '');
    if (since === undefined || now - since < minAge || !isKnown) return undefined;
    const deaf = pod.nativeSidecars.find(({ state }) => runningSince(state, now, 0) !== undefined);
    return deaf && { hang: { kind: 'NativeSidecarRunsOn', container: deaf.name, graceMs: pod.grace }, since };
  },
};

/** When the last regular container ended; undefined if one has not, or starts again, or a time is missing. */
function endedForGoodAt({ containers, restartPolicy }: PodView): number | undefined {
  let last = -Infinity;
  for (const container of containers) {
    const { state } = container;
    if (state.kind !== 'Terminated' || state.finishedAt === undefined) return undefined;
    if (willRestart(container, restartPolicy, state.exitCode)) return undefined;
    last = Math.max(last, state.finishedAt);
  }
  return last;
}

/**
 * A proxy that ends with 0 is not started again under Never and OnFailure, and takes the network of the mains with it, or their
 * database. They often hang then. (istio/istio#45627)
 *
 * A main that ends the proxy itself, because it needs it no more, is at work. So nothing is told if one of the mains has ended,
 * started after the proxy had ended, or may ask the database proxy to end, or if another proxy still runs.
 */
const proxyEndedFirst: HangCheck = {
  entails: ['MainRunning', 'NoRunningSidecar'],
  find(subject, now, minAge) {
    const { pod, mains, policy } = subject;
    const proxies = subject.sidecars.flatMap(({ container }) => {
      const profile = findProfile(policy.catalogue, pod, container);
      return profile && carries(profile) ? [{ container, profile }] : [];
    });
    const ended = proxies.flatMap(({ container, profile }) => {
      const at = endedAt(container, profile, pod);
      return at === undefined ? [] : [{ name: container.name, at }];
    });
    const [last] = ended.toSorted((a, b) => b.at - a.at);
    const [main] = mains;
    if (!last || !main || ended.length < proxies.length || now - last.at < minAge) return undefined;
    if (!mains.every(({ container: { state } }) => runsSinceBefore(state, last.at))) return undefined;
    return {
      hang: { kind: 'ProxyEndedFirst', container: last.name, main: main.container.name },
      since: last.at,
    };
  },
};

/** Whether the mains reach others through it. */
function carries({ mesh, database }: Profile): boolean {
  return mesh === true || database !== undefined;
}

/** When a proxy ended for good without being asked to; undefined if it did not. */
function endedAt(container: ContainerView, { database }: Profile, pod: PodView): Millis | undefined {
  const { state } = container;
  if (state.kind !== 'Terminated' || state.exitCode !== 0) return undefined;
  if (willRestart(container, pod.restartPolicy, state.exitCode)) return undefined;
  return database?.endsIf.some((sign) => shows(sign, pod, container)) ? undefined : state.finishedAt;
}

function runsSinceBefore(state: ContainerView['state'], time: Millis): boolean {
  return state.kind === 'Running' && state.startedAt !== undefined && state.startedAt < time;
}

/**
 * An old webhook or client that writes the pod back drops what it does not know, `restartPolicy` of an init container as well. What
 * was a native sidecar then has to end before anything else starts, and never does.
 * (aws/aws-app-mesh-controller-for-k8s#774, aws/amazon-eks-pod-identity-webhook#208, arangodb/kube-arangodb#1677)
 */
const restartPolicyDropped: HangCheck = {
  entails: ['NotRunning', 'NoSidecar', 'NoRunningSidecar', 'MainWaiting'],
  find(subject, now, minAge) {
    for (const init of subject.pod.initContainers) {
      const since = runningSince(init.state, now, minAge);
      // Only one ordinary init container runs at a time.
      if (since !== undefined) {
        const hang = meantAsNative(init, subject);
        return hang && { hang, since };
      }
    }
    return undefined;
  },
};

/** Whether the Job's template has it as a native sidecar, or an injector that makes native sidecars adds it. */
function meantAsNative(
  init: InitContainerView,
  { pod, facts, policy }: Pick<Subject, 'pod' | 'facts' | 'policy'>,
): Hang | undefined {
  const dropped = { kind: 'RestartPolicyDropped', container: init.name } as const;
  const job = jobOf(pod);
  if (job && facts.jobNativeSidecars.get(job.uid)?.includes(init.name)) {
    return { ...dropped, job: shortened(job.name) };
  }
  const profile = policy.catalogue.find((one) => isMadeNative(one) && isNamedLike(one, init));
  return profile && { ...dropped, profile: profile.name };
}

/** Others may be run to their end on purpose: Vault's agent has a flag for that. */
function isMadeNative({ cure, shows }: Profile): boolean {
  return shows === undefined && cure !== undefined && cure.switches.some(({ native }) => native);
}

/** Clocks differ, and the kubelet is not always on time. */
const slack: Millis = 60_000;

/**
 * If a native sidecar ends before its startup probe has passed, a kubelet 1.32, or an early 1.33 or 1.34, stops probing it in a pod
 * with restartPolicy Never. It is started again, never counts as started, and the mains never start. A probe that is run has an end:
 * the kubelet kills the container once it has failed often enough. (kubernetes/kubernetes#132826, #133072)
 */
const startupProbeStopped: HangCheck = {
  entails: ['NotRunning', 'NoSidecar', 'NoRunningSidecar', 'MainWaiting'],
  find({ pod }, now, minAge) {
    if (pod.restartPolicy !== 'Never') return undefined;
    for (const sidecar of pod.nativeSidecars) {
      const since = unprobedSince(sidecar, now, minAge);
      const { name: container, restartCount } = sidecar;
      if (since !== undefined)
        return { hang: { kind: 'StartupProbeStopped', container, restartCount }, since };
    }
    return undefined;
  },
};

/** Since when a sidecar has run for longer than its startup probe would let it. */
function unprobedSince(sidecar: NativeSidecarView, now: Millis, minAge: Millis): Millis | undefined {
  const { started, restartCount, startupLimit, state } = sidecar;
  if (started || restartCount === 0 || startupLimit === undefined) return undefined;
  return runningSince(state, now, Math.max(minAge, startupLimit + slack));
}

/** No two of them can be true of one pod. */
const hangs: readonly HangCheck[] = [
  restartPolicyDropped,
  startupProbeStopped,
  mainNotRestarted,
  proxyEndedFirst,
  nativeSidecarRunsOn,
];

/** What a pod that is left alone for these reasons hangs on; undefined if no known kind of hang fits, or if its min-age cannot be read. */
export function findHang(subject: Subject, because: readonly Exclusion[]): FoundHang | undefined {
  const { now } = subject;
  const minAge = minAgeOf(subject.pod, subject.policy);
  if (now === undefined || minAge === undefined) return undefined;
  for (const { entails, find } of hangs) {
    const isAlone = because.every(({ kind }) => kind !== 'NothingEnded' && entails.includes(kind));
    const found = isAlone ? find(subject, now, minAge) : undefined;
    if (found) return found;
  }
  return undefined;
}
