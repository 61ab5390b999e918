import { describe, expect, it } from 'vitest';
import type { Exclusion } from '../../../src/model/verdict.ts';
import { concludeUnread, whyNoLonger } from '../../../src/plan/unsent.ts';
import { exclusions, hangs } from '../../builders/kinds.ts';
import { attempt, candidate, plannedTarget, podPlan, skippedTarget } from '../../builders/plan.ts';
import { now, podView } from '../../builders/pod-view.ts';

describe('a pod whose sweep ended with an error', () => {
  const blocked = attempt({ kind: 'Blocked', reason: 'UnknownEnd' });
  const two = podPlan({ targets: [plannedTarget(), plannedTarget({ container: 'b' }), skippedTarget('c')] });

  it('is not proved if something was sent, nor is the sidecar that it was sent to', () => {
    const reported = [blocked, attempt()].map((one) => ({ containers: ['b'], attempt: one }));
    const { pod, targets, outcome } = concludeUnread(two, 'InternalError', {
      reported,
      problem: 'out of paper',
    });
    const unproven = { kind: 'Unproven', problem: 'out of paper' };
    expect({ pod, outcome }).toEqual({ pod: two.candidate.pod.ref, outcome: unproven });
    expect(targets).toMatchObject([
      { container: 'sidecar', attempts: [], outcome: { kind: 'NotAttempted', reason: 'InternalError' } },
      { container: 'b', attempts: [blocked, attempt()], outcome: unproven },
      { container: 'c', outcome: { kind: 'Skipped' } },
    ]);
  });

  it('was not attempted if its steps were blocked', () => {
    const sent = { reported: [{ containers: ['b'], attempt: blocked }], problem: 'out of paper' };
    const { outcome } = concludeUnread(two, 'InternalError', sent);
    expect(outcome).toEqual({ kind: 'NotAttempted', reason: 'InternalError' });
  });
});

describe('a pod that is no longer stuck when it is judged once more', () => {
  const because = [exclusions.BeingDeleted];
  const hanging = { pod: podView(), because, hang: hangs.ProxyEndedFirst, since: now } as const;

  // biome-ignore format: one row a line
  it.each<readonly [title: string, Parameters<typeof whyNoLonger>[0], readonly Exclusion[]]>([
    ['has no running sidecar if that has ended and cannot start again', { ...candidate(), kind: 'NotStartedAgain' }, [{ kind: 'NoRunningSidecar' }]],
    ['is left alone for the same reasons as a pod that hangs', { kind: 'Hanging', ...hanging }, because],
  ])('%s', (_title, verdict, expected) => {
    expect(whyNoLonger(verdict)).toEqual({ kind: 'NoLongerCandidate', because: expected });
  });
});

it('a pod that a cap leaves is not attempted, and what was skipped anyway stays so', () => {
  const plan = podPlan({ targets: [plannedTarget(), skippedTarget('other')] });
  const left = { kind: 'NotAttempted', reason: 'OverMaxPods' };
  const none = { attempts: [], endedAt: undefined };
  expect(concludeUnread(plan, 'OverMaxPods')).toEqual({
    pod: plan.candidate.pod.ref,
    targets: [
      { container: 'sidecar', outcome: left, ...none },
      { container: 'other', outcome: { kind: 'Skipped', reason: { kind: 'NoWay' } }, ...none },
    ],
    outcome: left,
  });
});
