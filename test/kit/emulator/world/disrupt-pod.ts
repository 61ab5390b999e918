import type { EmulatorClock } from '../clock.ts';
import type { Pod } from './objects.ts';
import { rfc3339, type Store } from './store.ts';

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
