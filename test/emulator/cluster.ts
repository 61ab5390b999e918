import { type Emulator, ensureNamespace } from './index.ts';
import {
  containerOf,
  endsWith,
  ignoresTerm,
  imageMissing,
  inImage,
  type Program,
  quitsOnHttp,
  untilTerm,
  withoutHandler,
} from './programs.ts';
import type { JobManifest, PodManifest } from './world/defaults.ts';
import type { Behaviours } from './world/runtime/light/behaviour.ts';

/** A pod of the filled cluster: which programs its containers run, and what is special about it. */
export interface Member {
  readonly name: string;
  readonly namespace: string;
  /** What state it is in, in a few words. */
  readonly about: string;
  readonly containers: Readonly<Record<string, Program>>;
  /** Containers that are native sidecars: init containers that always run. */
  readonly native?: Readonly<Record<string, Program>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly restartPolicy?: 'Never' | 'OnFailure' | 'Always';
  readonly shareProcessNamespace?: boolean;
  /** How often its Job tries again; restarts of containers count. */
  readonly backoffLimit?: number;
}

const done = endsWith(0);
const works = withoutHandler;
const logShipper = 'docker.io/acme/log-shipper:2';
const listed = { 'sidecar-sweeper.dev/sidecars': 'log-shipper' };

/** A dozen pods and more, in every state that matters. All but the last are pods of Jobs. */
export const members: readonly Member[] = [
  {
    name: 'report-daily',
    namespace: 'reports',
    about: 'stuck; its fluent-bit is known and ends with 0 on TERM',
    containers: { main: done, 'fluent-bit': inImage('docker.io/fluent/fluent-bit:3.2-debug', untilTerm(0)) },
  },
  {
    name: 'report-weekly',
    namespace: 'reports',
    about: 'stuck; its sidecar ignores TERM',
    containers: { main: done, 'config-reloader': inImage('docker.io/acme/config-reloader:1', ignoresTerm) },
    annotations: { 'sidecar-sweeper.dev/sidecars': 'config-reloader' },
  },
  {
    name: 'report-monthly',
    namespace: 'reports',
    about: 'stuck; its sidecar has no handler for TERM',
    containers: { main: done, 'metrics-bridge': inImage('docker.io/acme/metrics-bridge:1', withoutHandler) },
    annotations: { 'sidecar-sweeper.dev/sidecars': 'metrics-bridge' },
  },
  {
    name: 'invoice-export',
    namespace: 'billing',
    about: 'stuck; its cloud-sql-proxy is known to end with 143, which would make the Job run again',
    containers: {
      main: done,
      'cloud-sql-proxy': inImage('gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.14.0-alpine', untilTerm(143)),
    },
  },
  {
    name: 'invoice-mail',
    namespace: 'billing',
    about: 'stuck; its Istio proxy has no shell, but an HTTP endpoint to quit by',
    containers: {
      main: done,
      'istio-proxy': inImage('docker.io/istio/proxyv2:1.27.0-distroless', quitsOnHttp(15_020)),
    },
  },
  {
    name: 'invoice-retry',
    namespace: 'billing',
    about: 'stuck under OnFailure; its sidecar ends with 0 on TERM',
    containers: { main: done, 'log-shipper': inImage(logShipper, untilTerm(0)) },
    annotations: listed,
    restartPolicy: 'OnFailure',
  },
  {
    name: 'import-flaky',
    namespace: 'imports',
    about: 'its main crashes again and again: not done',
    containers: { main: endsWith(7), 'log-shipper': inImage(logShipper, untilTerm(0)) },
    annotations: listed,
    restartPolicy: 'OnFailure',
    backoffLimit: 100,
  },
  {
    name: 'import-long',
    namespace: 'imports',
    about: 'its main still runs',
    containers: { main: works, 'log-shipper': inImage(logShipper, untilTerm(0)) },
    annotations: listed,
  },
  {
    name: 'import-native',
    namespace: 'imports',
    about: 'its native sidecar is ended by the kubelet',
    containers: { main: done },
    native: { 'log-shipper': inImage(logShipper, untilTerm(0)) },
  },
  {
    name: 'import-shared',
    namespace: 'imports',
    about: 'stuck; its containers share one process namespace',
    containers: { main: done, 'log-shipper': inImage(logShipper, untilTerm(0)) },
    annotations: listed,
    shareProcessNamespace: true,
  },
  {
    name: 'import-no-image',
    namespace: 'imports',
    about: 'the image of its sidecar cannot be had: Pending',
    containers: { main: done, 'log-shipper': imageMissing },
    annotations: listed,
  },
  {
    name: 'workflow-audit',
    namespace: 'workflows',
    about: 'stuck; nobody knows yet that its sidecar ends with 143',
    containers: { main: done, 'audit-log': inImage('docker.io/acme/audit-log:3', untilTerm(143)) },
    annotations: { 'nrmitchi.com/sidecars': 'audit-log' },
  },
  {
    name: 'workflow-audit-2',
    namespace: 'workflows',
    about: 'stuck with a sidecar of the same image',
    containers: { main: done, 'audit-log': inImage('docker.io/acme/audit-log:3', untilTerm(143)) },
    annotations: { 'nrmitchi.com/sidecars': 'audit-log' },
  },
  {
    name: 'workflow-step',
    namespace: 'workflows',
    about: "stuck; Argo Workflows' annotation says how to end its sidecar",
    containers: { main: done, 'vault-agent': inImage('docker.io/hashicorp/vault:1.17', untilTerm(0)) },
    annotations: { 'workflows.argoproj.io/kill-cmd-vault-agent': '["sh", "-c", "kill -%d 1"]' },
  },
  {
    name: 'workflow-failed',
    namespace: 'workflows',
    about: 'stuck; its main failed with 7',
    containers: { main: endsWith(7), 'log-shipper': inImage(logShipper, untilTerm(0)) },
    annotations: listed,
  },
  { name: 'backup', namespace: 'workflows', about: 'finished', containers: { main: done } },
  {
    name: 'shop',
    namespace: 'web',
    about: 'always runs, as the pods of Deployments do',
    containers: {
      main: works,
      'istio-proxy': inImage('docker.io/istio/proxyv2:1.27.0-distroless', quitsOnHttp(15_020)),
    },
    restartPolicy: 'Always',
  },
];

/** Puts the members into a cluster and starts them. */
export function fillCluster({ world }: Emulator, chosen: readonly Member[] = members): void {
  for (const member of chosen) {
    ensureNamespace(world, member.namespace);
    if (member.restartPolicy === 'Always') world.createPod(podOf(member));
    else world.createJob(jobOf(member));
  }
}

/** What the members' containers do, for the light runtime. */
export const memberBehaviours: Behaviours = (pod, container) => {
  const name = pod.metadata.labels?.['job-name'] ?? pod.metadata.labels?.['app'];
  const member = members.find((each) => each.name === name);
  return { ...member?.containers, ...member?.native }[container.name]?.light;
};

function podSpecOf(member: Member): PodManifest['spec'] {
  const { containers, native, restartPolicy = 'Never', shareProcessNamespace } = member;
  const build = (programs: Readonly<Record<string, Program>>) =>
    Object.entries(programs).map(([name, program]) => containerOf(name, program));
  return {
    restartPolicy,
    terminationGracePeriodSeconds: 3,
    ...(shareProcessNamespace ? { shareProcessNamespace } : {}),
    ...(native
      ? { initContainers: build(native).map((container) => ({ ...container, restartPolicy: 'Always' })) }
      : {}),
    containers: build(containers),
  };
}

function jobOf(member: Member): JobManifest {
  const { name, namespace, annotations, backoffLimit = 2 } = member;
  return {
    metadata: { name, namespace },
    spec: {
      backoffLimit,
      template: {
        ...(annotations ? { metadata: { annotations: { ...annotations } } } : {}),
        spec: podSpecOf(member),
      },
    },
  };
}

/** As a Deployment's ReplicaSet would have made it; neither of them is there. */
function podOf(member: Member): PodManifest {
  const { name, namespace } = member;
  const replicaSet = `${name}-5d9c7b8f6d`;
  return {
    metadata: {
      name: `${replicaSet}-x7k2p`,
      generateName: `${replicaSet}-`,
      namespace,
      labels: { app: name, 'pod-template-hash': '5d9c7b8f6d' },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: replicaSet,
          uid: '8c7e4c5e-6f0f-4f51-9a59-1d1a3f0d3f55',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: podSpecOf(member),
  };
}
