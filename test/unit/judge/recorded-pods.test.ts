import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import type { Exclusion, Verdict } from '../../../src/model/verdict.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { narrowed } from '../../builders/api-pod.ts';
import { minute } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';
import { podsAfter, podsBefore } from '../../builders/recordings.ts';

type Expected = 'Candidate' | 'NeverStarted' | 'NotStartedAgain' | readonly Exclusion['kind'][];

/** Some hours after the last recording. */
const later = Date.parse('2026-11-22T00:00:00Z');
const ended: Expected = ['NotRunning', 'NoRunningSidecar'];
const scope = { namespaces: [], labelSelector: undefined, includePending: true };

const expected: Readonly<Record<string, Expected>> = {
  // Before the first request. Recordings that are not listed were stuck.
  'crashlooping-main-is-not-done': ['MainWillRestart'],
  // After the last recording.
  'argo-annotated-447qm': 'Candidate',
  'container-restart-policy-8fhj4': 'Candidate',
  'deadline-9rzp5': ended,
  'distroless-http-mhk9p': ended,
  'distroless-term0-c9c24': 'Candidate',
  'ephemeral-tvgbq': ended,
  'ignore-term-v9n28': 'Candidate',
  'image-pull-4pj6v': 'NeverStarted',
  'native-7km5w': ['NotRunning', 'NoSidecar'],
  'never-clean-pqt5l': ended,
  'never-mainfailed-clean-b299s': ended,
  'never-mainfailed-clean-cj2sp': 'Candidate',
  'never-unclean-gp4d7': ended,
  'never-unclean-sd7r4': 'Candidate',
  'nohandler-pid1-tzzk4': 'Candidate',
  'nonroot-h5lpw': ended,
  'onfailure-clean-ch5jk': ended,
  'onfailure-main-crashloop-44nrm': ['MainWillRestart'],
  'onfailure-unclean-dlbtq': 'Candidate',
  'shared-pid-7m49d': 'Candidate',
  'shared-pid-k7rkd': ended,
  'shell-wrapped-jkqw2': ended,
  'still-running-xdw2j': ['MainRunning'],
  'two-sidecars-gvzzz': 'Candidate',
};

function verdictOn(value: unknown, more: Partial<Policy> = {}): Verdict {
  const pod = narrowed(value);
  const annotations = { ...pod.annotations, 'sidecar-sweeper.dev/main': 'main' };
  return judge({ ...pod, annotations }, policy({ minAge: minute, scope, ...more }), later, noFacts);
}

function summary(verdict: Verdict): Expected | 'Undecided' {
  return 'because' in verdict ? verdict.because.map(({ kind }) => kind) : verdict.kind;
}

describe('a recorded pod', () => {
  it.each(podsBefore())('before %s', (name, pod) => {
    expect(summary(verdictOn(pod))).toEqual(expected[name] ?? 'Candidate');
  });

  it.each(podsAfter().map((pod) => [narrowed(pod).ref.name, pod] as const))('%s', (name, pod) => {
    expect(summary(verdictOn(pod))).toEqual(expected[name]);
  });

  it('is not a candidate before the minimum age, or without evidence of a sidecar', () => {
    const pods = [...podsBefore().map(([, pod]) => pod), ...podsAfter()];
    for (const pod of pods) {
      expect(verdictOn(pod, { minAge: 24 * 60 * minute }).kind).not.toBe('Candidate');
      const untold = { ...narrowed(pod), annotations: {} };
      expect(judge(untold, policy({ minAge: minute, scope }), later, noFacts).kind).toBe('Excluded');
    }
  });
});
