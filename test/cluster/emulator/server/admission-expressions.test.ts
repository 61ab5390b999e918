import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../kit/emulator/index.ts';
import { policyStage } from './policy-stage.ts';
import { messageOf } from './stage.ts';

const { cluster, enforce, create, label } = policyStage();

describe('an expression', () => {
  const validate = (expression: string, more: object = {}) =>
    enforce({ validations: [{ expression }], ...more });

  it.each<readonly [about: string, expression: string]>([
    ['the object’s whole numbers', 'object.spec.activeDeadlineSeconds + 1 == 61'],
    ['defaults', `object.spec.restartPolicy == 'Always'`],
    ['absent fields', '!has(object.metadata.annotations) && !has(object.metadata.labels)'],
    ['the old object', 'oldObject == null'],
    [
      'the request',
      `request.operation == 'CREATE' && request.namespace == 'demo' && request.kind.kind == 'Pod'`,
    ],
    ['the resource', `request.resource.resource == 'pods' && !has(request.subResource) && !request.dryRun`],
    [
      'the user',
      `request.userInfo.username == 'kubernetes-admin' && 'system:masters' in request.userInfo.groups`,
    ],
    ['the namespace', `namespaceObject.metadata.name == 'demo'`],
    ['optional fields', 'object.metadata.?annotations == object.metadata.?labels'],
    ['the authorizer', `authorizer.group('').resource('pods').subresource('exec').check('create').allowed()`],
    ['a path', `authorizer.path('/healthz').check('get').allowed()`],
    [
      'another account',
      `!authorizer.serviceAccount('demo', 'x').group('').resource('pods').check('list').allowed()`,
    ],
    ['its own resource', `authorizer.requestResource.check('delete').allowed()`],
  ])('knows %s', async (_about, expression) => {
    await validate(expression);
    expect(messageOf(await create('x'))).toBeUndefined();
  });

  it('knows what RBAC says of the user', async () => {
    const patch = { apiGroups: [''], resources: ['pods'], verbs: ['patch'] };
    const exec = { apiGroups: [''], resources: ['pods/exec'], verbs: ['create'] };
    const account = (name: string, rules: object[]) =>
      cluster.emulator.serviceAccount({ namespace: 'demo', name, rules: rules as (typeof patch)[] });
    const [with_, without] = [account('may', [patch, exec]), account('may-not', [patch])];
    cluster.place('x');
    await validate(
      `authorizer.group('').resource('pods').subresource('exec').namespace(request.namespace).check('create').allowed()`,
    );
    expect(await label('x', { a: 'b' }, without)).toMatchObject({ status: 422 });
    expect(await label('x', { a: 'b' }, with_)).toMatchObject({ status: 200 });
  });

  it('uses variables, which use each other', async () => {
    const variables = [
      { name: 'names', expression: 'object.spec.containers.map(c, c.name)' },
      { name: 'first', expression: 'variables.names[0]' },
    ];
    await enforce({
      variables,
      validations: [{ expression: `variables.first != 'main'`, message: 'by variable' }],
    });
    expect(messageOf(await create('x'))).toContain('by variable');
  });

  it('uses parameters, of which all must hold', async () => {
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    const validations = [{ expression: `object.metadata.name != params.data.taken`, message: 'taken' }];
    await enforce(
      { paramKind, validations },
      { paramRef: { selector: {}, parameterNotFoundAction: 'Deny' } },
    );
    expect(messageOf(await create('x'))).toContain('no params found');
    for (const name of ['one', 'two']) {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { taken: name } };
      await cluster.ask('POST', '/api/v1/namespaces/demo/configmaps', { body });
    }
    expect(await create('x')).toMatchObject({ status: 201 });
    expect(messageOf(await create('two'))).toContain('taken');
  });

  it.each<readonly [where: string, spec: object]>([
    ['a validation', { validations: [{ expression: `object.metadata.labels.nosuch == 'x'` }] }],
    [
      'a condition',
      {
        matchConditions: [{ name: 'n', expression: `object.spec.nosuch == 'x'` }],
        validations: [{ expression: 'true' }],
      },
    ],
    [
      'a variable',
      {
        variables: [{ name: 'v', expression: 'object.spec.nosuch' }],
        validations: [{ expression: 'variables.v == 1' }],
      },
    ],
  ])('that fails in %s is left to the failurePolicy', async (_where, spec) => {
    await enforce(spec);
    const refused = await create('x');
    expect(refused.status).toBe(422);
    expect(messageOf(refused)).toMatch(/denied request: expression '.*' resulted in error: .*No such key/);
  });

  it('that fails is ignored if the failurePolicy says so', async () => {
    await validate('object.spec.nosuch == 1', { failurePolicy: 'Ignore' });
    expect(await create('x')).toMatchObject({ status: 201 });
  });

  it.each<readonly [what: string, spec: object]>([
    ['an unknown function', { validations: [{ expression: `quantity('1Gi').isInteger()` }] }],
    ['an unknown method of a field', { validations: [{ expression: `object.metadata.name.nosuch()` }] }],
    [
      'an overload that only shows at run time',
      { validations: [{ expression: 'object.metadata.name.indexOf(1) == 1' }] },
    ],
    ['an unknown variable', { validations: [{ expression: 'nosuch.name' }] }],
    ['a validation that is no bool', { validations: [{ expression: 'object.metadata.name' }] }],
    ['auditAnnotations', { auditAnnotations: [{ key: 'a', valueExpression: '"b"' }] }],
    [
      'a branch that is not taken',
      {
        validations: [{ expression: 'true' }],
        matchConditions: [{ name: 'n', expression: `false && ip('x').family() == 4` }],
      },
    ],
  ])('that is beyond the emulator is its own loud error: %s', async (_what, spec) => {
    await enforce({ ...spec, failurePolicy: 'Ignore' });
    const answer = await create('x');
    expect(answer.status).toBe(500);
    expect(messageOf(answer)).toMatch(/^the emulator failed: /);
    expect(cluster.emulator.world.store.list<Pod>('pods')).toEqual([]);
  });
});
