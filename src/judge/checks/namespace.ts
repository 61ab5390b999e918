import { ownKeys } from '../../pod/annotations.ts';
import { optsOut } from './exempt.ts';
import type { Check } from './subject.ts';

export const namespaceNotSelected: Check<'NamespaceNotSelected'> = ({ pod, policy, facts }) => {
  const { namespace } = pod.ref;
  const isExcluded = policy.scope.excludeNamespaces?.includes(namespace) ?? false;
  const isSelected = facts.selectedNamespaces?.has(namespace) ?? true;
  return [
    ...(isExcluded ? [{ kind: 'NamespaceNotSelected', by: 'Exclusion' } as const] : []),
    ...(isSelected ? [] : [{ kind: 'NamespaceNotSelected', by: 'Selector' } as const]),
  ];
};

export const namespaceOptedOut: Check<'NamespaceOptedOut'> = ({ pod, facts }) => {
  const reading = facts.namespaces.get(pod.ref.namespace);
  const isOptedOut = reading?.kind === 'Present' && optsOut(reading.annotations);
  return isOptedOut ? [{ kind: 'NamespaceOptedOut', key: ownKeys.skip }] : [];
};

/** Whoever opted out must not be swept because a request failed. */
export const namespaceUnreadable: Check<'NamespaceUnreadable'> = ({ pod, facts }) => {
  const reading = facts.namespaces.get(pod.ref.namespace);
  if (reading?.kind !== 'Unreadable') return [];
  return [{ kind: 'NamespaceUnreadable', problem: reading.problem.message }];
};
