import type { JobManifest, LightBehaviour, Placement, PodManifest } from '../../test/kit/emulator/index.ts';

/** What a cluster is filled with. */
export interface Filling {
  readonly namespaces: number;
  /** Pods in all; of those that are neither running Never-pods nor stuck, a Deployment's. */
  readonly pods: number;
  /** Running pods with restartPolicy Never; the main container of the stuck ones has ended. */
  readonly running: number;
  readonly stuck: number;
  readonly sidecar: SidecarKind;
  /** The name of the namespaces before their numbers. */
  readonly prefix: string;
  /** Among how many nodes the pods are spread, one if missing; the kubelets of the first ones answer no exec. */
  readonly nodes?: number;
  readonly hanging?: number;
  /** Whether each of the stuck pods belongs to a Job, which an unclean end would make run again. */
  readonly jobs?: boolean;
  /** Whether the pods are listed as JSON as well as protobuf. */
  readonly asJson?: boolean;
}

export type SidecarKind = 'clean' | 'slow' | 'stubborn';

/** What each sidecar does on TERM. Nothing within reach ends a stubborn one: the kernel drops KILL from inside. */
const behaviours: Readonly<Record<SidecarKind, LightBehaviour>> = {
  clean: { on: { SIGTERM: { exitCode: 0 } } },
  slow: { on: { SIGTERM: { exitCode: 0, after: 2_000 } } },
  stubborn: { on: { SIGTERM: { exitCode: 0, after: 3_600_000 } } },
};

/** The grace period of TERM; KILL's is the sweeper's own. */
export const graceMs = { TERM: 3_000, KILL: 2_000 } as const;

/** The stuck pods of a filling. */
export function stuckOf({ prefix, namespaces, stuck }: Filling): readonly PodName[] {
  return Array.from({ length: stuck }, (_, index) => ({
    namespace: `${prefix}-${index % namespaces}`,
    name: `job-${index}`,
  }));
}

export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

export const nodeOf = (index: number): string => `bench-node-${index}`;

const hour = 3_600_000;

/** Pods of about 12 KB of JSON, as those of real clusters are; what is equal in all of them is one object. */
export function* podsOf(filling: Filling, now: number): Generator<Placement, void, void> {
  const { nodes = 1 } = filling;
  const perNode = (policy: 'Never' | 'Always') =>
    Array.from({ length: nodes }, (_, index) => specOf(policy, nodeOf(index)));
  const [never, always] = [perNode('Never'), perNode('Always')];
  for (let index = 0; index < filling.pods; index++) {
    const isRunning = index < filling.running;
    yield {
      manifest: {
        metadata: {
          name: `${isRunning ? 'job' : 'web'}-${index}`,
          namespace: `${filling.prefix}-${index % filling.namespaces}`,
          labels: { app: `app-${index % 200}`, 'batch.kubernetes.io/job-name': `job-${index}` },
          ...(filling.jobs && index < filling.stuck && ownedBy(index)),
          annotations: {
            'sidecar-sweeper.dev/sidecars': 'sidecar',
            'emulator.sidecar-sweeper.dev/behaviour': JSON.stringify({
              sidecar: behaviours[filling.sidecar],
            }),
          },
          managedFields,
        } as PodManifest['metadata'],
        spec: (isRunning ? never : always)[index % nodes] as PodManifest['spec'],
      },
      states: {
        main:
          index < filling.stuck
            ? { kind: 'terminated', exitCode: 0, finishedAt: new Date(now - hour) }
            : { kind: 'running', startedAt: new Date(now - 2 * hour) },
        sidecar: { kind: 'running', startedAt: new Date(now - 2 * hour) },
      },
    };
  }
}

function ownedBy(index: number): Partial<PodManifest['metadata']> {
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: `job-${index}`, uid: uidOfJob(index) };
  return {
    ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    finalizers: ['batch.kubernetes.io/job-tracking'],
  };
}

function uidOfJob(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

/** The Jobs of the stuck pods of a filling. */
export function jobsOf(filling: Filling): readonly JobManifest[] {
  if (!filling.jobs) return [];
  const spec = specOf('Never', nodeOf(0));
  return stuckOf(filling).map((names, index) => ({
    metadata: { ...names, uid: uidOfJob(index) },
    spec: { template: { spec } },
  }));
}

function specOf(restartPolicy: 'Never' | 'Always', nodeName: string): PodManifest['spec'] {
  const env = Array.from({ length: 20 }, (_, index) => ({
    name: `SETTING_${index}`,
    value: `value-${index}`,
  }));
  const volumes = Array.from({ length: 6 }, (_, index) => ({
    name: `config-${index}`,
    configMap: { name: `config-${index}`, defaultMode: 420 },
  }));
  const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/etc/${name}`, readOnly: true }));
  const container = (name: string) => ({
    name,
    image: `docker.io/local/${name}:1`,
    command: ['/bin/run', '--verbose'],
    env,
    volumeMounts,
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
  });
  return {
    restartPolicy,
    nodeName,
    terminationGracePeriodSeconds: graceMs.TERM / 1_000,
    containers: [container('main'), container('sidecar')],
    volumes,
  } as PodManifest['spec'];
}

/** Half of a real pod is this. */
const managedFields = ['kube-controller-manager', 'kubelet'].map((manager) => ({
  manager,
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: {
    'f:spec': Object.fromEntries(
      Array.from({ length: 55 }, (_, index) => [`k:{"name":"field-${index}"}`, { '.': {}, 'f:name': {} }]),
    ),
  },
}));
