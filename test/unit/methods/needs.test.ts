import { expect, it } from 'vitest';
import { needs } from '../../../src/methods/needs.ts';
import { permissionsOf } from '../../../src/methods/rbac.ts';

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
  ['jobs', 'tell what Jobs did', ['get jobs.batch']],
  ['nodes', 'leave pods of dead nodes alone', ['get nodes']],
  ['logs', 'keep the logs that a swap takes', ['get pods/log']],
  ['events', 'write events on pods', ['create events.events.k8s.io']],
  [
    'lease',
    'keep two sweeps apart',
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
