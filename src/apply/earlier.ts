import type { Cluster } from '../ports.ts';
import type { Candidate, PodView } from '../types.ts';
import type { EarlierUnclean } from './guard.ts';
import type { Slots } from './slots.ts';

/**
 * Which images have ended unclean after finished work before, as the cluster itself tells: sidecars that were restarted after the
 * mains had ended, and failed pods of the same Job whose mains had exited 0. No sweep keeps notes of its own.
 */
export function createEarlierUnclean(
  cluster: Pick<Cluster, 'listFailedPods'>,
  slots: Slots,
  cut: AbortSignal,
): EarlierUnclean {
  const byJob = new Map<string, Promise<readonly PodView[]>>();
  return async (candidate) => {
    const { owner, ref } = candidate.pod;
    if (owner?.kind !== 'Job') return restartedSidecars(candidate);
    let failed = byJob.get(owner.uid);
    if (!failed) {
      failed = slots(() => cluster.listFailedPods(ref.namespace, owner, cut));
      byJob.set(owner.uid, failed);
    }
    return new Set([...restartedSidecars(candidate), ...uncleanSidecars(candidate, await failed)]);
  };
}

/** Images of the pod's own sidecars that ended with another code than 0 after the mains had ended, and were restarted. */
function restartedSidecars({ sidecars, mainsEndedAt }: Candidate): ReadonlySet<string> {
  const restarted = sidecars.filter(
    ({ container: { restartCount, lastExitCode = 0, lastFinishedAt = 0 } }) =>
      restartCount > 0 && lastExitCode !== 0 && lastFinishedAt >= mainsEndedAt,
  );
  return new Set(restarted.map(({ container }) => container.image));
}

/** Images of sidecars that failed other pods of the Job although all their mains had exited 0. */
function uncleanSidecars({ mains, sidecars }: Candidate, failed: readonly PodView[]): readonly string[] {
  const exitCodeIn = (pod: PodView, name: string) => {
    const state = pod.containers.find((container) => container.name === name)?.state;
    return state?.kind === 'Terminated' ? state.exitCode : undefined;
  };
  return failed.flatMap((pod) => {
    if (!mains.every(({ name }) => exitCodeIn(pod, name) === 0)) return [];
    return sidecars.flatMap(({ container: { name, image } }) => {
      const code = exitCodeIn(pod, name);
      return code !== undefined && code !== 0 ? [image] : [];
    });
  });
}
