import { describe, expect, it } from 'vitest';
import { describeRbac, execRule, needs, permissionsOf, withGrant } from '../../../src/methods/permissions.ts';

const remove = { apiGroups: [''], resources: ['pods'], verbs: ['delete'] };

describe('rules', () => {
  it('read as verbs on resources', () => {
    expect(describeRbac([execRule])).toBe('get, create on pods/exec');
    expect(describeRbac([execRule, remove])).toBe('get, create on pods/exec; delete on pods');
    expect(describeRbac([{ ...remove, resources: ['pods', 'jobs'] }])).toBe('delete on pods, jobs');
    expect(describeRbac([])).toBe('');
  });

  it('grant each verb on each resource of each group', () => {
    const rule = { apiGroups: ['', 'batch'], resources: ['pods/exec', 'jobs'], verbs: ['get', 'list'] };
    expect(permissionsOf(rule, 'demo')).toStrictEqual([
      { verb: 'get', group: '', resource: 'pods', subresource: 'exec', namespace: 'demo' },
      { verb: 'list', group: '', resource: 'pods', subresource: 'exec', namespace: 'demo' },
      { verb: 'get', group: '', resource: 'jobs', namespace: 'demo' },
      { verb: 'list', group: '', resource: 'jobs', namespace: 'demo' },
      { verb: 'get', group: 'batch', resource: 'pods', subresource: 'exec', namespace: 'demo' },
      { verb: 'list', group: 'batch', resource: 'pods', subresource: 'exec', namespace: 'demo' },
      { verb: 'get', group: 'batch', resource: 'jobs', namespace: 'demo' },
      { verb: 'list', group: 'batch', resource: 'jobs', namespace: 'demo' },
    ]);
  });

  it('are told to grant only if the API server refuses: a proxy has rules of its own', () => {
    const forbidden = { kind: 'Forbidden', message: 'no' } as const;
    expect(withGrant(forbidden, [remove])).toBe(
      'no; grant delete on pods by the rule - {apiGroups: [""], resources: [pods], verbs: [delete]}',
    );
    expect(withGrant({ ...forbidden, isForeign: true }, [remove])).toBe('no');
    expect(withGrant({ kind: 'TimedOut', message: 'no answer' }, [remove])).toBe('no answer');
  });

  it('name no namespace if the permission is for all of them', () => {
    expect(permissionsOf(remove, undefined)).toStrictEqual([{ verb: 'delete', group: '', resource: 'pods' }]);
  });
});

it.each([
  ['jobs', 'list jobs.batch'],
  ['nodes', 'list nodes'],
] as const)('of %s, %s spares requests', (need, spared) => {
  const { rules } = needs[need].spares;
  const [{ verb, resource, group } = {}] = rules.flatMap((rule) => permissionsOf(rule, undefined));
  expect(`${verb} ${resource}${group && `.${group}`}`).toBe(spared);
});

it.each<readonly [need: keyof typeof needs, purpose: string, permissions: readonly string[]]>([
  ['look', 'list, judge and prove', ['get pods', 'list pods']],
  ['jobs', 'report how the Job reacted', ['get jobs.batch']],
  ['nodes', 'skip pods on nodes that are not ready', ['get nodes']],
  ['logs', 'keep logs that a swap would delete', ['get pods/log']],
  ['events', 'write events on pods', ['create events.events.k8s.io']],
  [
    'lease',
    'prevent two sweeps at the same time',
    [
      'create leases.coordination.k8s.io',
      'get leases.coordination.k8s.io',
      'update leases.coordination.k8s.io',
    ],
  ],
])('%s: to %s, a sweep needs %j', (need, purpose, expected) => {
  expect(needs[need].for).toBe(purpose);
  const permissions = needs[need].rules.flatMap((rule) => permissionsOf(rule, undefined));
  const words = permissions.map(
    ({ verb, resource, subresource, group }) =>
      `${verb} ${[resource, ...(subresource ? [subresource] : [])].join('/')}${group && `.${group}`}`,
  );
  expect(words).toEqual(expected);
});
