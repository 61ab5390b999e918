import { type MethodName, methodNamed } from '../../../src/methods/index.ts';
import type { Emulator, KubeconfigUser } from '../../kit/emulator/index.ts';

/** An account with the permissions of one method, so that the sweep drops all others. */
export function accountFor(emulator: Emulator, name: string, method: MethodName): KubeconfigUser {
  const reads = [
    { apiGroups: [''], resources: ['pods', 'nodes', 'namespaces'], verbs: ['get', 'list'] },
    { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list'] },
  ];
  const rules = [...reads, ...methodNamed(method).rbac].map((rule) => ({
    apiGroups: [...rule.apiGroups],
    resources: [...rule.resources],
    verbs: [...rule.verbs],
  }));
  const token = emulator.serviceAccount({ namespace: 'default', name, rules, scope: 'Cluster' });
  return { name, token };
}
