import { describe, expect, it } from 'vitest';
import { allPromisesOf, Promises, promisesOf } from '../../../../src/apply/guard/promises.ts';
import type { Observation } from '../../../../src/model/observation.ts';
import type { PlannedStep } from '../../../../src/plan/sweep-plan.ts';
import { candidate, plannedTarget, podPlan, step, steps } from '../../../builders/plan.ts';
import { podView } from '../../../builders/pod-view.ts';

const promise = step(15, { exitCode: 0 });
const again = podPlan({ uncleanCost: { kind: 'AnotherRun' } });
const promised = promisesOf(again, [plannedTarget()], promise, 'forbid');

/** Promises, and what is noted for the next sweep. */
function promises(...before: readonly string[]) {
  const noted: string[] = [];
  const all = new Promises({
    knows: async (name) => before.includes(name),
    note: (name) => void noted.push(name),
  });
  return { all, noted };
}

describe('a promise is', () => {
  it.each<readonly [string, PlannedStep]>([
    ['that a step ends with another code', step(15, { exitCode: 143 })],
    ['a step whose end nobody knows', step()],
    ['a swap, which its image promises', { ...steps.ImageSwap, exitCode: 0 }],
  ])('not %s', (_title, other) => {
    expect(promisesOf(again, [plannedTarget()], other, 'forbid')).toEqual([]);
  });

  it('of no account where its breach costs nothing, or is allowed', () => {
    const free = podPlan({ uncleanCost: { kind: 'Nothing' } });
    expect(promisesOf(free, [plannedTarget()], promise, 'forbid')).toEqual([]);
    expect(promisesOf(again, [plannedTarget()], promise, 'allow')).toEqual([]);
    expect(promised).toHaveLength(1);
  });

  it('the same for all of an image that are asked alike', () => {
    const longer = { ...promise, grace: 1 };
    expect(promisesOf(again, [plannedTarget()], longer, 'forbid')).toEqual(promised);
    const other = promisesOf(again, [plannedTarget({ image: 'other:1' })], promise, 'forbid');
    expect(other).not.toEqual(promised);
    expect(promisesOf(again, [plannedTarget()], { ...step(3), exitCode: 0 }, 'forbid')).not.toEqual(promised);
  });

  it('of one namespace: nobody holds the pods of others by breaking it', () => {
    const ofPodIn = (namespace: string) => {
      const ref = { namespace, name: 'pod', uid: 'uid' };
      const plan = { ...again, candidate: candidate(podView({ ref })) };
      return promisesOf(plan, [plannedTarget()], promise, 'forbid');
    };
    expect(ofPodIn('a')).toEqual(ofPodIn('a'));
    expect(ofPodIn('a')).not.toEqual(ofPodIn('b'));
  });

  it('one of all that are made of a sidecar', () => {
    const quit = step(3, { exitCode: 0 });
    const target = plannedTarget({ steps: [promise, step()], uncertain: [quit] });
    const names = [promise, quit].flatMap((one) => promisesOf(again, [target], one, 'forbid'));
    expect(allPromisesOf(again, [target], 'forbid')).toEqual(names);
    expect(names).toHaveLength(2);
  });
});

const clean: Observation = { kind: 'Exited', exitCode: 0, signal: undefined, finishedAt: undefined };
const unclean: Observation = { ...clean, exitCode: 143 };
const restarted: Observation = { kind: 'Restarted', exitCode: 143, restartCount: 1 };
const stillRunning: Observation = { kind: 'Running' };

/** One sidecar after the other ends like this. */
function learn(all: Promises, end: Observation): void {
  for (const one of promised) all.learn(one, end);
}

describe('a promise is believed', () => {
  const killed: Observation = { kind: 'Exited', exitCode: 137, signal: 9, finishedAt: undefined };

  it.each([clean, stillRunning, killed, { kind: 'Gone' }] as const)('after %o', async (end) => {
    const { all, noted } = promises();
    learn(all, end);
    expect(await all.isAnyBroken(promised)).toBe(false);
    expect(noted).toEqual([]);
  });

  it('after one that was broken among as many that were kept', async () => {
    const { all, noted } = promises();
    for (const end of [clean, unclean]) learn(all, end);
    expect(await all.isAnyBroken(promised)).toBe(false);
    all.settle();
    expect(noted).toEqual([]);
  });

  it.each([unclean, restarted])('no longer after %o, in the next sweep either', async (end) => {
    const { all, noted } = promises();
    learn(all, end);
    expect(await all.isAnyBroken(promised)).toBe(true);
    all.settle();
    expect(noted).toEqual(promised.map(({ name }) => name));
    expect(await promises(...noted).all.isAnyBroken(promised)).toBe(true);
  });
});
