import type { Millis } from '../../duration.ts';
import type { NativeSidecarView } from '../../vocabulary/container.ts';
import { type HangCheck, runningSince } from './hang-check.ts';

/** Clocks differ, and the kubelet is not always on time. */
const slack: Millis = 60_000;

/**
 * If a native sidecar ends before its startup probe has passed, a kubelet 1.32, or an early 1.33 or 1.34, stops probing it in a pod
 * with restartPolicy Never. It is started again, never counts as started, and the mains never start. A probe that is run has an end:
 * the kubelet kills the container once it has failed often enough. (kubernetes/kubernetes#132826, #133072)
 */
export const startupProbeStopped: HangCheck = {
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
