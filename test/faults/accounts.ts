import type { Cluster } from '../../src/model/ports.ts';
import { type Emulator, ensureNamespace, ensureObject } from '../kit/emulator/index.ts';
import type { Account, FaultyCluster } from './faulty-cluster.ts';

const sweeper = { namespace: 'sweeper', name: 'sweeper' };
const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];

/** An account that may do everything, known by a token of its own. */
export function ownAccount(emulator: Emulator): Account {
  const token = tokenOf(emulator);
  return { tokens: [token], kubeconfig: emulator.kubeconfig({ name: 'sweeper', token }) };
}

/** Each call gives another token of the same account. */
export function tokenOf(emulator: Emulator): string {
  const isThere = emulator.world.store.get('serviceaccounts', sweeper.namespace, sweeper.name) !== undefined;
  return emulator.serviceAccount({ ...sweeper, ...(!isThere && { rules: everything }) });
}

/** May do nothing until it is granted something. */
const limited = { namespace: 'sweeper', name: 'limited' };

export function connectLimited({ emulator, simulated }: FaultyCluster): Promise<Cluster> {
  const token = emulator.serviceAccount(limited);
  return simulated.connect(emulator.kubeconfig({ name: limited.name, token }));
}

/** A verb on a resource of the core: `get pods/exec`. */
export type Verb = `${string} ${string}`;

export function grant(world: Emulator['world'], namespace: string, verbs: readonly Verb[]): void {
  ensureNamespace(world, namespace);
  const metadata = { namespace, name: limited.name };
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const rules = verbs.map((one) => {
    const [verb = '', resource = ''] = one.split(' ');
    return { apiGroups: [''], resources: [resource], verbs: [verb] };
  });
  const roleRef = { kind: 'Role', apiGroup: 'rbac.authorization.k8s.io', name: limited.name };
  const subjects = [{ kind: 'ServiceAccount', ...limited }];
  ensureObject(world, { apiVersion, kind: 'Role', metadata, rules });
  ensureObject(world, { apiVersion, kind: 'RoleBinding', metadata, subjects, roleRef });
}

export function subsetsOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: 2 ** all.length }, (_, subset) =>
    all.filter((_one, bit) => (subset >> bit) & 1),
  );
}
