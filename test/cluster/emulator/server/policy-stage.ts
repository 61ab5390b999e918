import { afterEach, expect } from 'vitest';
import { container, stage } from './stage.ts';

export const pods = '/api/v1/namespaces/demo/pods';
const registration = '/apis/admissionregistration.k8s.io/v1';
const plurals = ['validatingadmissionpolicybindings', 'validatingadmissionpolicies'] as const;

export const onPods = (operations: readonly string[], resources = ['pods']) => ({
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations, resources }],
});

/** A stage whose tests put a policy in force; what a test has stored is gone after it. */
export function policyStage() {
  const cluster = stage();

  afterEach(() => {
    const { store } = cluster.emulator.world;
    for (const resource of [...plurals, 'pods', 'configmaps']) {
      for (const { metadata } of store.list(resource))
        store.delete(resource, metadata.namespace, metadata.name);
    }
  });

  return {
    cluster,
    /** Stores a policy with its binding; by default it is about every creation and update of a pod. */
    async enforce(spec: object, binding: object = {}): Promise<void> {
      const apiVersion = 'admissionregistration.k8s.io/v1';
      const policy = {
        apiVersion,
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'policy' },
        spec: { matchConstraints: onPods(['CREATE', 'UPDATE']), ...spec },
      };
      const bound = {
        apiVersion,
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'binding' },
        spec: { policyName: 'policy', validationActions: ['Deny'], ...binding },
      };
      for (const [plural, body] of [[plurals[1], policy] as const, [plurals[0], bound] as const])
        expect(await cluster.ask('POST', `${registration}/${plural}`, { body })).toMatchObject({
          status: 201,
        });
    },
    create: (name: string, labels: object = {}, query = '') =>
      cluster.ask('POST', `${pods}${query}`, { body: manifest(name, labels) }),
    label: (name: string, labels: object, token?: string) =>
      cluster.ask('PATCH', `${pods}/${name}`, {
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { metadata: { labels } },
        ...(token ? { token } : {}),
      }),
  };
}

const manifest = (name: string, labels: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { containers: [container('main')], activeDeadlineSeconds: 60 },
});
