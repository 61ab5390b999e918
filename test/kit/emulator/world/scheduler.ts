import type { EmulatorClock } from '../clock.ts';
import type { Pod } from './objects.ts';
import { rfc3339, type Store } from './store.ts';

/** Assigns new pods to the node, unless they name another scheduler. Returns a function that stops it. */
export function schedulePods(store: Store, clock: EmulatorClock, nodeName: string): () => void {
  const assign = (namespace: string | undefined, name: string, uid: string) => {
    if (store.get('pods', namespace, name)?.metadata.uid !== uid) return;
    store.update<Pod>('pods', namespace, name, (pod) => {
      if (pod.metadata.deletionTimestamp || pod.spec.nodeName) return pod;
      return bindTo(pod, nodeName, clock.now());
    });
  };

  return store.subscribe(({ type, resource, object }) => {
    if (resource !== 'pods' || type !== 'ADDED') return;
    const { metadata, spec } = object as Pod;
    if (spec.nodeName || spec['schedulerName'] !== 'default-scheduler') return;
    clock.after(0, () => assign(metadata.namespace, metadata.name, metadata.uid));
  });
}

export function bindTo(pod: Pod, nodeName: string, now: Date): Pod {
  const scheduled = {
    type: 'PodScheduled',
    observedGeneration: pod.metadata.generation ?? 1,
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: rfc3339(now),
  };
  return { ...pod, spec: { ...pod.spec, nodeName }, status: { ...pod.status, conditions: [scheduled] } };
}
