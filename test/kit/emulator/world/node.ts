import type { EmulatorClock } from '../clock.ts';
import { HOST_IP } from './kubelet/pod-status.ts';
import type { Pod } from './objects.ts';
import { type Draft, rfc3339, type Store } from './store.ts';

/** A node as its kubelet registers it: ready, with capacity for many pods. */
export function nodeDraft(name: string, now: Date): Draft {
  const time = rfc3339(now);
  const condition = (type: string, status: string, reason: string, message: string) => ({
    ...{ type, status, reason, message },
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  });
  const fine = (type: string, what: string, message: string) =>
    condition(`${type}Pressure`, 'False', `KubeletHas${what}`, `kubelet has ${message}`);
  const resources = { cpu: '2', memory: '16Gi', pods: '110000' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' },
    },
    spec: {},
    status: {
      capacity: resources,
      allocatable: resources,
      conditions: [
        fine('Memory', 'SufficientMemory', 'sufficient memory available'),
        fine('Disk', 'NoDiskPressure', 'no disk pressure'),
        fine('PID', 'SufficientPID', 'sufficient PID available'),
        condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
      ],
      addresses: [
        { type: 'InternalIP', address: HOST_IP },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: {
        architecture: 'amd64',
        containerRuntimeVersion: 'containerd://2.1.9',
        kernelVersion: '6.18',
        kubeletVersion: 'v1.36.2',
        operatingSystem: 'linux',
        osImage: 'Debian GNU/Linux 12 (bookworm)',
      },
    },
  };
}

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
