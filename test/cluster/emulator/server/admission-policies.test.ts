import { afterEach, describe, expect, it } from 'vitest';
import type { Pod } from '../../../kit/emulator/index.ts';
import { container, messageOf, stage } from './stage.ts';

const cluster = stage();
const pods = '/api/v1/namespaces/demo/pods';
const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
const registration = '/apis/admissionregistration.k8s.io/v1';
const plurals = ['validatingadmissionpolicybindings', 'validatingadmissionpolicies'] as const;

const onPods = (operations: readonly string[], resources = ['pods']) => ({
  resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations, resources }],
});

/** Stores a policy with its binding; by default it is about every creation and update of a pod. */
async function enforce(spec: object, binding: object = {}): Promise<void> {
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
  expect(await cluster.ask('POST', `${registration}/${plurals[1]}`, { body: policy })).toMatchObject({
    status: 201,
  });
  expect(await cluster.ask('POST', `${registration}/${plurals[0]}`, { body: bound })).toMatchObject({
    status: 201,
  });
}

afterEach(() => {
  const { store } = cluster.emulator.world;
  for (const resource of [...plurals, 'pods', 'configmaps']) {
    for (const { metadata } of store.list(resource))
      store.delete(resource, metadata.namespace, metadata.name);
  }
});

const manifest = (name: string, labels: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { containers: [container('main')], activeDeadlineSeconds: 60 },
});
const create = (name: string, labels?: object, query = '') =>
  cluster.ask('POST', `${pods}${query}`, { body: manifest(name, labels) });
const label = (name: string, labels: object, token?: string) =>
  cluster.ask('PATCH', `${pods}/${name}`, {
    ...merge,
    body: { metadata: { labels } },
    ...(token ? { token } : {}),
  });
const no = (message?: string) => ({
  validations: [{ expression: 'false', ...(message ? { message } : {}) }],
});

describe('a refusal', () => {
  it('says policy, binding and message, and is 422', async () => {
    await enforce(no('not today'));
    const why = `ValidatingAdmissionPolicy 'policy' with binding 'binding' denied request: not today`;
    expect(await create('x')).toMatchObject({
      status: 422,
      body: {
        reason: 'Invalid',
        message: `pods "x" is forbidden: ${why}`,
        details: { name: 'x', kind: 'pods', causes: [{ message: why }] },
      },
    });
    expect(cluster.emulator.world.store.get('pods', 'demo', 'x')).toBeUndefined();
  });

  it.each<readonly [what: string, validation: object, message: string]>([
    ['names the expression without a message', {}, 'failed expression: object == null'],
    ['has a composed message', { messageExpression: `'no ' + object.metadata.name`, message: 'no' }, 'no x'],
    [
      'has the message if none can be composed',
      { messageExpression: 'object.nosuch', message: 'plain' },
      'plain',
    ],
  ])('%s', async (_what, validation, message) => {
    await enforce({ validations: [{ expression: 'object == null', ...validation }] });
    expect(messageOf(await create('x'))).toMatch(new RegExp(`denied request: ${message}$`));
  });

  it('has the code of its reason', async () => {
    await enforce({ validations: [{ expression: 'false', reason: 'Forbidden' }] });
    expect(await create('x')).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
  });

  it('comes in a dry run as well', async () => {
    await enforce(no());
    expect(await create('x', {}, '?dryRun=All')).toMatchObject({ status: 422 });
  });

  it('is only a warning, or nothing, if the binding says so', async () => {
    await enforce(no('careful'), { validationActions: ['Warn'] });
    const { status, headers } = await create('x');
    expect(status).toBe(201);
    expect(headers?.['warning']).toContain("Validation failed for ValidatingAdmissionPolicy 'policy'");
    expect(headers?.['warning']).toContain('careful');
  });

  it('of Audit alone is not seen', async () => {
    await enforce(no(), { validationActions: ['Audit'] });
    const { status, headers } = await create('x');
    expect([status, headers?.['warning']]).toEqual([201, undefined]);
  });

  it('needs a binding', async () => {
    await enforce(no(), { policyName: 'another' });
    expect(await create('x')).toMatchObject({ status: 201 });
  });
});

describe('what a policy is about:', () => {
  it.each<readonly [what: string, spec: object, refused: boolean]>([
    ['its operations', { matchConstraints: onPods(['UPDATE']) }, false],
    ['any operation', { matchConstraints: onPods(['*']) }, true],
    ['its resources', { matchConstraints: onPods(['CREATE'], ['configmaps']) }, false],
    ['any resource', { matchConstraints: onPods(['CREATE'], ['*']) }, true],
    [
      'subresources are others',
      { matchConstraints: onPods(['CREATE'], ['pods/*x', 'pods/eviction']) },
      false,
    ],
    [
      'what it excludes',
      {
        matchConstraints: {
          ...onPods(['CREATE']),
          excludeResourceRules: onPods(['CREATE']).resourceRules,
        },
      },
      false,
    ],
    [
      'the labels of the namespace',
      { matchConstraints: { ...onPods(['CREATE']), namespaceSelector: { matchLabels: { team: 'data' } } } },
      false,
    ],
    [
      'the name of the namespace',
      {
        matchConstraints: {
          ...onPods(['CREATE']),
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'demo' } },
        },
      },
      true,
    ],
    [
      'the labels of the object',
      { matchConstraints: { ...onPods(['CREATE']), objectSelector: { matchLabels: { app: 'other' } } } },
      false,
    ],
    [
      'its conditions',
      { matchConditions: [{ name: 'n', expression: `object.metadata.name == 'y'` }] },
      false,
    ],
    [
      'all of its conditions',
      { matchConditions: [{ name: 'n', expression: `object.metadata.name == 'x'` }] },
      true,
    ],
  ])('%s', async (_what, spec, refused) => {
    await enforce({ ...no(), ...spec });
    expect(await create('x', { app: 'x' })).toMatchObject({ status: refused ? 422 : 201 });
  });

  it('and what its binding is about', async () => {
    await enforce(no(), { matchResources: { objectSelector: { matchLabels: { guarded: 'yes' } } } });
    expect(await create('free')).toMatchObject({ status: 201 });
    expect(await create('bound', { guarded: 'yes' })).toMatchObject({ status: 422 });
    // An update that removes the label is about the object as it was.
    expect(await label('free', { guarded: 'yes' })).toMatchObject({ status: 422 });
  });

  it('Events in both groups', async () => {
    const matchConstraints = {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['events'] }],
    };
    await enforce({ matchConstraints, validations: [{ expression: `object.message != 'hello'` }] });
    const body = {
      metadata: { generateName: 'e-' },
      regarding: { kind: 'Pod', namespace: 'demo', name: 'x' },
      ...{ reason: 'R', action: 'A', type: 'Normal', note: 'hello' },
      ...{ reportingController: 'a/b', reportingInstance: 'x', eventTime: '2026-11-21T04:00:00.000000Z' },
    };
    const path = '/apis/events.k8s.io/v1/namespaces/demo/events';
    expect(await cluster.ask('POST', path, { body })).toMatchObject({ status: 422 });
    expect(await cluster.ask('POST', path, { body: { ...body, note: 'bye' } })).toMatchObject({
      status: 201,
    });
  });
});

describe('every write is admitted:', () => {
  const rename = { metadata: { labels: { a: 'b' } } };
  const swapped = { spec: { containers: [{ ...container('main'), name: 'main', image: 'other:1' }] } };
  it.each<readonly [string, string, readonly string[], string, string, object | undefined]>([
    ['an update', 'UPDATE', ['pods'], 'PATCH', `${pods}/x`, rename],
    ['an update that changes nothing', 'UPDATE', ['pods'], 'PATCH', `${pods}/x`, {}],
    ['a change of the image', 'UPDATE', ['pods'], 'PATCH', `${pods}/x`, swapped],
    ['a change of the status', 'UPDATE', ['pods/status'], 'PATCH', `${pods}/x/status`, { status: {} }],
    ['a deletion', 'DELETE', ['pods'], 'DELETE', `${pods}/x`, undefined],
    ['a deletion of all', 'DELETE', ['pods'], 'DELETE', pods, undefined],
    ['an eviction', 'CREATE', ['pods/eviction'], 'POST', `${pods}/x/eviction`, { metadata: { name: 'x' } }],
    ['an exec', 'CONNECT', ['pods/exec'], 'POST', `${pods}/x/exec?command=ls`, undefined],
  ])('%s', async (_what, operation, resources, method, path, body) => {
    cluster.place('x');
    const version = cluster.emulator.world.store.resourceVersion;
    await enforce({ ...no('seen'), matchConstraints: onPods([operation], [...resources]) });
    const headers =
      method === 'PATCH' ? { headers: { 'content-type': 'application/strategic-merge-patch+json' } } : {};
    const answer = await cluster.ask(method, path, { ...headers, ...(body ? { body } : {}) });
    expect(messageOf(answer)).toContain('denied request: seen');
    // The policy and its binding alone.
    expect(cluster.emulator.world.store.resourceVersion).toBe(version + 2);
  });

  it('an exec shows its options', async () => {
    cluster.place('x');
    const validations = [{ expression: `object.command == ['ls'] && object.stdin`, message: 'only ls' }];
    await enforce({ matchConstraints: onPods(['CONNECT'], ['pods/exec']), validations });
    const refused = await cluster.ask('POST', `${pods}/x/exec?command=rm&stdin=true`);
    expect(messageOf(refused)).toContain('only ls');
    const allowed = await cluster.ask('POST', `${pods}/x/exec?command=ls&stdin=true`);
    expect(messageOf(allowed)).toBe('Upgrade request required');
  });
});

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
