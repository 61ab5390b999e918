import { expect, it } from 'vitest';
import type { Pod } from '../../../kit/emulator/index.ts';
import { container, messageOf, stage } from './stage.ts';

const cluster = stage();

/** Stores a policy for new pods, with its binding. */
async function enforce(spec: object): Promise<void> {
  const metadata = { name: 'policy' };
  const resourceRules = [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
  ];
  const policy = {
    metadata,
    spec: { matchConstraints: { resourceRules }, failurePolicy: 'Ignore', ...spec },
  };
  const binding = { metadata, spec: { policyName: 'policy', validationActions: ['Deny'] } };
  for (const [plural, body] of Object.entries({
    validatingadmissionpolicies: policy,
    validatingadmissionpolicybindings: binding,
  })) {
    const { store } = cluster.emulator.world;
    if (store.get(plural, undefined, 'policy')) store.delete(plural, undefined, 'policy');
    const path = `/apis/admissionregistration.k8s.io/v1/${plural}`;
    expect(await cluster.ask('POST', path, { body })).toMatchObject({ status: 201 });
  }
}

const validations = (expression: string) => ({ validations: [{ expression }] });

it.each<readonly [what: string, spec: object]>([
  ['an unknown function', validations(`quantity('1Gi').isInteger()`)],
  ['an unknown method of a field', validations('object.metadata.name.nosuch()')],
  ['an overload that only shows at run time', validations('object.metadata.name.indexOf(1) == 1')],
  ['an unknown variable', validations('nosuch.name')],
  ['a validation that is no bool', validations('object.metadata.name')],
  ['auditAnnotations', { auditAnnotations: [{ key: 'a', valueExpression: '"b"' }] }],
  [
    'a branch that is not taken',
    {
      ...validations('true'),
      matchConditions: [{ name: 'n', expression: `false && ip('x').family() == 4` }],
    },
  ],
])('an expression that is beyond the emulator is its own loud error: %s', async (_what, spec) => {
  await enforce(spec);
  const body = { metadata: { name: 'x' }, spec: { containers: [container('main')] } };
  const answer = await cluster.ask('POST', '/api/v1/namespaces/demo/pods', { body });
  expect(answer.status).toBe(500);
  expect(messageOf(answer)).toMatch(/^the emulator failed: /);
  expect(cluster.emulator.world.store.list<Pod>('pods')).toEqual([]);
});
