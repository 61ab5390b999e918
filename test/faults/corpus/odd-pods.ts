import type { Emulator, Pod } from '../../kit/emulator/index.ts';
import { type StuckPod, stuckPod } from '../../kit/stuck-pods.ts';
import type { Trouble } from '../faulty-cluster.ts';

type Loose = Record<string, unknown>;
interface LoosePod {
  readonly spec: Loose;
  readonly status: Loose;
  readonly metadata: Loose;
}
/** What of a pod is other than the API server or the kubelet would write it. */
type Oddity = (pod: LoosePod) => void;

export interface Case {
  readonly pod?: StuckPod;
  readonly odd: Oddity;
}

/** Two stuck pods, of which `pod-1` is odd. */
export function oddly({ pod, odd }: Case): Trouble {
  return {
    pods: (namespace) => ['pod-0', 'pod-1'].map((name) => stuckPod({ ...pod, namespace, name })),
    trouble(namespace, { world, faults }: Emulator) {
      const run = () =>
        void world.store.update<Pod>('pods', namespace, 'pod-1', (one) => {
          const copy = structuredClone(one) as unknown as LoosePod;
          odd(copy);
          return copy as unknown as Pod;
        });
      // By the first request, the kubelet has written what it has to.
      faults.add({ namespace }, { kind: 'Before', run }, { times: 1 });
    },
  };
}

const statusesOf = ({ status }: LoosePod) => status['containerStatuses'] as Loose[];
const statusOf = (pod: LoosePod, name: string): Loose =>
  statusesOf(pod).find((one) => one['name'] === name) ?? {};
const ended = {
  exitCode: 0,
  reason: 'Completed',
  finishedAt: new Date(Date.now() - 3_600_000).toISOString(),
};
const runs = { startedAt: new Date(Date.now() - 7_200_000).toISOString() };

export const grants =
  (terminationGracePeriodSeconds: number): Oddity =>
  ({ spec }) =>
    Object.assign(spec, { terminationGracePeriodSeconds });

/** Pods that nothing may be sent to. */
export const leftAlone: Readonly<Record<string, Case>> = {
  'a main that both ended and runs': {
    odd: (pod) => Object.assign(statusOf(pod, 'main'), { state: { terminated: ended, running: runs } }),
  },
  'a main that both ended and waits': {
    odd: (pod) =>
      Object.assign(statusOf(pod, 'main'), {
        state: { terminated: ended, waiting: { reason: 'PodInitializing' } },
      }),
  },
  'a sidecar that both ended and runs': {
    odd: (pod) => Object.assign(statusOf(pod, 'sidecar'), { state: { terminated: ended, running: runs } }),
  },
  'no statuses at all': { odd: ({ status }) => Object.assign(status, { containerStatuses: [] }) },
  'no status of its main': { odd: (pod) => void statusesOf(pod).shift() },
  'a sidecar that runs and has no ID': {
    odd: (pod) => void Reflect.deleteProperty(statusOf(pod, 'sidecar'), 'containerID'),
  },
  'a deletionTimestamp long past, and a finalizer': {
    odd: ({ metadata }) => {
      metadata['deletionTimestamp'] = '2020-01-01T00:00:00Z';
      metadata['finalizers'] = ['example.com/never'];
    },
  },
  'a main that its own policy restarts, under Never (1.34+)': {
    odd: (pod) => {
      Object.assign((pod.spec['containers'] as Loose[])[0] ?? {}, { restartPolicy: 'OnFailure' });
      statusOf(pod, 'main')['state'] = { terminated: { ...ended, exitCode: 1, reason: 'Error' } };
    },
  },
  'a sidecar that its own policy always restarts (1.34+)': {
    odd: ({ spec }) => Object.assign((spec['containers'] as Loose[])[1] ?? {}, { restartPolicy: 'Always' }),
  },
};

/** Pods that are as stuck as any other. */
export const endedAll: Readonly<Record<string, Case>> = {
  'its statuses in another order': { odd: (pod) => void statusesOf(pod).reverse() },
  'IDs without a runtime': {
    odd: (pod) => {
      for (const one of statusesOf(pod))
        one['containerID'] = String(one['containerID']).replace(/^.*:\/\//, '');
    },
  },
  'one ID for both of its containers': {
    odd: (pod) =>
      Object.assign(statusOf(pod, 'main'), { containerID: statusOf(pod, 'sidecar')['containerID'] }),
  },
  'an ephemeral container called like the sidecar': {
    odd: ({ spec, status }) => {
      spec['ephemeralContainers'] = [{ name: 'sidecar', image: 'docker.io/local/busybox:1' }];
      status['ephemeralContainerStatuses'] = [{ name: 'sidecar', state: { terminated: ended } }];
    },
  },
  'a sidecar that its own policy never restarts, under OnFailure (1.34+)': {
    pod: { restartPolicy: 'OnFailure' },
    odd: ({ spec }) => Object.assign((spec['containers'] as Loose[])[1] ?? {}, { restartPolicy: 'Never' }),
  },
  'a grace period of 0': { odd: grants(0) },
  'a negative grace period': { odd: grants(-1) },
  'a grace period of 68 years': { odd: grants(2 ** 31) },
  'the longest grace period': {
    odd: grants(Number.MAX_SAFE_INTEGER),
  },
};
