import { describe, expect, it } from 'vitest';
import { firstSteps } from '../../../src/apply/first-steps.ts';
import type { PodPlan } from '../../../src/plan/sweep-plan.ts';
import { plannedTarget, podPlan, step, steps } from '../../builders/plan.ts';

const [quit, term, held] = [steps.Http, step(15), step(9, { clearance: 'KnownUnclean' })];

function begins(plan: Partial<PodPlan>): readonly string[] {
  return firstSteps(podPlan({ swap: undefined, swappable: [], lastResort: [], ...plan })).map(
    ({ step: { method }, targets }) => `${method} of ${targets.map(({ container }) => container).join(', ')}`,
  );
}

const proxy = plannedTarget({ container: 'proxy', isMesh: true, steps: [quit] });
const agent = plannedTarget({ container: 'agent', steps: [term, quit] });
const vault = plannedTarget({ container: 'vault', steps: [quit, term] });

describe('a pod begins with', () => {
  it('the first step of each sidecar', () => {
    expect(begins({ targets: [agent, vault] })).toEqual(['Command of agent', 'Http of vault']);
  });

  it('the first that may be sent at all', () => {
    expect(begins({ targets: [{ ...agent, steps: [held, quit] }] })).toEqual(['Http of agent']);
  });

  it('those of a mesh proxy only if there is no other sidecar', () => {
    expect(begins({ targets: [proxy, agent] })).toEqual(['Command of agent']);
    expect(begins({ targets: [proxy] })).toEqual(['Http of proxy']);
  });

  it('the image swap, where no sidecar has a step of its own', () => {
    const targets = [proxy, { ...agent, steps: [] }, { ...vault, steps: [] }];
    const swappable = ['proxy', 'agent'].map((container) => ({ container, image: undefined }));
    expect(begins({ targets, swappable, swap: steps.ImageSwap })).toEqual(['ImageSwap of proxy, agent']);
  });

  it('nothing that is known, where that is not allowed, or there is none', () => {
    const targets = [{ ...agent, steps: [] }];
    const swap = { ...steps.ImageSwap, clearance: 'Forbidden' } as const;
    expect([begins({ targets, swap }), begins({ targets })]).toEqual([[], []]);
  });
});
