import { describe, expect, it } from 'vitest';
import { Promises, promisesOf } from '../../../../src/apply/guard/promises.ts';
import type { PlannedStep } from '../../../../src/plan/sweep-plan.ts';
import type { Observation } from '../../../../src/vocabulary/observation.ts';
import { candidate, plannedTarget, podPlan, step, steps } from '../../../builders/plan.ts';
import { podView } from '../../../builders/pod-view.ts';
import { clean, restarted, stillRunning, unclean } from './asking.ts';

const promise = step(15, { exitCode: 0 });
const again = podPlan({ uncleanCost: { kind: 'AnotherRun' } });
const promised = promisesOf(again, [plannedTarget()], promise, 'canary');

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
    ['a swap, which is tried in one pod first', { ...steps.ImageSwap, exitCode: 0 }],
  ])('not %s', (_title, other) => {
    expect(promisesOf(again, [plannedTarget()], other, 'canary')).toEqual([]);
  });

  it('of no account where its breach costs nothing, or is allowed', () => {
    const free = podPlan({ uncleanCost: { kind: 'Nothing' } });
    expect(promisesOf(free, [plannedTarget()], promise, 'forbid')).toEqual([]);
    expect(promisesOf(again, [plannedTarget()], promise, 'allow')).toEqual([]);
    expect(promised).toHaveLength(1);
  });

  it('the same for all that are started alike and asked alike', () => {
    const longer = { ...promise, grace: 1 };
    expect(promisesOf(again, [plannedTarget()], longer, 'forbid')).toEqual(promised);
    const other = promisesOf(again, [plannedTarget({ alike: 'otherwise' })], promise, 'canary');
    expect(other).not.toEqual(promised);
    expect(promisesOf(again, [plannedTarget()], { ...step(3), exitCode: 0 }, 'canary')).not.toEqual(promised);
  });

  it('of one namespace alone where a pod’s own annotation makes it', () => {
    const own: PlannedStep = { ...promise, source: { kind: 'Annotation', key: 'steps' } };
    const ofPodIn = (namespace: string) => {
      const ref = { namespace, name: 'pod', uid: 'uid' };
      return promisesOf(
        { ...again, candidate: candidate(podView({ ref })) },
        [plannedTarget()],
        own,
        'canary',
      );
    };
    expect(ofPodIn('a')).toEqual(ofPodIn('a'));
    expect(ofPodIn('a')).not.toEqual(ofPodIn('b'));
    expect(ofPodIn('a')).not.toEqual(promised);
  });
});

describe('a promise is believed', () => {
  const killed: Observation = { kind: 'Exited', exitCode: 137, signal: 9, finishedAt: undefined };

  it.each([clean, stillRunning, killed, { kind: 'Gone' }] as const)('after %o', async (end) => {
    const { all, noted } = promises();
    all.learn(promised, () => end);
    expect(await all.isAnyBroken(promised)).toBe(false);
    expect(noted).toEqual([]);
  });

  it.each([unclean, restarted])('no longer after %o, in the next sweep either', async (end) => {
    const { all, noted } = promises();
    all.learn(promised, () => end);
    all.learn(promised, () => end);
    expect(await all.isAnyBroken(promised)).toBe(true);
    expect(noted).toEqual(promised.map(({ name }) => name));
    expect(await promises(...noted).all.isAnyBroken(promised)).toBe(true);
  });
});
