import { describe, expect, it } from 'vitest';
import { namespaceOf, promiseOf } from '../../../src/plan/promises.ts';
import type { PlannedStep, PodPlan } from '../../../src/plan/sweep-plan.ts';
import { candidate, plannedTarget, podPlan, skippedTarget, step, steps } from '../../builders/plan.ts';
import { podView, podWithSidecar } from '../../builders/pod-view.ts';

const clean = step(15, { exitCode: 0 });
const owned = { ...clean, promisedBy: 'Owner' } as const;
const swap = { ...steps.ImageSwap, exitCode: 0 };

function promise(
  one: PlannedStep = clean,
  more: Partial<PodPlan> = {},
  containers = ['sidecar'],
): readonly string[] {
  return promiseOf(podPlan(more), containers, one, 'forbid');
}

/** A plan for a pod of this namespace and owner. */
function of(namespace: string, owner: string | undefined, uid = 'uid'): Partial<PodPlan> {
  const job = owner === undefined ? undefined : { group: 'batch', kind: 'Job', name: owner, uid: owner };
  return { candidate: candidate(podView({ ref: { namespace, name: 'pod', uid }, owner: job })) };
}

describe('a step relies on no promise', () => {
  it.each<readonly [string, PlannedStep, Partial<PodPlan>]>([
    ['if it ends with another code', step(15, { exitCode: 143 }), {}],
    ['if its end is unknown', step(), {}],
    ['if an unclean end costs nothing', clean, { uncleanCost: { kind: 'Nothing' } }],
    ['if its sidecar is skipped', clean, { targets: [skippedTarget()] }],
    ['if it is for another sidecar', clean, { targets: [plannedTarget({ container: 'other' })] }],
  ])('%s', (_title, one, more) => {
    expect(promise(one, more)).toEqual([]);
  });

  it('if an unclean end is allowed', () => {
    expect(promiseOf(podPlan(), ['sidecar'], clean, 'allow')).toEqual([]);
    expect(promise()).toHaveLength(1);
  });
});

describe('two steps rely on the same promise', () => {
  const pulling = { candidate: candidate(podWithSidecar({ pullPolicy: 'Always' })) };
  const ab = [plannedTarget({ container: 'a' }), plannedTarget({ container: 'b', image: 'other:1' })];

  // biome-ignore format: one row a line
  it.each<readonly [boolean, string, readonly string[], readonly string[]]>([
    [true, 'whatever their grace', promise(), promise({ ...clean, grace: 1 })],
    [true, 'wherever they come from', promise(), promise({ ...clean, source: { kind: 'LastResort' } })],
    [true, 'whether they are blocked', promise(), promise({ ...clean, blocked: 'UnknownEnd' })],
    [true, 'whether they raise a limit', promise(), promise({ ...clean, raisesLimit: true })],
    [true, 'for pods of any owner', promise(clean, of('a', 'x')), promise(clean, of('a', 'y'))],
    [false, 'for another image', promise(), promise(clean, { targets: [plannedTarget({ image: 'other:1' })] })],
    [false, 'by another command', promise(), promise(step(3, { exitCode: 0 }))],
    [false, 'in another namespace', promise(clean, of('a', 'x')), promise(clean, of('b', 'x'))],
    [false, 'if the owner or the catalogue says so', promise(), promise(owned)],
    [false, 'if the owner or a rule says so', promise({ ...clean, promisedBy: 'Policy' }), promise(owned)],
    [false, 'if different owners say so of different programs', promise(owned), promise(owned, { candidate: candidate(podWithSidecar({ args: ['trap'] })) })],
    [true, 'if different owners say so', promise(owned, of('a', 'x')), promise(owned, of('a', 'y'))],
    [false, 'if both swap to the same image on nodes of different platforms', promise(swap, { platform: 'linux/amd64' }), promise(swap, { platform: 'linux/arm64' })],
    [false, 'if both swap to the same image, but only one pod pulls it in any case', promise(swap), promise(swap, pulling)],
    [false, 'if both swap to the same image with different secrets', promise(swap), promise(swap, { candidate: candidate(podView({ pullSecrets: ['a'] })) })],
    [true, 'on nodes of different platforms, but for a swap', promise(clean, { platform: 'linux/amd64' }), promise(clean, { platform: 'linux/arm64' })],
    [true, 'if both swap to the same image, whichever sidecar', promise(swap, { targets: ab }, ['a']), promise(swap, { targets: ab }, ['b'])],
    [false, 'if they swap to another image', promise(swap), promise({ ...swap, image: 'other:1' })],
    [false, 'if they swap in another namespace', promise(swap, of('a', 'x')), promise(swap, of('b', 'x'))],
  ])('%s: %s', (isSame, _title, one, other) => {
    expect(one).toHaveLength(1);
    expect(JSON.stringify(one) === JSON.stringify(other)).toBe(isSame);
  });

  it('one for each sidecar that they are for', () => {
    expect(promise(clean, { targets: ab }, ['a', 'b'])).toHaveLength(2);
    expect(promise(clean, { targets: ab }, ['b'])).toHaveLength(1);
    expect(promise(swap, { targets: ab }, ['a', 'b'])).toHaveLength(1);
  });
});

it('a promise knows its namespace', () => {
  expect([...promise(clean, of('a', 'x')), ...promise(swap, of('b', 'x'))].map(namespaceOf)).toEqual([
    'a',
    'b',
  ]);
});
