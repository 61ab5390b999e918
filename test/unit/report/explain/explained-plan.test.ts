import { describe, expect, it } from 'vitest';
import { explainPlan } from '../../../../src/report/explain/explained-plan.ts';
import { plannedTarget, podPlan, step, steps } from '../../../builders/plan.ts';

const bounds = { maxGrace: 360_000, keepLogs: 0 };
const twoMinutes = plannedTarget({ steps: [step(15, { grace: 90_000 }), step(9)] });

describe('what is expected of a plan', () => {
  it('says that a sweep will not wait for all of it, if that is so', () => {
    const plan = podPlan({ targets: [twoMinutes] });
    expect(explainPlan(plan, { ...bounds, maxGrace: 119_000 }).expected).toContain(
      'all steps together may take 2m: a sweep will wait for this pod no longer than 1m59s, and the next one goes on',
    );
    expect(explainPlan(plan, { ...bounds, maxGrace: 120_000 }).expected.join()).not.toContain('wait');
  });

  it('depends on the first steps, because an image may lack what a step needs', () => {
    const prediction = { exitCode: 0, phase: 'Succeeded', job: 'Completes' } as const;
    const said = 'exit code 0, pod Succeeded, its Job counts a success';
    const one = plannedTarget({ steps: [step(15, { exitCode: 0, clearance: 'Free' })] });
    const [expected] = explainPlan(podPlan({ targets: [one], prediction }), bounds).expected;
    expect(expected).toBe(`if the first step works, ${said}`);
    const [ofTwo] = explainPlan(podPlan({ targets: [one, one], prediction }), bounds).expected;
    expect(ofTwo).toBe(`if the first step for each sidecar works, ${said}`);
    const held = plannedTarget({ steps: [step(15, { clearance: 'KnownUnclean' })] });
    const up = { phase: 'Running', job: 'StaysActive' } as const;
    const [nothing] = explainPlan(podPlan({ targets: [held], prediction: up }), bounds).expected;
    expect(nothing).toBe('exit code unknown, pod Running, its Job stays active');
  });

  it('says what is kept of a log that a swap takes', () => {
    const kept = 'before a swap, the report keeps the last 5 lines of its log';
    const expectedOf = (plan = podPlan(), keepLogs = 5) =>
      explainPlan(plan, { ...bounds, keepLogs }).expected;
    expect(expectedOf(podPlan({ swap: steps.ImageSwap }))).toContain(kept);
    expect(expectedOf(podPlan({ lastResort: [steps.ImageSwap] }))).toContain(kept);
    expect(expectedOf(podPlan({ swap: steps.ImageSwap }), 0)).not.toContain(kept);
    expect(expectedOf()).not.toContain(kept);
  });
});
