import type { Millis } from '../../duration.ts';
import { willRestart } from '../../pod/restart.ts';
import type { PodView } from '../../vocabulary/pod.ts';
import { type HangCheck, runningSince } from './hang-check.ts';

/** Twice the longest back-off. https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy */
const longestWait: Millis = 10 * 60_000;

/**
 * After it was restarted itself, a kubelet 1.35 does not know that a native sidecar has passed its startup probe. While no regular
 * container runs, it takes the pod for one that has not begun, and restarts nothing. (kubernetes/kubernetes#136910, #137146)
 */
export const mainNotRestarted: HangCheck = {
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
