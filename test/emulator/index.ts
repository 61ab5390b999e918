import { type EmulatorClock, emulatorClock } from './clock.ts';
import { createDefaultServiceAccounts } from './default-service-account.ts';
import type { Faults } from './faults.ts';
import type { PolicyRule } from './handlers/access/authorization.ts';
import { createBootstrapPolicy } from './handlers/access/bootstrap-policy.ts';
import { admin, serviceAccountUser, Tokens } from './handlers/access/users.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import type { RequestRecord } from './requests.ts';
import { startServer } from './server.ts';
import { createWorld, type World, type WorldOptions } from './world/world.ts';

export type { FaultAction } from './faults.ts';

export interface EmulatorOptions extends Partial<WorldOptions> {
  /** 0, the default: any that is free. */
  readonly port?: number;
}

/** A Kubernetes cluster in this process that real clients can talk to. */
export interface Emulator {
  readonly url: string;
  /** PEM of the authority to trust. */
  readonly ca: string;
  readonly clock: EmulatorClock;
  readonly world: World;
  /** The admin's bearer token. */
  readonly token: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly RequestRecord[];
  readonly faults: Faults;
  /** The text of a kubeconfig, for the admin or for another token. */
  kubeconfig(user?: KubeconfigUser, options?: { readonly namespace?: string }): string;
  /** A service account with the rules given, cluster-wide or in its own namespace; returns its token. */
  serviceAccount(account: ServiceAccountOptions): string;
  /** From now on the token is answered with 401. */
  revoke(token: string): void;
  stop(): Promise<void>;
}

/** `admin`, or whoever has the token. */
export type KubeconfigUser = 'admin' | { readonly name: string; readonly token: string };

export interface ServiceAccountOptions {
  readonly namespace: string;
  readonly name: string;
  /** None: only what roles and bindings in the cluster give it. */
  readonly rules?: readonly PolicyRule[];
  readonly scope?: 'Cluster' | 'Namespace';
}

/** Starts a cluster and its API server. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { port, ...worldOptions } = options;
  const clock = options.clock ?? emulatorClock();
  const inCluster = () => ({
    port: Number(new URL(server.url).port),
    ca: server.ca,
    token: (namespace: string, name: string) => tokens.issue(serviceAccountUser(namespace, name)),
  });
  const world = createWorld({ runtime: 'light', inCluster, ...worldOptions, clock });
  const { store, kubelet } = world;
  const tokens = new Tokens();
  const adminToken = tokens.issue(admin);
  createBootstrapPolicy(store);
  createDefaultServiceAccounts(store);
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system'])
    ensureNamespace(world, name);
  const server = await startServer({ store, clock, kubelet, tokens }, port);

  return {
    url: server.url,
    ca: server.ca,
    clock,
    world,
    token: adminToken,
    requests: server.requests,
    faults: server.faults,
    kubeconfig(user = 'admin', { namespace } = {}) {
      const who = user === 'admin' ? { name: 'admin', token: adminToken } : user;
      return writeKubeconfig({
        server: server.url,
        ca: server.ca,
        token: who.token,
        user: who.name,
        context: 'emulator',
        ...(namespace === undefined ? {} : { namespace }),
      });
    },
    serviceAccount(account) {
      createServiceAccount(world, account);
      return tokens.issue(serviceAccountUser(account.namespace, account.name));
    },
    revoke: (token) => tokens.revoke(token),
    async stop() {
      await server.stop();
      await world.stop();
    },
  };
}

/** Makes the namespace exist: handlers refuse to create anything in one that does not. */
export function ensureNamespace({ store }: World, name: string): void {
  if (store.get('namespaces', undefined, name)) return;
  store.create('namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
}

function createServiceAccount(world: World, account: ServiceAccountOptions): void {
  const { namespace, name, rules, scope = 'Cluster' } = account;
  const { store } = world;
  ensureNamespace(world, namespace);
  if (!store.get('serviceaccounts', namespace, name)) {
    store.create('serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { namespace, name },
    });
  }
  if (!rules) return;
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const kind = scope === 'Cluster' ? 'ClusterRole' : 'Role';
  const metadata = scope === 'Cluster' ? { name: `${namespace}:${name}` } : { namespace, name };
  store.create(`${kind.toLowerCase()}s`, { apiVersion, kind, metadata, rules });
  store.create(`${kind.toLowerCase()}bindings`, {
    apiVersion,
    kind: `${kind}Binding`,
    metadata,
    subjects: [{ kind: 'ServiceAccount', namespace, name }],
    roleRef: { kind, apiGroup: 'rbac.authorization.k8s.io', name: metadata.name },
  });
}
