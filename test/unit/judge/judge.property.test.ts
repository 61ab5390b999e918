import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/judge/judge.ts';
import { now, podView } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';
import { promises, type Trial, trials } from './promises.ts';

describe('for any of 50,000 pods', () => {
  const held = new Map<string, number>();
  const kinds = new Set<string>();

  // One run checks all promises, because generating pods takes most of the time.
  it('all promises hold', () => {
    const property = fc.property(trials, (trial) => {
      const { verdict } = trial;
      kinds.add(verdict.kind);
      if (verdict.kind === 'Excluded') for (const { kind } of verdict.because) kinds.add(kind);
      for (const [promise, holds] of Object.entries(promises)) {
        if (holdsOf(promise, holds, trial)) held.set(promise, (held.get(promise) ?? 0) + 1);
      }
    });
    fc.assert(property, { numRuns: 50_000 });
  });

  it.each(Object.keys(promises))('%s, with enough pods to test it', (promise) => {
    expect(held.get(promise) ?? 0).toBeGreaterThan(150);
  });

  it('every verdict and every reason occurred', () => {
    // Too rarely drawn to rely on; it has a test of its own.
    kinds.delete('Hanging');
    const reasons = explain(podView(), policy(), now, noFacts).checks.map(({ kind }) => kind);
    const verdicts = ['Candidate', 'NeverStarted', 'NotStartedAgain', 'Undecided', 'Excluded'];
    expect([...kinds].sort()).toEqual([...verdicts, ...reasons].sort());
  });
});

/** Checks a promise and adds its name to the error. */
function holdsOf(promise: string, holds: (trial: Trial) => boolean, trial: Trial): boolean {
  try {
    return holds(trial);
  } catch (error) {
    throw new Error(`${promise}: ${error instanceof Error ? error.message : error}`);
  }
}
