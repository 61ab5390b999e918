import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain, judge } from '../../../src/judge/judge.ts';
import { jobToRead } from '../../../src/judge/missing-facts.ts';
import { assignRoles } from '../../../src/judge/roles.ts';
import { jobOf, type PodView } from '../../../src/model/pod.ts';
import { type Shard, takeShard } from '../../../src/model/scope.ts';
import type { Verdict } from '../../../src/model/verdict.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import type { Millis } from '../../../src/util/time.ts';
import { arbitrarySituation, type Situation } from '../../builders/arbitrary-pod.ts';
import { jobView } from '../../builders/job.ts';
import { hour, now, podView } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

/** A situation with its verdict, and the variations that the promises test. */
interface Trial extends Situation {
  readonly verdict: Verdict;
  readonly more: Millis;
  /** The namespaces of the wider scope; `dropped` is the index of the one missing in the narrower scope. */
  readonly wide: readonly string[];
  readonly dropped: number;
  readonly shard: Shard | undefined;
}

const trials: fc.Arbitrary<Trial> = fc
  .record({
    situation: arbitrarySituation,
    more: fc.integer({ min: 0, max: 3 * hour }),
    wide: fc.subarray(['demo', 'etl', 'kube-system', 'kube-public'], { minLength: 1 }),
    dropped: fc.nat(3),
    shard: fc.constantFrom(undefined, { index: 0, of: 2 }, { index: 1, of: 2 }),
  })
  .map(({ situation, ...others }) => ({ ...others, ...situation, verdict: verdictOf(situation) }));

function verdictOf({ pod, policy, facts }: Situation, more: Partial<Policy> = {}, at = now): Verdict {
  return judge(pod, { ...policy, ...more }, at, facts);
}

/** The verdict of a sweep with this scope, if the scope includes the pod. */
function judgedIn(situation: Situation, scope: Policy['scope']): Verdict | undefined {
  const { pod } = situation;
  const isOurs = takeShard({ pods: [pod], malformed: [], atWork: [] }, scope.shard).pods.length === 1;
  return scope.namespaces.includes(pod.ref.namespace) && isOurs ? verdictOf(situation, { scope }) : undefined;
}

const silent = policy({ catalogue: [], minAge: 0 });

/** What the tables of single cases cannot show. Each returns whether the trial tested it. */
const promises: Readonly<Record<string, (trial: Trial) => boolean>> = {
  'raising the minimum age never adds a candidate'({ verdict, more, ...situation }) {
    const raised = verdictOf(situation, { minAge: situation.policy.minAge + more });
    if (raised.kind !== 'Candidate') return false;
    expect(verdict.kind).toBe('Candidate');
    return true;
  },

  'narrowing the scope never adds a candidate'({ wide, dropped, shard, ...situation }) {
    const { scope } = situation.policy;
    const namespaces = wide.filter((_name, index) => index !== dropped);
    const narrow = judgedIn(situation, { ...scope, namespaces, shard });
    const kinds = ['Candidate', 'NeverStarted', 'NotStartedAgain'];
    if (!narrow || !kinds.includes(narrow.kind)) return false;
    const inWide = judgedIn(situation, { ...scope, namespaces: wide, includePending: true });
    expect(inWide?.kind).toBe(narrow.kind);
    return true;
  },

  'a sweep of all namespaces finds every candidate of each, except in system namespaces'(situation) {
    const { namespace } = situation.pod.ref;
    const { scope } = situation.policy;
    const named = verdictOf(situation, { scope: { ...scope, namespaces: [namespace] } });
    if (named.kind !== 'Candidate') return false;
    const among = verdictOf(situation, { scope: { ...scope, namespaces: [] } });
    if (namespace.startsWith('kube-'))
      expect(among).toMatchObject({ because: [{ kind: 'SystemNamespace' }] });
    else expect(among.kind).toBe('Candidate');
    return true;
  },

  'judging is a pure function of its inputs: equal inputs give the same verdict'({ pod, policy, facts }) {
    const [before, copy] = [JSON.stringify(pod), structuredClone(pod)];
    const verdict = JSON.stringify(judge(pod, policy, now, facts));
    if (JSON.stringify(pod) !== before) expect.fail('the pod was changed');
    if (JSON.stringify(judge(copy, policy, now, facts)) !== verdict)
      expect.fail('a copy got another verdict');
    return true;
  },

  'the Job is read for every pod that is a candidate only because of its template'(trial) {
    const { pod, policy, facts, verdict } = trial;
    const without = { ...facts, templates: new Map() };
    if (verdict.kind !== 'Candidate' || judge(pod, policy, now, without).kind === 'Candidate') return false;
    expect(jobToRead(pod, { policy, now, facts: without })).toBe(pod.owner);
    return true;
  },

  'a candidate whose Job is not read is one, with the same failed mains, whichever containers its template has'(
    trial,
  ) {
    const { pod, policy, facts } = trial;
    const without = { ...facts, templates: new Map() };
    const verdict = judge(pod, policy, now, without);
    const owner = jobOf(pod);
    if (verdict.kind !== 'Candidate' || !owner) return false;
    if (jobToRead(pod, { policy, now, facts: without })) return false;
    const judgedBy = (template: readonly string[]) =>
      judge(pod, policy, now, {
        ...facts,
        templates: new Map([[owner.uid, jobView({ containers: template })]]),
      });
    const failed = (one: Verdict) =>
      one.kind === 'Candidate' ? one.mains.filter(({ exitCode }) => exitCode !== 0) : one.kind;
    const empty = { ...facts, templates: new Map([[owner.uid, jobView({ containers: [] })]]) };
    for (const { container, role, because } of assignRoles(pod, { policy, facts: empty })) {
      // A template has something besides what other evidence says was injected.
      if (role === 'Sidecar' && because.kind !== 'NotInJobTemplate') continue;
      expect(failed(judgedBy([container.name]))).toEqual(failed(verdict));
    }
    return true;
  },

  'a candidate remains a candidate over time'({ verdict, more, ...situation }) {
    if (verdict.kind !== 'Candidate') return false;
    expect(verdictOf(situation, {}, now + more).kind).toBe('Candidate');
    return true;
  },

  'a pod without evidence is never a candidate'({ pod }) {
    const containers = pod.containers.map((one) => ({ ...one, env: {} }));
    const unsaid: PodView = { ...pod, containers, annotations: {}, argo: undefined };
    if (judge(unsaid, silent, now, noFacts).kind === 'Candidate') expect.fail('there was no evidence');
    return true;
  },
};

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

function holdsOf(promise: string, holds: (trial: Trial) => boolean, trial: Trial): boolean {
  try {
    return holds(trial);
  } catch (error) {
    throw new Error(`${promise}: ${error instanceof Error ? error.message : error}`);
  }
}
