import { describe, expect, it } from 'vitest';
import type { Emulator, Pod } from '../kit/emulator/index.ts';
import { type StuckPod, sidecars, stuckPod } from '../kit/stuck-pods.ts';
import {
  expectSound,
  FaultyCluster,
  type Played,
  playOne,
  sentAmong,
  type Trouble,
} from './faulty-cluster.ts';
import { outcomeOf } from './streams.ts';
import { tally } from './tally.ts';

type Loose = Record<string, unknown>;
interface LoosePod {
  readonly spec: Loose;
  readonly status: Loose;
  readonly metadata: Loose;
}
/** What of a pod is other than the API server or the kubelet would write it. */
type Oddity = (pod: LoosePod) => void;

interface Case {
  readonly pod?: StuckPod;
  readonly odd: Oddity;
}

/** Two stuck pods, of which `pod-1` is odd. */
function oddly({ pod, odd }: Case): Trouble {
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

const grants =
  (terminationGracePeriodSeconds: number): Oddity =>
  ({ spec }) =>
    Object.assign(spec, { terminationGracePeriodSeconds });

/** Sets these fields of a status. */
const statusIs =
  (name: string, fields: (pod: LoosePod) => Loose): Oddity =>
  (pod) =>
    Object.assign(statusOf(pod, name), fields(pod));
/** Gives a container a restart policy of its own, as Kubernetes does from 1.34 on. */
const restarts =
  (index: number, restartPolicy: string): Oddity =>
  ({ spec }) =>
    Object.assign((spec['containers'] as Loose[])[index] ?? {}, { restartPolicy });
const bothEndedAnd = (more: Loose) => () => ({ state: { terminated: ended, ...more } });
const failedMain = statusIs('main', () => ({
  state: { terminated: { ...ended, exitCode: 1, reason: 'Error' } },
}));

/** Pods that nothing may be sent to. */
// biome-ignore format: one row a line
const leftAlone: Readonly<Record<string, Case>> = {
  'a main that both ended and runs': { odd: statusIs('main', bothEndedAnd({ running: runs })) },
  'a main that both ended and waits': { odd: statusIs('main', bothEndedAnd({ waiting: { reason: 'PodInitializing' } })) },
  'a sidecar that both ended and runs': { odd: statusIs('sidecar', bothEndedAnd({ running: runs })) },
  'no statuses at all': { odd: ({ status }) => Object.assign(status, { containerStatuses: [] }) },
  'no status of its main': { odd: (pod) => void statusesOf(pod).shift() },
  'a sidecar that runs and has no ID': { odd: (pod) => void Reflect.deleteProperty(statusOf(pod, 'sidecar'), 'containerID') },
  'a deletionTimestamp long past, and a finalizer': { odd: ({ metadata }) => Object.assign(metadata, { deletionTimestamp: '2020-01-01T00:00:00Z', finalizers: ['example.com/never'] }) },
  'a main that its own policy restarts, under Never (1.34+)': { odd: (pod) => [restarts(0, 'OnFailure'), failedMain].map((odd) => odd(pod)) },
  'a sidecar that its own policy always restarts (1.34+)': { odd: restarts(1, 'Always') },
};

const namedLikeSidecar: Oddity = ({ spec, status }) => {
  spec['ephemeralContainers'] = [{ name: 'sidecar', image: 'docker.io/local/busybox:1' }];
  status['ephemeralContainerStatuses'] = [{ name: 'sidecar', state: { terminated: ended } }];
};
const withoutRuntime = (name: string) =>
  statusIs(name, (pod) => ({
    containerID: String(statusOf(pod, name)['containerID']).replace(/^.*:\/\//, ''),
  }));

/** Pods that are as stuck as any other. */
// biome-ignore format: one row a line
const endedAll: Readonly<Record<string, Case>> = {
  'its statuses in another order': { odd: (pod) => void statusesOf(pod).reverse() },
  'IDs without a runtime': { odd: (pod) => ['main', 'sidecar'].map((name) => withoutRuntime(name)(pod)) },
  'one ID for both of its containers': { odd: statusIs('main', (pod) => ({ containerID: statusOf(pod, 'sidecar')['containerID'] })) },
  'an ephemeral container called like the sidecar': { odd: namedLikeSidecar },
  'a sidecar that its own policy never restarts, under OnFailure (1.34+)': { pod: { restartPolicy: 'OnFailure' }, odd: restarts(1, 'Never') },
  'a grace period of 0': { odd: grants(0) },
  'a negative grace period': { odd: grants(-1) },
  'a grace period of 68 years': { odd: grants(2 ** 31) },
  'the longest grace period': { odd: grants(Number.MAX_SAFE_INTEGER) },
};

const cluster = FaultyCluster.startedOnce();

function sentTo({ requests }: Played): readonly string[] {
  return sentAmong(requests.filter(({ name }) => name === 'pod-1'));
}

describe('D8: a pod with', () => {
  it.each(Object.entries(leftAlone))('%s is left alone, and the other is swept', async (_title, one) => {
    const played = await cluster.play(oddly(one));
    expect(sentTo(played)).toEqual([]);
    expect(outcomeOf(played, 'pod-0')).toBe('Stopped 0');
    expect(['none', 'Skipped']).toContain(outcomeOf(played));
    tally('badInputs', 'D8', 1);
  });

  it.each(Object.entries(endedAll))('%s is swept like the other, its main untouched', async (_title, one) => {
    const played = await cluster.play(oddly(one));
    expect(['pod-0', 'pod-1'].map((name) => outcomeOf(played, name))).toEqual(['Stopped 0', 'Stopped 0']);
    expect(played.exitCode).toBe(0);
    expect(sentTo(played).filter((path) => path.includes('container=main'))).toEqual([]);
    expect(played.took).toBeLessThan(60_000);
    tally('badInputs', 'D8', 1);
  });
});

it.each([2 ** 31, Number.MAX_SAFE_INTEGER])(
  'D8: a sidecar that does not end and has a grace period of %i s keeps no sweep longer than maxGrace, and gets no KILL before its time',
  async (seconds) => {
    const played = await cluster.play(oddly({ pod: { sidecar: sidecars.stubborn }, odd: grants(seconds) }));
    expectSound([played], 'D8');
    expect(outcomeOf(played)).toBe('StillRunning UnderWay');
    expect(sentTo(played).filter((path) => path.includes('KILL%3A9'))).toEqual([]);
    expect(played.took).toBeLessThan(10 * 60_000);
    tally('badInputs', 'D8', 1);
  },
);

it.each([1, 2, 3])('C2: an old read after every %i others revives no ended sidecar', async (every) => {
  const played = await playOne(cluster, 'C2', {
    pods: (namespace) => [stuckPod({ namespace, name: 'pod-1' })],
    trouble: (namespace, { world, faults }) => {
      const body = structuredClone(world.store.get<Pod>('pods', namespace, 'pod-1')) ?? {};
      let reads = 0;
      const when = ({ subresource }: { subresource: string }) =>
        subresource === '' && reads++ % (every + 1) === every;
      faults.add({ namespace, verb: 'get', resource: 'pods', when }, { kind: 'Answer', status: 200, body });
    },
  });
  expect(outcomeOf(played)).toMatch(/^(Stopped 0|Unproven)$/);
});

it('D8: a sidecar that outlives what is sent from beside it does not get one more ephemeral container from every sweep', async () => {
  const once: Trouble = {
    policy: { lastResort: [{ ephemeralContainer: { image: 'docker.io/local/busybox:1' } }] },
    pods: (namespace) => [stuckPod({ namespace, name: 'pod-1', sidecar: { on: {}, shell: false } })],
  };
  const first = await cluster.play(once);
  const { namespace } = first;
  const left = () => first.store.get<Pod>('pods', namespace, 'pod-1')?.spec.ephemeralContainers;
  expect(left()).toHaveLength(1);
  for (let sweep = 0; sweep < 12; sweep++) {
    await cluster.play({ ...once, pods: () => [], flags: { namespaces: [namespace] } });
  }
  expect(left()).toHaveLength(8);
  tally('badInputs', 'D8', 13);
});
