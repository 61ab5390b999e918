import { emulatorClock } from './clock.ts';
import {
  admin,
  createBootstrapPolicy,
  type PolicyRule,
  serviceAccountUser,
  Tokens,
} from './handlers/access.ts';
import { mutateJobPod } from './handlers/admission/mutating.ts';
import type { PodWebhook } from './handlers/call.ts';
import { apiVersionOf, resources } from './handlers/resources.ts';
import { startServer } from './server/server.ts';
import type { Pod } from './world/objects.ts';
import type { Store } from './world/store.ts';
import { createWorld, type World, type WorldOptions } from './world/world.ts';

export interface EmulatorOptions extends Partial<WorldOptions> {
  /** Sees every creation and update of a pod by a request or a Job, and may rewrite it. */
  readonly webhook?: PodWebhook;
}

export type Emulator = Awaited<ReturnType<typeof startEmulator>>;

export type KubeconfigUser = 'admin' | { readonly name: string; readonly token: string };

export async function startEmulator(options: EmulatorOptions = {}) {
  const { webhook, clock = emulatorClock(), ...worldOptions } = options;
  const inCluster = () => ({
    port: Number(new URL(server.url).port),
    ca: server.ca,
    token: (namespace: string, name: string) => tokens.issue(serviceAccountUser(namespace, name)),
  });
  const tokens = new Tokens();
  const world = createWorld({
    runtime: 'light',
    inCluster,
    admitPod: (manifest) => mutateJobPod({ store, clock, kubelet, tokens, webhook }, manifest),
    ...worldOptions,
    clock,
  });
  const { store, kubelet } = world;
  const adminToken = tokens.issue(admin);
  createBootstrapPolicy(store);
  createDefaultServiceAccounts(store);
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system'])
    ensureNamespace(world, name);
  const server = await startServer({ store, clock, kubelet, tokens, webhook });

  return {
    url: server.url,
    ca: server.ca,
    clock,
    world,
    token: adminToken,
    /** Every request so far, oldest first. */
    requests: server.requests,
    faults: server.faults,
    kubeconfig(user: KubeconfigUser = 'admin'): string {
      const { name, token } = user === 'admin' ? { name: user, token: adminToken } : user;
      return `apiVersion: v1
kind: Config
current-context: emulator
clusters:
  - name: emulator
    cluster:
      server: ${server.url}
      certificate-authority-data: ${Buffer.from(server.ca).toString('base64')}
contexts:
  - name: emulator
    context:
      cluster: emulator
      user: ${name}
users:
  - name: ${name}
    user:
      token: ${token}
`;
    },
    /** Creates a service account whose rules apply cluster-wide or in its namespace. Returns its token. */
    serviceAccount(account: ServiceAccountOptions): string {
      createServiceAccount(world, account);
      return tokens.issue(serviceAccountUser(account.namespace, account.name));
    },
    /** The server answers the token with 401 from now on. */
    revoke: (token: string) => tokens.revoke(token),
    async stop(): Promise<void> {
      await server.stop();
      await world.stop();
    },
  };
}

export interface ServiceAccountOptions {
  readonly namespace: string;
  readonly name: string;
  /** Without rules, only existing roles and bindings apply. */
  readonly rules?: readonly PolicyRule[];
  readonly scope?: 'Cluster' | 'Namespace';
}

function createServiceAccount(world: World, account: ServiceAccountOptions): void {
  const { namespace, name, rules, scope = 'Cluster' } = account;
  ensureNamespace(world, namespace);
  ensureObject(world, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name } });
  if (!rules) return;
  const apiGroup = 'rbac.authorization.k8s.io';
  const apiVersion = `${apiGroup}/v1`;
  const [kind, metadata] =
    scope === 'Cluster' ? ['ClusterRole', { name: `${namespace}:${name}` }] : ['Role', { namespace, name }];
  world.store.create(`${kind.toLowerCase()}s`, { apiVersion, kind, metadata, rules });
  world.store.create(`${kind.toLowerCase()}bindings`, {
    apiVersion,
    kind: `${kind}Binding`,
    metadata,
    subjects: [{ kind: 'ServiceAccount', namespace, name }],
    roleRef: { kind, apiGroup, name: metadata.name },
  });
}

/** Creates the `default` service account in every namespace, as a controller does in a real cluster. */
function createDefaultServiceAccounts(store: Store): void {
  store.subscribe(({ resource, type, object }) => {
    if (resource !== 'namespaces' || type !== 'ADDED') return;
    const metadata = { name: 'default', namespace: object.metadata.name };
    store.create('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  });
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** Stores the object as written if it is missing: without a request, defaults or validation. */
export function ensureObject({ store }: World, object: Manifest): void {
  const { apiVersion, kind, metadata } = object;
  const served = resources.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion);
  if (!served) throw new Error(`the emulator does not serve ${apiVersion} ${kind}`);
  // The server drops the namespace that kustomize gives to kinds that it takes for namespaced.
  const namespace = served.namespaced ? metadata.namespace : undefined;
  if (store.get(served.resource, namespace, metadata.name)) return;
  store.create(served.resource, { ...object, metadata: { ...metadata, namespace } });
}

/** Creates the namespace if it is missing: handlers refuse to create objects in a missing namespace. */
export function ensureNamespace(world: World, name: string): void {
  ensureObject(world, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
}

export function addNode({ world: { store } }: Emulator, node: string): void {
  if (store.get('nodes', undefined, node)) return;
  const [template] = store.list('nodes');
  if (!template) throw new Error('the cluster has no node');
  const { name: _name, uid: _uid, resourceVersion: _version, ...metadata } = template.metadata;
  store.create('nodes', { ...template, metadata: { ...metadata, name: node } });
}

/**
 * Adds a node whose kubelet runs its pods and reports on them, but answers nothing that the API server passes on to it: as one
 * does whose port is filtered, or whose streaming server hangs. Returns a function that makes it answer.
 */
export function hangKubelet(emulator: Emulator, node: string): () => void {
  const { world, faults } = emulator;
  const { store } = world;
  addNode(emulator, node);
  return faults.add(
    {
      resource: 'pods',
      when: ({ subresource, namespace, name }) =>
        ['exec', 'portforward', 'log'].includes(subresource) &&
        store.get<Pod>('pods', namespace, name)?.spec.nodeName === node,
    },
    { kind: 'NeverAnswer' },
  );
}
