import { expect, it } from 'vitest';
import { concludeLeft } from '../../../src/apply/leave.ts';
import { plannedTarget, podPlan, skippedTarget } from '../../builders/plan.ts';

it('a pod that a cap leaves is not attempted, and what was skipped anyway stays so', () => {
  const plan = podPlan({ targets: [plannedTarget(), skippedTarget('other')] });
  const left = { kind: 'NotAttempted', reason: 'OverMaxPods' };
  const none = { attempts: [], endedAt: undefined };
  expect(concludeLeft({ plan, reason: 'OverMaxPods' })).toEqual({
    pod: plan.candidate.pod.ref,
    targets: [
      { container: 'sidecar', outcome: left, ...none },
      { container: 'other', outcome: { kind: 'Skipped', reason: { kind: 'NoWay' } }, ...none },
    ],
    outcome: left,
  });
});
