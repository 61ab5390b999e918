import type { RbacRule } from './rbac.ts';

/** What a sweep asks of the API beside its methods, and the rules for it; only `look` is indispensable. */
export const needs = {
  look: {
    for: 'list, judge and prove',
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
  },
  jobs: { for: 'tell what Jobs did', rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['get'] }] },
  'raise-backoff-limit': {
    for: 'make room for image swaps in Jobs',
    rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['patch'] }],
  },
  nodes: {
    for: 'leave pods of dead nodes alone',
    rules: [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }],
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
} as const satisfies Record<string, { readonly for: string; readonly rules: readonly RbacRule[] }>;
