import { describe, expect, it } from 'vitest';
import { concludeTarget } from '../../../src/apply/conclusion.ts';
import type { BlockedReason } from '../../../src/model/outcome.ts';
import type { Observation } from '../../../src/model/reading.ts';
import { BlockedPods } from '../../../src/plan/blocked-pods.ts';
import type { Attempt, PodConclusion } from '../../../src/plan/sweep-event.ts';
import type { PlannedTarget, PodPlan } from '../../../src/plan/sweep-plan.ts';
import { attempt, plannedTarget, podPlan, skippedTarget, step, steps } from '../../builders/plan.ts';
import { podRef } from '../../builders/report.ts';

const { image } = plannedTarget();
const warning = { kind: 'Blocked', image, method: 'Command', reason: 'UnknownEnd' } as const;

interface AppliedPod {
  readonly plan: PodPlan;
  readonly conclusion: PodConclusion;
}

function warnOfBlocked(applied: readonly AppliedPod[]) {
  const blocked = new BlockedPods();
  for (const { plan, conclusion } of applied) blocked.hear(plan, conclusion);
  return blocked.warnings();
}

function blockedBy(reason: BlockedReason, more: Partial<Attempt> = {}): Attempt {
  return { ...attempt({ kind: 'Blocked', reason }), ...more };
}

/** A pod whose only sidecar had these attempts and is seen like this at the end. */
function podOf(
  number: number,
  attempts: readonly Attempt[],
  observation: Observation = { kind: 'Running' },
  target: Partial<PlannedTarget> = {},
): AppliedPod {
  const planned = plannedTarget(target);
  const outcome = concludeTarget(planned, attempts, observation, true);
  const targets = [{ container: planned.container, attempts, outcome, endedAt: undefined }];
  return {
    plan: podPlan({ targets: [planned] }),
    conclusion: { pod: podRef(number), targets, outcome: { kind: 'Stuck' } },
  };
}

describe('what is blocked is told once for each image, method and reason', () => {
  it('with the number of pods', () => {
    const bySignal = blockedBy('UnknownEnd', { step: steps.Signal });
    const same = [1, 2].map((number) => podOf(number, [blockedBy('UnknownEnd')]));
    const others = [podOf(3, [bySignal]), podOf(4, [blockedBy('NoRoomInJob')])];
    const another = podOf(5, [blockedBy('UnknownEnd')], { kind: 'Running' }, { image: 'other:1' });
    expect(warnOfBlocked([...same, ...others, another])).toEqual([
      { ...warning, pods: 2 },
      { ...warning, reason: 'NoRoomInJob', pods: 1 },
      { ...warning, method: 'Signal', pods: 1 },
      { ...warning, reason: 'UnknownEnd', image: 'other:1', pods: 1 },
    ]);
  });

  it('and for each step of a pod that is blocked', () => {
    const attempts = [blockedBy('UnknownEnd'), blockedBy('AlreadyUnclean', { step: steps.Delete })];
    expect(warnOfBlocked([podOf(1, attempts)])).toEqual([
      { ...warning, pods: 1 },
      { ...warning, method: 'Delete', reason: 'AlreadyUnclean', pods: 1 },
    ]);
  });
});

it('what is blocked is told with the image of its own container', () => {
  const { conclusion } = podOf(1, [blockedBy('UnknownEnd')], { kind: 'Running' }, { container: 'b' });
  const targets = [plannedTarget({ container: 'a', image: 'other:1' }), plannedTarget({ container: 'b' })];
  expect(warnOfBlocked([{ plan: podPlan({ targets }), conclusion }])).toEqual([{ ...warning, pods: 1 }]);
});

describe('nothing is told', () => {
  const exited = { kind: 'Exited', exitCode: 0, signal: undefined, finishedAt: undefined } as const;
  const isBlocked = [blockedBy('UnknownEnd')];

  // biome-ignore format: one row a line
  it.each<readonly [title: string, readonly Attempt[], Observation]>([
    ['of a step that is known to end unclean, which leaves nothing to decide', [blockedBy('KnownUnclean')], { kind: 'Running' }],
    ['of a sidecar that is blocked and ended', isBlocked, exited],
    ['of a sidecar that is blocked and is gone with its pod', isBlocked, { kind: 'Gone' }],
    ['of a sidecar that is blocked and was restarted', isBlocked, { kind: 'Restarted', exitCode: 143, restartCount: 1 }],
    ['of a sidecar that is blocked and outlived what came after that', [...isBlocked, { ...attempt(), step: step(9) }], { kind: 'Running' }],
  ])('%s', (_title, attempts, observation) => {
    expect(warnOfBlocked([podOf(1, attempts, observation)])).toEqual([]);
  });

  it('of a sidecar that was skipped', () => {
    const { plan, conclusion } = podOf(1, []);
    const target = skippedTarget();
    const targets = [{ ...target, attempts: [], endedAt: undefined }];
    const skipped = { plan: { ...plan, targets: [target] }, conclusion: { ...conclusion, targets } };
    expect(warnOfBlocked([skipped])).toEqual([]);
  });
});
