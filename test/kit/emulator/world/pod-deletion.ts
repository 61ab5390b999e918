import type { EmulatorClock } from '../clock.ts';
import type { Pod } from './objects.ts';
import { rfc3339, type Store } from './store.ts';

/**
 * Deletes a pod as the API server does. A running pod is marked and gets its grace period; the kubelet does
 * the rest. A pod that never started, has ended or has no grace period is removed at once. Finalizers delay
 * both.
 */
export function deletePod(
  store: Store,
  clock: EmulatorClock,
  namespace: string,
  name: string,
  options: { readonly gracePeriodSeconds?: number } = {},
): Pod {
  const pod = store.update<Pod>('pods', namespace, name, (current) =>
    markedForDeletion(current, clock, options),
  );
  const goesNow = pod.metadata.deletionGracePeriodSeconds === 0 && !pod.metadata.finalizers?.length;
  const stillThere = store.get('pods', namespace, name)?.metadata.uid === pod.metadata.uid;
  return goesNow && stillThere ? store.delete<Pod>('pods', namespace, name) : pod;
}

/** The pod with the time at which its grace period ends. */
export function markedForDeletion(
  pod: Pod,
  clock: EmulatorClock,
  options: { readonly gracePeriodSeconds?: number },
): Pod {
  const over = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
  const asked = options.gracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 30;
  const grace = over || !pod.spec.nodeName ? 0 : Math.max(0, asked);
  const { deletionTimestamp, deletionGracePeriodSeconds, generation } = pod.metadata;
  // A second deletion can only shorten the grace period of the first.
  if (deletionTimestamp && grace >= (deletionGracePeriodSeconds ?? 0)) return pod;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generation: (generation ?? 1) + 1,
      deletionTimestamp: rfc3339(new Date(clock.now().getTime() + grace * 1000)),
      deletionGracePeriodSeconds: grace,
    },
  };
}

/** Who removes a pod before its time. */
export type Disruption = 'Eviction' | 'Preemption';

const WHY: Readonly<Record<Disruption, { readonly reason: string; readonly message: string }>> = {
  Eviction: { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' },
  Preemption: {
    reason: 'PreemptionByScheduler',
    message: 'default-scheduler: preempting to accommodate a higher priority pod',
  },
};

/** Marks a pod that is about to be deleted as disrupted, so that a podFailurePolicy can tell. */
export function markDisrupted(store: Store, clock: EmulatorClock, pod: Pod, disruption: Disruption): Pod {
  const { namespace, name, generation = 1 } = pod.metadata;
  return store.update<Pod>('pods', namespace, name, (current) => {
    const { conditions = [] } = current.status;
    const condition = {
      type: 'DisruptionTarget',
      observedGeneration: generation,
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: rfc3339(clock.now()),
      ...WHY[disruption],
    };
    const others = conditions.filter(({ type }) => type !== 'DisruptionTarget');
    return { ...current, status: { ...current.status, conditions: [...others, condition] } };
  });
}
