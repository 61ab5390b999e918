import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import type { Candidate, ContainerView, RestartPolicy } from '../../../src/types.ts';
import { arbitraryPod } from '../../builders/arbitrary-pod.ts';
import { hour, minute, now } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

const runs = { numRuns: 2_000 };
const ages = fc.integer({ min: 0, max: 2 * hour });

/** Written without the product's own words for it: whether any rule or policy could start the container again. */
function canStillRun({ state, restartRules, restartPolicy }: ContainerView, ofPod: RestartPolicy): boolean {
  if (state.kind !== 'Terminated') return true;
  for (const { operator, exitCodes } of restartRules) {
    if (operator === 'In' && exitCodes.includes(state.exitCode)) return true;
    if (operator === 'NotIn' && !exitCodes.includes(state.exitCode)) return true;
  }
  const effective = restartPolicy ?? ofPod;
  return effective === 'Always' || (effective === 'OnFailure' && state.exitCode > 0);
}

/** The pod's containers that the verdict does not call sidecars. */
function notSidecars({ pod, sidecars }: Candidate): readonly ContainerView[] {
  const names = sidecars.map(({ container }) => container.name);
  return pod.containers.filter(({ name }) => !names.includes(name));
}

describe('for any pod', () => {
  it('the generated pods hold enough candidates to prove something', () => {
    const verdicts = fc
      .sample(arbitraryPod, { numRuns: 2_000, seed: 1 })
      .map((pod) => judge(pod, policy(), now, noFacts));
    const kinds = new Set(verdicts.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['Candidate', 'Excluded', 'Undecided']);
    expect(verdicts.filter(({ kind }) => kind === 'Candidate').length).toBeGreaterThan(50);
  });

  it('a candidate has no main that can still run, and at least one that did', () => {
    fc.assert(
      fc.property(arbitraryPod, ages, (pod, minAge) => {
        const verdict = judge(pod, policy({ minAge }), now, noFacts);
        fc.pre(verdict.kind === 'Candidate');
        const mains = notSidecars(verdict);
        expect(mains.length).toBeGreaterThan(0);
        expect(mains.filter((main) => canStillRun(main, pod.restartPolicy))).toEqual([]);
      }),
      { numRuns: 200, maxSkipsPerRun: 1_000 },
    );
  });

  it('a candidate is Running, stays, adds up, and has a sidecar that runs', () => {
    fc.assert(
      fc.property(arbitraryPod, (pod) => {
        const verdict = judge(pod, policy(), now, noFacts);
        fc.pre(verdict.kind === 'Candidate');
        expect(pod).toMatchObject({ phase: 'Running', deleting: false, statusProblems: [] });
        expect(verdict.sidecars.map(({ container }) => container.state.kind)).toContain('Running');
      }),
      { numRuns: 200, maxSkipsPerRun: 1_000 },
    );
  });

  it('a candidate has no container whose end starts others again', () => {
    fc.assert(
      fc.property(arbitraryPod, (pod) => {
        fc.pre(judge(pod, policy(), now, noFacts).kind === 'Candidate');
        const actions = pod.containers.flatMap(({ restartRules }) => restartRules.map((rule) => rule.action));
        expect(actions.filter((action) => action !== 'Restart')).toEqual([]);
      }),
      { numRuns: 200, maxSkipsPerRun: 1_000 },
    );
  });

  it('a candidate’s last main ended at least the minimum age ago', () => {
    fc.assert(
      fc.property(arbitraryPod, ages, (pod, minAge) => {
        const verdict = judge(pod, policy({ minAge }), now, noFacts);
        fc.pre(verdict.kind === 'Candidate');
        for (const { state } of notSidecars(verdict)) {
          const finishedAt = state.kind === 'Terminated' ? state.finishedAt : undefined;
          expect(now - (finishedAt ?? Number.NaN)).toBeGreaterThanOrEqual(minAge);
        }
      }),
      { numRuns: 200, maxSkipsPerRun: 1_000 },
    );
  });

  it('raising the minimum age never makes a candidate', () => {
    fc.assert(
      fc.property(arbitraryPod, ages, ages, (pod, one, other) => {
        const [low, high] = one < other ? [one, other] : [other, one];
        fc.pre(judge(pod, policy({ minAge: high }), now, noFacts).kind === 'Candidate');
        expect(judge(pod, policy({ minAge: low }), now, noFacts).kind).toBe('Candidate');
      }),
      { numRuns: 200, maxSkipsPerRun: 1_000 },
    );
  });

  it('time alone never takes a candidate back', () => {
    fc.assert(
      fc.property(arbitraryPod, fc.integer({ min: 0, max: 30 * 24 * hour }), (pod, later) => {
        fc.pre(judge(pod, policy(), now, noFacts).kind === 'Candidate');
        expect(judge(pod, policy(), now + later, noFacts).kind).toBe('Candidate');
      }),
      { numRuns: 200, maxSkipsPerRun: 1_000 },
    );
  });

  it('a pod about which nobody says anything is never a candidate', () => {
    fc.assert(
      fc.property(arbitraryPod, (pod) => {
        const verdict = judge(
          { ...pod, annotations: {} },
          policy({ catalogue: [], minAge: minute }),
          now,
          noFacts,
        );
        expect(verdict.kind).not.toBe('Candidate');
      }),
      runs,
    );
  });

  it('a pod that is left alone comes with a reason', () => {
    fc.assert(
      fc.property(arbitraryPod, (pod) => {
        const verdict = judge(pod, policy(), now, noFacts);
        if (verdict.kind === 'Excluded') expect(verdict.because).not.toEqual([]);
        if (verdict.kind === 'Undecided') expect(verdict.problem).not.toBe('');
      }),
      runs,
    );
  });
});
