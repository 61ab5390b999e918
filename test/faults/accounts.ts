import type { Emulator } from '../emulator/index.ts';
import type { Account } from './faulty-cluster.ts';

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
