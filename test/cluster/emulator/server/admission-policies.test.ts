import { describe, expect, it } from 'vitest';
import { onPods, pods, policyStage } from './policy-stage.ts';
import { container, messageOf } from './stage.ts';

const { cluster, enforce, create, label } = policyStage();
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
  const about = (more: object) => ({ matchConstraints: { ...onPods(['CREATE']), ...more } });
  const named = (name: string) => ({ matchLabels: { 'kubernetes.io/metadata.name': name } });
  const ifNamed = (name: string) => ({
    matchConditions: [{ name: 'n', expression: `object.metadata.name == '${name}'` }],
  });
  it.each<readonly [what: string, spec: object, refused: boolean]>([
    ['its operations', { matchConstraints: onPods(['UPDATE']) }, false],
    ['any operation', { matchConstraints: onPods(['*']) }, true],
    ['its resources', { matchConstraints: onPods(['CREATE'], ['configmaps']) }, false],
    ['any resource', { matchConstraints: onPods(['CREATE'], ['*']) }, true],
    ['subresources', { matchConstraints: onPods(['CREATE'], ['pods/*x', 'pods/eviction']) }, false],
    ['what it excludes', about({ excludeResourceRules: onPods(['CREATE']).resourceRules }), false],
    ['the labels of the namespace', about({ namespaceSelector: { matchLabels: { team: 'data' } } }), false],
    ['the name of the namespace', about({ namespaceSelector: named('demo') }), true],
    ['the labels of the object', about({ objectSelector: { matchLabels: { app: 'other' } } }), false],
    ['its conditions', ifNamed('y'), false],
    ['all of its conditions', ifNamed('x'), true],
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
