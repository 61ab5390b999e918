import { methods } from '../../../src/methods/index.ts';
import type { Emulator, KubeconfigUser } from '../../emulator/index.ts';

type Method = keyof typeof methods;

/** An account that may use one method and nothing else, by that method's own rules: the sweep drops all other rungs. */
export function accountFor(emulator: Emulator, name: string, method: Method): KubeconfigUser {
  const reads = [
    { apiGroups: [''], resources: ['pods', 'nodes'], verbs: ['get', 'list'] },
    { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get', 'list'] },
  ];
  const rules = [...reads, ...methods[method].rbac].map((rule) => ({
    apiGroups: [...rule.apiGroups],
    resources: [...rule.resources],
    verbs: [...rule.verbs],
  }));
  const token = emulator.serviceAccount({ namespace: 'default', name, rules, scope: 'Cluster' });
  return { name, token };
}
