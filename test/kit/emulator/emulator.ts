import { type EmulatorClock, emulatorClock } from './clock.ts';
import { createDefaultServiceAccounts } from './default-service-account.ts';
import { ensureNamespace } from './ensure.ts';
import type { Faults } from './faults.ts';
import { createBootstrapPolicy } from './handlers/access/authorization.ts';
import { admin, serviceAccountUser, Tokens } from './handlers/access/users.ts';
import type { PodWebhook } from './handlers/admission/admission.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import type { RequestRecord } from './requests.ts';
import { startServer } from './server.ts';
import { createServiceAccount, type ServiceAccountOptions } from './service-account.ts';
import { createWorld, type World, type WorldOptions } from './world/world.ts';

/** The options of the cluster. By default it uses the light runtime and real time. */
export interface EmulatorOptions extends Partial<WorldOptions> {
  /** The default, 0, picks a free port. */
  readonly port?: number;
  /** Sees every creation and update of a pod by a request, and may rewrite or refuse it. */
  readonly webhook?: PodWebhook;
}

/** A Kubernetes cluster in this process for real clients. */
export interface Emulator {
  readonly url: string;
  /** The CA certificate to trust, in PEM. */
  readonly ca: string;
  readonly clock: EmulatorClock;
  readonly world: World;
  /** The admin's bearer token. */
  readonly token: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly RequestRecord[];
  readonly faults: Faults;
  /** How many requests it keeps waiting by a fault: for its clock, or for ever. */
  waiting(): number;
  /** The text of a kubeconfig, for the admin or for another token. */
  kubeconfig(user?: KubeconfigUser, options?: { readonly namespace?: string }): string;
  /** Creates a service account whose rules apply cluster-wide or in its namespace. Returns its token. */
  serviceAccount(account: ServiceAccountOptions): string;
  /** The server answers the token with 401 from now on. */
  revoke(token: string): void;
  stop(): Promise<void>;
}

/** The user of a kubeconfig: `admin`, or the owner of the token. */
export type KubeconfigUser = 'admin' | { readonly name: string; readonly token: string };

/** Starts a cluster with its API server. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { port, webhook, ...worldOptions } = options;
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
  const server = await startServer({ store, clock, kubelet, tokens, webhook }, port);

  return {
    url: server.url,
    ca: server.ca,
    clock,
    world,
    token: adminToken,
    requests: server.requests,
    faults: server.faults,
    waiting: server.waiting,
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
