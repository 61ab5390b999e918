import type { Store } from '../../world/store.ts';

const discovery = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/openapi',
  '/openapi/*',
  '/readyz',
];
const versions = ['/version', '/version/'];
const reviews = ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'];

/** The default ClusterRoles of every cluster, reduced to what ordinary users need. */
const roles = [
  {
    name: 'cluster-admin',
    group: 'system:masters',
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ],
  },
  {
    name: 'system:basic-user',
    group: 'system:authenticated',
    rules: [
      { apiGroups: ['authorization.k8s.io'], resources: reviews, verbs: ['create'] },
      { apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'], verbs: ['create'] },
    ],
  },
  {
    name: 'system:discovery',
    group: 'system:authenticated',
    rules: [{ nonResourceURLs: [...discovery, ...versions], verbs: ['get'] }],
  },
  {
    name: 'system:public-info-viewer',
    group: 'system:unauthenticated',
    rules: [{ nonResourceURLs: ['/healthz', '/livez', '/readyz', ...versions], verbs: ['get'] }],
  },
];

const apiVersion = 'rbac.authorization.k8s.io/v1';
const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };

export function createBootstrapPolicy(store: Store): void {
  for (const { name, group, rules } of roles) {
    store.create('clusterroles', { apiVersion, kind: 'ClusterRole', metadata: { name, labels }, rules });
    store.create('clusterrolebindings', {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name, labels },
      subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: group }],
      roleRef: { kind: 'ClusterRole', apiGroup: 'rbac.authorization.k8s.io', name },
    });
  }
}
