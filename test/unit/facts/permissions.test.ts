import { describe, expect, it } from 'vitest';
import { createPermissionAsker, gatherPermissions } from '../../../src/facts/permissions.ts';
import { execRule, type RbacRule } from '../../../src/methods/permissions.ts';
import type { Access, Permission } from '../../../src/model/ports.ts';

const abort = new AbortController().signal;
const allowed: Access = { kind: 'Allowed' };
const denied: Access = { kind: 'Denied' };
const unknown: Access = { kind: 'Unreadable', problem: { kind: 'TimedOut', message: 'no answer' } };
const portForward: RbacRule = { ...execRule, resources: ['pods/portforward'] };
const patch: RbacRule = { apiGroups: [''], resources: ['pods'], verbs: ['patch'] };

/** A permission in words: `create pods/exec in demo`. */
function words({ verb, resource, subresource, namespace = 'all' }: Permission): string {
  return `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`} in ${namespace}`;
}

/** A server that allows everything but these, and the questions that it was asked. */
function server(answers: Readonly<Record<string, Access>> = {}) {
  const asked: string[] = [];
  let slotsUsed = 0;
  const cluster = {
    async mayI(permission: Permission, signal: AbortSignal) {
      expect(signal).toBe(abort);
      asked.push(words(permission));
      return answers[words(permission)] ?? allowed;
    },
  };
  const slots = <T>(work: () => Promise<T>) => {
    slotsUsed++;
    return work();
  };
  return { asked, ask: createPermissionAsker(cluster, slots, abort), slotsUsed: () => slotsUsed };
}

describe('a question', () => {
  it('is asked once, in a slot', async () => {
    const { ask, asked, slotsUsed } = server({ 'get pods in demo': denied });
    const permission = { verb: 'get', group: '', resource: 'pods', namespace: 'demo' };
    expect(await Promise.all([ask(permission), ask({ ...permission })])).toEqual([denied, denied]);
    expect(await ask(permission)).toBe(denied);
    expect(asked).toEqual(['get pods in demo']);
    expect(slotsUsed()).toBe(1);
  });

  it('that differs is another one', async () => {
    const { ask, asked } = server();
    const permission = { verb: 'get', group: '', resource: 'pods', namespace: 'demo' };
    await ask(permission);
    await ask({ ...permission, verb: 'list' });
    await ask({ ...permission, subresource: 'exec' });
    await ask({ ...permission, namespace: 'other' });
    await ask({ ...permission, group: 'batch' });
    expect(asked).toHaveLength(5);
  });
});

describe('what is asked', () => {
  const wanted = [
    { rules: [portForward], namespace: 'a' },
    { rules: [execRule], namespace: 'a' },
    { rules: [execRule], namespace: 'a' },
    { rules: [patch], namespace: 'a' },
    { rules: [execRule], namespace: 'b' },
  ];

  it('is every verb, once for all namespaces', async () => {
    const { ask, asked } = server();
    const permissions = await gatherPermissions(wanted, ask);
    expect([...asked].sort()).toEqual([
      'create pods/exec in all',
      'create pods/portforward in all',
      'get pods/exec in all',
      'get pods/portforward in all',
      'patch pods in all',
    ]);
    for (const { rules, namespace } of wanted) expect(permissions.allow(rules, namespace)).toBe(true);
  });

  it('is each namespace that needs it, where it is denied for all of them', async () => {
    const { ask, asked } = server({ 'create pods/exec in all': denied, 'create pods/exec in b': denied });
    const permissions = await gatherPermissions(wanted, ask);
    expect(asked.filter((one) => !one.endsWith(' in all')).sort()).toEqual([
      'create pods/exec in a',
      'create pods/exec in b',
      'get pods/exec in a',
      'get pods/exec in b',
    ]);
    expect(permissions.allow([execRule], 'a')).toBe(true);
    expect(permissions.allow([execRule], 'b')).toBe(false);
    expect(permissions.allow([portForward], 'a')).toBe(true);
    expect(permissions.allow([patch], 'a')).toBe(true);
  });

  it('is nothing if nothing is wanted', async () => {
    const { ask, asked } = server();
    const permissions = await gatherPermissions([], ask);
    expect(asked).toEqual([]);
    expect(permissions.allow([execRule], 'a')).toBe(true);
  });

  it('is nothing for a method that needs nothing', async () => {
    const { ask, asked } = server();
    const permissions = await gatherPermissions([{ rules: [], namespace: 'a' }], ask);
    expect(asked).toEqual([]);
    expect(permissions.allow([], 'a')).toBe(true);
  });

  it('counts as allowed if the server does not say: the attempt will tell', async () => {
    const { ask, asked } = server({
      'create pods/exec in all': unknown,
      'get pods/exec in all': unknown,
    });
    const permissions = await gatherPermissions(wanted, ask);
    expect(permissions.allow([execRule], 'a')).toBe(true);
    expect(asked.filter((one) => !one.endsWith(' in all'))).toEqual([]);
  });

  it('counts as allowed if the server denies it for all namespaces and does not say for this one', async () => {
    const { ask } = server({ 'patch pods in all': denied, 'patch pods in a': unknown });
    expect((await gatherPermissions(wanted, ask)).allow([patch], 'a')).toBe(true);
  });

  it('is denied if one of its verbs is denied', async () => {
    const { ask } = server({
      'get pods/exec in all': denied,
      'get pods/exec in a': denied,
      'create pods/exec in b': denied,
    });
    const permissions = await gatherPermissions(wanted, ask);
    expect(permissions.allow([execRule], 'a')).toBe(false);
    expect(permissions.allow([execRule], 'b')).toBe(false);
  });

  it('is denied if one of several rules is denied', async () => {
    const { ask } = server({ 'patch pods in all': denied, 'patch pods in a': denied });
    const both = [execRule, patch];
    const permissions = await gatherPermissions([{ rules: both, namespace: 'a' }], ask);
    expect(permissions.allow(both, 'a')).toBe(false);
    expect(permissions.allow([execRule], 'a')).toBe(true);
  });
});
