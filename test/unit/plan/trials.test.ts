import { describe, expect, it } from 'vitest';
import type { PlannedTarget, PodPlan } from '../../../src/plan/sweep-plan.ts';
import { mayAct, startOf, trialsOf } from '../../../src/plan/trials.ts';
import { plannedTarget, podPlan, skippedTarget, step, steps } from '../../builders/plan.ts';

function planWith(target: Partial<PlannedTarget>, more: Partial<PodPlan> = {}): PodPlan {
  return podPlan({ targets: [plannedTarget(target)], ...more });
}

const free = step(15, { clearance: 'Free' });
const follower = step(15, { clearance: 'Follower' });
const held = step(15, { clearance: 'KnownUnclean' });
const swap = steps.ImageSwap;

describe('a pod', () => {
  it('tries how its program ends, or only follows', () => {
    expect(trialsOf(planWith({ steps: [step(15)] }))).toEqual([{ name: 'busybox', mayLead: true }]);
    expect(trialsOf(planWith({ steps: [follower] }))).toEqual([{ name: 'busybox', mayLead: false }]);
    expect(trialsOf(planWith({ steps: [free], uncertain: [follower] }))).toEqual([
      { name: 'busybox', mayLead: false },
    ]);
  });

  it('tries nothing with a step that is free or held', () => {
    expect(trialsOf(planWith({ steps: [free, held] }))).toEqual([]);
  });

  it('tries every image swap, a free one as well', () => {
    const target = plannedTarget({ steps: [] });
    const name = `noop:1 ${startOf(target)}`;
    const swapping = (clearance: 'Free' | 'Follower') => planWith(target, { swap: { ...swap, clearance } });
    expect(trialsOf(swapping('Free'))).toEqual([{ name, mayLead: true }]);
    expect(trialsOf(swapping('Follower'))).toEqual([{ name, mayLead: false }]);
    expect(trialsOf(planWith(target, { lastResort: [swap] }))).toEqual([{ name, mayLead: true }]);
    expect(startOf(plannedTarget({ program: '/bin/proxy' }))).not.toBe(startOf(target));
  });

  it('is one to act on if any step may be sent', () => {
    expect(mayAct(planWith({ steps: [held, free] }))).toBe(true);
    expect(mayAct(planWith({ steps: [held], uncertain: [free] }))).toBe(true);
    expect(mayAct(planWith({ steps: [held] }, { swap }))).toBe(true);
    expect(mayAct(planWith({ steps: [held] }, { lastResort: [steps.Evict] }))).toBe(true);
    expect(mayAct(planWith({ steps: [held] }))).toBe(false);
    expect(mayAct(podPlan({ targets: [skippedTarget()], lastResort: [steps.Evict] }))).toBe(false);
  });
});
