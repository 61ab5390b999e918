import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  flagOf,
  type MethodName,
  methodNamed,
  methods,
  newImageOf,
  rbacOf,
  type StepSpec,
  stepList,
  stepSpec,
} from '../../../src/methods/index.ts';
import type { RbacRule } from '../../../src/methods/permissions.ts';
import { steps } from '../../builders/plan.ts';
import { common, subject } from './recipient.ts';

const exec: readonly RbacRule[] = [{ apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] }];
const on = (resource: string, ...verbs: readonly string[]): readonly RbacRule[] => [
  { apiGroups: [''], resources: [resource], verbs },
];
describe('what is known of a method whatever the step', () => {
  it.each<readonly [MethodName, flag: string, 'Container' | 'Sidecars' | 'Pod', readonly RbacRule[]]>([
    ['Command', 'command', 'Container', exec],
    ['Http', 'http', 'Container', on('pods/portforward', 'get', 'create')],
    ['Signal', 'signal', 'Container', exec],
    ['ImageSwap', 'image-swap', 'Sidecars', on('pods', 'patch')],
    ['EphemeralContainer', 'ephemeral-container', 'Sidecars', on('pods/ephemeralcontainers', 'patch')],
    ['Deadline', 'deadline', 'Pod', on('pods', 'patch')],
    ['Evict', 'evict', 'Pod', on('pods/eviction', 'create')],
    ['Delete', 'delete', 'Pod', on('pods', 'delete')],
  ])('%s', (name, flag, ends, rbac) => {
    expect(methodNamed(name)).toMatchObject({ name, ends, rbac });
    expect(flagOf(name)).toBe(flag);
    expect(rbacOf(steps[name])).toEqual(rbac);
  });

  it('is known of every method, in the order in which steps are to be tried', () => {
    expect(methods.map(({ name }) => name)).toEqual(Object.keys(steps));
  });
});

/** What may be written, with what it is read as. */
// biome-ignore format: one row a line
const written: Readonly<Record<MethodName, readonly [written: unknown, read: StepSpec]>> = {
  Command: [{ command: ['quit'] }, { method: 'Command', command: ['quit'] }],
  Http: [{ http: { port: 1, path: '/' }, exitCode: 0 }, { method: 'Http', http: { method: 'POST', port: 1, path: '/' }, exitCode: 0 }],
  Signal: [{ signal: ['TERM'], grace: '5s' }, { method: 'Signal', signal: ['TERM'], grace: 5_000 }],
  ImageSwap: [{ imageSwap: { image: 'noop:1' } }, { method: 'ImageSwap', imageSwap: { image: 'noop:1' } }],
  EphemeralContainer: [
    { ephemeralContainer: { image: 'busybox:1' } },
    { method: 'EphemeralContainer', ephemeralContainer: { image: 'busybox:1', command: ['/bin/sh', '-c', 'kill -15 1'] } },
  ],
  Deadline: [{ deadline: true }, { method: 'Deadline', deadline: true }],
  Evict: [{ evict: true }, { method: 'Evict', evict: true }],
  Delete: [{ delete: true }, { method: 'Delete', delete: true }],
};

describe('a written step', () => {
  it.each(Object.entries(written))('of %s is read as such', (_name, [value, read]) => {
    expect(stepSpec.parse(value)).toEqual(read);
  });

  it.each<readonly [title: string, value: unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a word', 'delete'],
    ['a list', [{ delete: true }]],
    ['no form', {}],
    ['no form, but what every step may say', { grace: '1m' }],
    ['a form that does not exist', { destroy: true }],
    ['two forms', { evict: true, delete: true }],
    ['a form with a field that does not exist', { delete: true, now: true }],
    ['a step that is already read', { method: 'Delete', delete: true }],
    ['the name of a method', { method: 'Delete' }],
  ])('cannot be %s', (_title, value) => {
    expect(stepSpec.safeParse(value).success).toBe(false);
  });

  it('has a description of every field that needs one', () => {
    const schema = JSON.stringify(z.toJSONSchema(stepSpec, { io: 'input' }));
    const descriptions = [...schema.matchAll(/"description":"([^"]*)"/g)].map(([, text]) => text);
    expect(descriptions.length).toBeGreaterThan(20);
    expect(descriptions).not.toContain('');
  });
});

it('an annotation may list from 1 to 16 steps', () => {
  const list = (length: number) => stepList.safeParse(Array(length).fill({ signal: ['TERM'] }));
  expect([0, 1, 16, 17].map((length) => list(length).success)).toEqual([false, true, true, false]);
  expect(list(1).data).toEqual([{ method: 'Signal', signal: ['TERM'] }]);
});

describe('a step is handled by its own method', () => {
  const specs: readonly StepSpec[] = Object.values(written).map(([, read]) => read);

  it.each(specs.map((spec) => [spec.method, spec] as const))('when %s becomes steps', (method, spec) => {
    expect(
      methodNamed(method)
        .toSteps(spec, common, subject())
        .map((step) => step.method),
    ).toEqual([method]);
  });

  it('when it changes the image', () => {
    expect(Object.values(steps).map(newImageOf).filter(Boolean)).toEqual(['noop:1']);
  });
});
