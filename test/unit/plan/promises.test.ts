import { describe, expect, it } from 'vitest';
import { namespaceOf, promiseOf } from '../../../src/plan/promises.ts';
import type { PlannedStep, PodPlan } from '../../../src/plan/sweep-plan.ts';
import { candidate, podPlan, step, steps } from '../../builders/plan.ts';
import { container, podView, podWith, podWithSidecar, running } from '../../builders/pod-view.ts';

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

type Asked = Parameters<typeof promise>;

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
    ['if it is for another sidecar', clean, { candidate: candidate(podWith(['other'])) }],
  ])('%s', (_title, one, more) => {
    expect(promise(one, more)).toEqual([]);
  });

  it('if an unclean end is allowed', () => {
    const allowed = (one: PlannedStep, program = '/a') => {
      const of = { candidate: candidate(podWithSidecar({ command: [program] })) };
      return promiseOf(podPlan(of), ['sidecar'], one, 'allow');
    };
    expect(allowed(clean)).toEqual([]);
    // The image may be misspelt, or lack the program.
    expect(allowed(swap)).toEqual(allowed(swap, '/b'));
    expect(allowed(steps.ImageSwap)).not.toEqual(allowed(steps.ImageSwap, '/b'));
    expect(promise()).toHaveLength(1);
  });
});

describe('two steps rely on the same promise', () => {
  const pulling = { candidate: candidate(podWithSidecar({ pullPolicy: 'Always' })) };
  const pullingOne = [container('a', running, { pullPolicy: 'Always' }), 'b'];
  const other = { candidate: candidate(podWithSidecar({ args: ['trap'] })) };
  const beside = (args: readonly string[]): Asked => {
    const pod = podWith(['a', container('b', running, { args })]);
    return [owned, { candidate: candidate(pod) }, ['a']];
  };
  const ab = { candidate: candidate(podWith(['a', container('b', running, { image: 'other:1' })])) };

  // biome-ignore format: one row a line
  it.each<readonly [boolean, string, Asked, Asked]>([
    [true, 'whatever their grace', [], [{ ...clean, grace: 1 }]],
    [true, 'wherever they come from', [], [{ ...clean, source: { kind: 'LastResort' } }]],
    [true, 'whether they are blocked', [], [{ ...clean, blocked: 'UnknownEnd' }]],
    [true, 'whether they raise a limit', [], [{ ...clean, raisesLimit: true }]],
    [true, 'for pods of any owner', [clean, of('a', 'x')], [clean, of('a', 'y')]],
    [false, 'for another image', [], [clean, { candidate: candidate(podWithSidecar({ image: 'other:1' })) }]],
    [false, 'by another command', [], [step(3, { exitCode: 0 })]],
    [false, 'in another namespace', [clean, of('a', 'x')], [clean, of('b', 'x')]],
    [false, 'if the owner or the catalogue says so', [], [owned]],
    [false, 'if the owner or a rule says so', [{ ...clean, promisedBy: 'Policy' }], [owned]],
    [false, 'if different owners say so of different programs', [owned], [owned, other]],
    [true, 'if they say so of the same program beside different ones', beside(['trap']), beside(['run'])],
    [true, 'if the catalogue says so of both programs', [clean], [clean, other]],
    [true, 'if different owners say so', [owned, of('a', 'x')], [owned, of('a', 'y')]],
    [false, 'if both swap to the same image on nodes of different platforms', [{ ...swap, platform: 'linux/amd64' }], [{ ...swap, platform: 'linux/arm64' }]],
    [false, 'if both swap to the same image, but only one pod pulls it in any case', [swap], [swap, pulling]],
    [true, 'if both swap to the same image, and both pods pull it for one of their sidecars', [swap, pulling], [swap, { candidate: candidate(podWith(pullingOne)) }]],
    [false, 'if both swap to the same image with different secrets', [swap], [swap, { candidate: candidate(podView({ pullSecrets: ['a'] })) }]],
    [true, 'if both swap to the same image, whichever sidecar', [swap, ab, ['a']], [swap, ab, ['b']]],
    [false, 'if they swap to another image', [swap], [{ ...swap, image: 'other:1' }]],
    [false, 'if they swap in another namespace', [swap, of('a', 'x')], [swap, of('b', 'x')]],
  ])('%s: %s', (isSame, _title, one, other) => {
    expect(promise(...one)).toHaveLength(1);
    expect(JSON.stringify(promise(...one)) === JSON.stringify(promise(...other))).toBe(isSame);
  });

  it('one for each sidecar that they are for', () => {
    expect(promise(clean, ab, ['a', 'b'])).toHaveLength(2);
    expect(promise(clean, ab, ['b'])).toHaveLength(1);
    expect(promise(swap, ab, ['a', 'b'])).toHaveLength(1);
  });
});

it('a promise knows its namespace', () => {
  expect([...promise(clean, of('a', 'x')), ...promise(swap, of('b', 'x'))].map(namespaceOf)).toEqual([
    'a',
    'b',
  ]);
});
