import type { RbacRule } from './rbac.ts';

interface Need {
  readonly for: string;
  readonly rules: readonly RbacRule[];
  /** What only spares requests. */
  readonly spares?: Pick<Need, 'for' | 'rules'>;
}

/** What a sweep asks of the API beside its methods, and the rules for it; only `look` and `namespaces` are indispensable. */
export const needs = {
  look: {
    for: 'list, judge and prove',
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
  },
  jobs: {
    for: 'tell what Jobs did',
    rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['get'] }],
    spares: {
      for: 'read many Jobs at once',
      rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['list'] }],
    },
  },
  'raise-backoff-limit': {
    for: 'make room for image swaps in Jobs',
    rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['patch'] }],
  },
  namespaces: {
    for: 'leave namespaces alone that opted out',
    rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }],
    spares: {
      for: 'read many namespaces at once',
      rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['list'] }],
    },
  },
  identity: {
    for: 'tell which cluster it is',
    rules: [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'], resourceNames: ['kube-system'] }],
  },
  nodes: {
    for: 'leave pods of dead nodes alone',
    rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
    spares: {
      for: 'read many nodes at once',
      rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['list'] }],
    },
  },
  logs: {
    for: 'keep the logs that a swap takes',
    rules: [{ apiGroups: [''], resources: ['pods/log'], verbs: ['get'] }],
  },
  events: {
    for: 'write events on pods',
    rules: [{ apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create'] }],
  },
  lease: {
    for: 'keep two sweeps apart',
    rules: [
      { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'update'] },
    ],
  },
} as const satisfies Record<string, Need>;
