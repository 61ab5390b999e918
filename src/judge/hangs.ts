import { shortened } from '../model/bounds.ts';
import {
  type ContainerState,
  type ContainerView,
  type InitContainerView,
  jobOf,
  type PodView,
} from '../model/pod.ts';
import { platformOf } from '../model/reading.ts';
import { hasEndedForGood, willRestart } from '../model/restarts.ts';
import { shows } from '../model/signs.ts';
import type { Exclusion, Hang, Hanging } from '../model/verdict.ts';
import { findProfile, isNamedLike, type Profile } from '../policy/profile.ts';
import type { Millis } from '../util/time.ts';
import { type JudgedPod, lastEnd, minAgeOf } from './checks.ts';

interface HangCheck {
  /** The exclusions that such a pod has anyway. With any other, the pod is not examined. */
  readonly entails: readonly Exclusion['kind'][];
  /** The hang, if it has lasted for at least `minAge`. */
  find(judged: JudgedPod, now: Millis, minAge: Millis): FoundHang | undefined;
}

type FoundHang = Pick<Hanging, 'hang' | 'since'>;

/** Since when a container has been running; undefined if it is not, or for less than this time, or the time is unknown. */
function runningSince(state: ContainerState, now: Millis, least: Millis): Millis | undefined {
  const since = state.kind === 'Running' ? state.startedAt : undefined;
  return now - (since ?? Number.POSITIVE_INFINITY) >= least ? since : undefined;
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
    const since = lastEnd(pod.containers);
    if (since === undefined || now - since < Math.max(minAge, longestWait)) return undefined;
    // Only on a node that is known to be ready: no other kubelet can restart anything.
    if (platformOf(facts, pod) === undefined || !hasPassedProbe(pod, now)) return undefined;
    for (const { container } of mains) {
      const { name, state } = container;
      if (state.kind !== 'Terminated' || !willRestart(container, pod.restartPolicy, state.exitCode)) continue;
      return { hang: { kind: 'MainNotRestarted', container: name, exitCode: state.exitCode }, since };
    }
    return undefined;
  },
};

function hasPassedProbe({ nativeSidecars }: PodView, now: Millis): boolean {
  return nativeSidecars.some(
    ({ state, started, startupLimit }) =>
      started && startupLimit !== undefined && runningSince(state, now, 0) !== undefined,
  );
}

/**
 * The kubelet sends TERM to native sidecars when the last main has ended, and kills them after the pod's grace period. One that
 * ignores TERM delays its pod by all of it, in every run. (buildkite/agent-stack-k8s#862)
 */
const nativeSidecarRunsOn: HangCheck = {
  entails: ['NoSidecar', 'NoRunningSidecar'],
  find({ pod, facts }, now, minAge) {
    const since = lastEnd(pod.containers);
    const areEnded = pod.containers.every((container) => hasEndedForGood(container, pod));
    // If its node does not answer, the status is out of date.
    const isKnown = platformOf(facts, pod) !== undefined;
    if (since === undefined || !areEnded || now - since < minAge || !isKnown) return undefined;
    const running = pod.nativeSidecars.find(({ state }) => runningSince(state, now, 0) !== undefined);
    return (
      running && {
        hang: { kind: 'NativeSidecarRunsOn', container: running.name, graceMs: pod.grace },
        since,
      }
    );
  },
};

/**
 * A proxy that ends with 0 is not started again under Never and OnFailure, and takes the network of the mains with it, or the
 * way to their database. They often hang then. (istio/istio#45627)
 *
 * A main that ends the proxy itself, because it no longer needs it, is still working. So nothing is reported if one of the mains
 * has ended, started after the proxy had ended, or may ask the proxy to end, or if another proxy is still running.
 */
const proxyEndedFirst: HangCheck = {
  entails: ['MainRunning', 'NoRunningSidecar'],
  find({ pod, mains, sidecars, policy }, now, minAge) {
    const proxies = sidecars.flatMap(({ container }) => {
      const profile = findProfile(policy.catalogue, pod, container);
      return profile && isProxy(profile) ? [{ container, profile }] : [];
    });
    const ended = proxies.flatMap(({ container, profile }) => {
      const at = endedUnaskedAt(container, profile, pod);
      return at === undefined ? [] : [{ name: container.name, at }];
    });
    const [last] = ended.toSorted((a, b) => b.at - a.at);
    const [main] = mains;
    if (!last || !main || ended.length < proxies.length || now - last.at < minAge) return undefined;
    const ranBefore = mains.every(
      ({ container: { state } }) => runningSince(state, last.at, 1) !== undefined,
    );
    if (!ranBefore) return undefined;
    return {
      hang: { kind: 'ProxyEndedFirst', container: last.name, main: main.container.name },
      since: last.at,
    };
  },
};

/** Whether mains connect to others through it. */
function isProxy({ mesh, tunnel }: Profile): boolean {
  return mesh === true || tunnel?.endsIf !== undefined;
}

/** When a proxy ended for good without being asked to; undefined if it did not. */
function endedUnaskedAt(container: ContainerView, { tunnel }: Profile, pod: PodView): Millis | undefined {
  const { state } = container;
  if (state.kind !== 'Terminated' || state.exitCode !== 0 || !hasEndedForGood(container, pod))
    return undefined;
  return tunnel?.endsIf?.some((sign) => shows(sign, pod, container)) ? undefined : state.finishedAt;
}

/**
 * An old webhook or client that writes the pod back drops fields that it does not know, `restartPolicy` of an init container among
 * them. The native sidecar then has to end before anything else starts, and never does.
 * (aws/aws-app-mesh-controller-for-k8s#774, aws/amazon-eks-pod-identity-webhook#208, arangodb/kube-arangodb#1677)
 */
const restartPolicyDropped: HangCheck = {
  entails: ['NotRunning', 'NoSidecar', 'NoRunningSidecar', 'MainWaiting'],
  find(judged, now, minAge) {
    for (const init of judged.pod.initContainers) {
      const since = runningSince(init.state, now, minAge);
      // Only one ordinary init container runs at a time.
      if (since !== undefined) {
        const hang = meantAsNative(init, judged);
        return hang && { hang, since };
      }
    }
    return undefined;
  },
};

/** Whether the Job's template has it as a native sidecar, or an injector that makes native sidecars adds it. */
function meantAsNative(init: InitContainerView, { pod, facts, policy }: JudgedPod): Hang | undefined {
  const dropped = { kind: 'RestartPolicyDropped', container: init.name } as const;
  const job = jobOf(pod);
  if (job && facts.templates.get(job.uid)?.nativeSidecars.includes(init.name)) {
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
 * with restartPolicy Never. It is started again, never counts as started, and the mains never start. A probe that runs has an end:
 * the kubelet kills the container once it has failed often enough. (kubernetes/kubernetes#132826, #133072)
 */
const startupProbeStopped: HangCheck = {
  entails: ['NotRunning', 'NoSidecar', 'NoRunningSidecar', 'MainWaiting'],
  find({ pod }, now, minAge) {
    if (pod.restartPolicy !== 'Never') return undefined;
    for (const { name: container, started, restartCount, startupLimit, state } of pod.nativeSidecars) {
      if (started || restartCount === 0) continue;
      const longest = (startupLimit ?? Number.POSITIVE_INFINITY) + slack;
      const since = runningSince(state, now, Math.max(minAge, longest));
      if (since !== undefined)
        return { hang: { kind: 'StartupProbeStopped', container, restartCount }, since };
    }
    return undefined;
  },
};

/** No two of them can be true of one pod. */
const hangs: readonly HangCheck[] = [
  restartPolicyDropped,
  startupProbeStopped,
  mainNotRestarted,
  proxyEndedFirst,
  nativeSidecarRunsOn,
];

/** Why a pod that is left alone for these reasons hangs; undefined if no known kind of hang fits, or its min-age cannot be read. */
export function findHang(judged: JudgedPod, because: readonly Exclusion[]): FoundHang | undefined {
  const { now } = judged;
  const minAge = minAgeOf(judged.pod, judged.policy) ?? Number.POSITIVE_INFINITY;
  if (now === undefined) return undefined;
  for (const { entails, find } of hangs) {
    const isAlone = because.every(({ kind }) => entails.includes(kind));
    const found = isAlone ? find(judged, now, minAge) : undefined;
    if (found) return found;
  }
  return undefined;
}
