import { willRestart } from '../../pod/restart.ts';
import type { PodView } from '../../vocabulary/pod.ts';
import { type HangCheck, runningSince } from './hang-check.ts';

/**
 * The kubelet sends TERM to native sidecars when the last main has ended, and kills them after the pod's grace period. One that
 * is deaf to TERM holds its pod for all of it, at every run. (buildkite/agent-stack-k8s#862)
 */
export const nativeSidecarRunsOn: HangCheck = {
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
