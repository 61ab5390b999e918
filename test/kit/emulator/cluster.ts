import { type Emulator, ensureNamespace } from './emulator.ts';
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
import type { Behaviours } from './world/runtime/light-behaviour.ts';

export interface Member {
  readonly name: string;
  readonly namespace: string;
  readonly about: string;
  readonly containers: Readonly<Record<string, Program>>;
  /** Native sidecars: init containers with restartPolicy Always. */
  readonly native?: Readonly<Record<string, Program>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly restartPolicy?: 'Never' | 'OnFailure' | 'Always';
  readonly shareProcessNamespace?: boolean;
  /** The backoffLimit of its Job; restarts of containers count. */
  readonly backoffLimit?: number;
}

const done = endsWith(0);
const works = withoutHandler;
const shipper = { 'log-shipper': inImage('docker.io/acme/log-shipper:2', untilTerm(0)) };
const reloader = { 'config-reloader': inImage('docker.io/acme/config-reloader:1', ignoresTerm) };
const auditLog = { 'audit-log': inImage('docker.io/acme/audit-log:3', untilTerm(143)) };
const proxy = { 'istio-proxy': inImage('docker.io/istio/proxyv2:1.27.0-distroless', quitsOnHttp(15_020)) };
const named = (sidecar: string) => ({ annotations: { 'sidecar-sweeper.dev/sidecars': sidecar } });
const listed = named('log-shipper');
const byOthers = { annotations: { 'nrmitchi.com/sidecars': 'audit-log' } };
const killed = { 'workflows.argoproj.io/kill-cmd-vault-agent': '["sh", "-c", "kill -%d 1"]' };

/** Pods in every state that matters to the sweeper, by namespace and name. All but the last belong to Jobs. */
// biome-ignore format: one row a line
const pods: Readonly<Record<string, Omit<Member, 'name' | 'namespace'>>> = {
  'reports/report-daily': { about: 'stuck; its fluent-bit is a known sidecar that exits 0 on TERM', containers: { main: done, 'fluent-bit': inImage('docker.io/fluent/fluent-bit:3.2-debug', untilTerm(0)) } },
  'reports/report-weekly': { about: 'stuck; its sidecar ignores TERM', containers: { main: done, ...reloader }, ...named('config-reloader') },
  'reports/report-monthly': { about: 'stuck; its sidecar has no handler for TERM', containers: { main: done, 'metrics-bridge': inImage('docker.io/acme/metrics-bridge:1', withoutHandler) }, ...named('metrics-bridge') },
  'billing/invoice-export': { about: 'stuck; its cloud-sql-proxy is known to exit 143 on TERM, which would rerun the Job', containers: { main: done, 'cloud-sql-proxy': inImage('gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.14.0-alpine', untilTerm(143)) } },
  'billing/invoice-mail': { about: 'stuck; its Istio proxy has no shell, but an HTTP endpoint to shut it down', containers: { main: done, ...proxy } },
  'billing/invoice-retry': { about: 'stuck with restartPolicy OnFailure; its sidecar exits 0 on TERM', containers: { main: done, ...shipper }, ...listed, restartPolicy: 'OnFailure' },
  'imports/import-flaky': { about: 'not done: its main container keeps crashing', containers: { main: endsWith(7), ...shipper }, ...listed, restartPolicy: 'OnFailure', backoffLimit: 100 },
  'imports/import-long': { about: 'not done: its main container is still running', containers: { main: works, ...shipper }, ...listed },
  'imports/import-native': { about: 'the kubelet ends its native sidecar', containers: { main: done }, native: shipper },
  'imports/import-shared': { about: 'stuck; its containers share a PID namespace', containers: { main: done, ...shipper }, ...listed, shareProcessNamespace: true },
  'imports/import-no-image': { about: 'Pending: the image of its sidecar cannot be pulled', containers: { main: done, 'log-shipper': imageMissing }, ...listed },
  'workflows/workflow-audit': { about: 'stuck; its sidecar exits 143 on TERM, which is not known yet', containers: { main: done, ...auditLog }, ...byOthers },
  // What got stuck first is swept first, and times have whole seconds.
  'workflows/workflow-audit-2': { about: 'stuck; its sidecar has the same image', containers: { main: endsWith(0, 2.5), ...auditLog }, ...byOthers },
  'workflows/workflow-step': { about: "stuck; Argo Workflows' annotation has the command that ends its sidecar", containers: { main: done, 'vault-agent': inImage('docker.io/hashicorp/vault:1.17', untilTerm(0)) }, annotations: killed },
  'workflows/workflow-failed': { about: 'stuck; its main container failed with exit code 7', containers: { main: endsWith(7), ...shipper }, ...listed },
  'workflows/workflow-aborted': { about: 'stuck; its main container failed, and its sidecar ignores TERM, so that KILL ends it', containers: { main: endsWith(7), ...reloader }, ...named('config-reloader'), shareProcessNamespace: true },
  'workflows/backup': { about: 'finished', containers: { main: done } },
  'web/shop': { about: 'runs forever, like the pods of Deployments', containers: { main: works, ...proxy }, restartPolicy: 'Always' },
};

export const members: readonly Member[] = Object.entries(pods).map(([path, pod]) => {
  const [namespace = '', name = ''] = path.split('/');
  return { namespace, name, ...pod };
});

export function fillCluster({ world }: Emulator, chosen: readonly Member[] = members): void {
  for (const member of chosen) {
    ensureNamespace(world, member.namespace);
    if (member.restartPolicy === 'Always') world.createPod(podOf(member));
    else world.createJob(jobOf(member));
  }
}

export const memberBehaviours: Behaviours = (pod, container) => {
  const name = pod.metadata.labels?.['job-name'] ?? pod.metadata.labels?.['app'];
  const member = members.find((each) => each.name === name);
  return { ...member?.containers, ...member?.native }[container.name]?.light;
};

function podSpecOf(member: Member): PodManifest['spec'] {
  const { containers, native, restartPolicy = 'Never', shareProcessNamespace } = member;
  const build = (programs: Readonly<Record<string, Program>>) =>
    Object.entries(programs).map(([name, program]) => ({
      ...containerOf(name, program),
      resources: {
        requests: name === 'main' ? { cpu: '1', memory: '2Gi' } : { cpu: '100m', memory: '128Mi' },
      },
    }));
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

/** A pod as a Deployment's ReplicaSet would create it; neither of them exists. */
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
