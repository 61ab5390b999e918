import { describe, expect, it } from 'vitest';
import {
  describeRbac,
  execRule,
  needs,
  permissionsOf,
  type RbacRule,
  withGrant,
} from '../../../src/methods/permissions.ts';

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
      'no; grant delete on pods with the rule - {apiGroups: [""], resources: [pods], verbs: [delete]}',
    );
    expect(withGrant(forbidden, [remove, execRule])).toBe(
      'no; grant delete on pods; get, create on pods/exec with the rule ' +
        '- {apiGroups: [""], resources: [pods], verbs: [delete]} ' +
        'and the rule - {apiGroups: [""], resources: [pods/exec], verbs: [get, create]}',
    );
    expect(withGrant({ ...forbidden, isForeign: true }, [remove])).toBe('no');
    expect(withGrant({ kind: 'TimedOut', message: 'no answer' }, [remove])).toBe('no answer');
  });

  it('name no namespace if the permission is for all of them, and objects only if it is for these', () => {
    const all = { verb: 'delete', group: '', resource: 'pods' };
    expect(permissionsOf(remove, undefined)).toStrictEqual([all]);
    const named = permissionsOf({ ...remove, resourceNames: ['a', 'b'] }, undefined);
    expect(named).toStrictEqual([
      { ...all, name: 'a' },
      { ...all, name: 'b' },
    ]);
  });
});

it('a sweep needs few permissions besides those of its methods, and some only save requests', () => {
  const words = (of: { readonly for: string; readonly rules: readonly RbacRule[] }) =>
    `${of.for}: ${of.rules.map((rule) => describeRbac([rule]))}`;
  const all = Object.values(needs).flatMap((one) => ['bulk' in one ? one.bulk : [], one].flat());
  expect(all.map(words)).toEqual([
    ...['find stuck pods and verify the result: get, list on pods', 'read many Jobs at once: list on jobs'],
    ...['find injected containers and what an unclean end costs: get on jobs'],
    ...['raise the backoffLimit for image swaps: patch on jobs'],
    ...['read many namespaces at once: list on namespaces'],
    ...['respect namespaces that opted out: get on namespaces'],
    ...['identify the cluster: get on namespaces', 'read many nodes at once: list on nodes'],
    ...['skip pods on nodes that are not ready: get on nodes'],
    ...['keep logs that a swap would delete: get on pods/log'],
    ...['write events on pods and Jobs: create on events'],
    ...['prevent concurrent sweeps: create on leases,get, update on leases'],
  ]);
  const groups = Object.values(needs).flatMap(({ rules }) => rules.flatMap(({ apiGroups }) => apiGroups));
  expect([...new Set(groups)]).toEqual(['', 'batch', 'events.k8s.io', 'coordination.k8s.io']);
});
