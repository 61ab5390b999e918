import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/judge/explain.ts';
import { judge } from '../../../src/judge/judge.ts';
import { jobToRead } from '../../../src/judge/missing-facts.ts';
import { takeShard } from '../../../src/judge/shard.ts';
import type {
  Candidate,
  ContainerView,
  PodView,
  Policy,
  RestartPolicy,
  Verdict,
} from '../../../src/types.ts';
import { arbitraryPod } from '../../builders/arbitrary-pod.ts';
import { arbitrarySituation, type Situation } from '../../builders/arbitrary-situation.ts';
import { hour, minute, now } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';
import { isBackedBy } from './evidence-in-pod.ts';

/** What is promised of judging is tried on this many pods. */
const promised = { numRuns: 50_000 };
const runs = { numRuns: 10_000 };

function verdictOf({ pod, policy, facts }: Situation, more: Partial<Policy> = {}, at = now): Verdict {
  return judge(pod, { ...policy, ...more }, at, facts);
}

/** Holds of candidates; fails as well when hardly any of the generated pods is one. */
function ofCandidates(
  { numRuns }: { readonly numRuns: number },
  holds: (candidate: Candidate, situation: Situation) => void,
): void {
  let candidates = 0;
  const property = fc.property(arbitrarySituation, (situation) => {
    const verdict = verdictOf(situation);
    if (verdict.kind !== 'Candidate') return;
    candidates++;
    holds(verdict, situation);
  });
  fc.assert(property, { numRuns });
  expect(candidates).toBeGreaterThan(numRuns / 100);
}

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

describe('for any pod', { timeout: 60_000 }, () => {
  it('the generated pods come to every verdict and every reason there is', () => {
    const situations = fc.sample(arbitrarySituation, { numRuns: 50_000, seed: 1 });
    const verdicts = situations.map((situation) => verdictOf(situation));
    const kinds = new Set(
      verdicts.flatMap((one) => (one.kind === 'Excluded' ? one.because.map(({ kind }) => kind) : [one.kind])),
    );
    const [first] = situations;
    const reasons = first
      ? explain({ ...first.pod, statusProblems: [] }, first.policy, now, first.facts).checks
      : [];
    const expected = ['Candidate', 'NeverStarted', 'Undecided', ...reasons.map(({ kind }) => kind)];
    expect([...kinds].sort()).toEqual(expected.sort());
  });

  it('no container is judged a sidecar without evidence, and the evidence is there for anybody to see', () => {
    let sidecars = 0;
    const property = fc.property(arbitrarySituation, ({ pod, policy, facts }) => {
      for (const { container, evidence } of explain(pod, policy, now, facts).containers) {
        const [{ role, because }] = evidence;
        if (role !== 'Sidecar') continue;
        sidecars++;
        if (!isBackedBy(because, container, pod, { policy, facts })) {
          expect.fail(`${container.name} is no sidecar by ${JSON.stringify(because)}`);
        }
      }
    });
    fc.assert(property, promised);
    expect(sidecars).toBeGreaterThan(promised.numRuns / 2);
  });

  it('a candidate has no main that can still run, and at least one that did', () => {
    ofCandidates(promised, (candidate) => {
      const mains = notSidecars(candidate);
      expect(mains.length).toBeGreaterThan(0);
      expect(mains.filter((main) => canStillRun(main, candidate.pod.restartPolicy))).toEqual([]);
    });
  });

  it('raising the minimum age never adds a candidate', () => {
    const property = fc.property(
      arbitrarySituation,
      fc.integer({ min: 0, max: 3 * hour }),
      (situation, more) => {
        const raised = verdictOf(situation, { minAge: situation.policy.minAge + more });
        if (raised.kind === 'Candidate') expect(verdictOf(situation).kind).toBe('Candidate');
      },
    );
    fc.assert(property, promised);
  });

  it('narrowing the scope never adds a candidate', () => {
    const namespaces = fc.subarray(['demo', 'etl', 'kube-system', 'kube-public'], { minLength: 1 });
    const shard = fc.constantFrom(undefined, { index: 0, of: 2 }, { index: 1, of: 2 });
    const property = fc.property(
      arbitrarySituation,
      namespaces,
      fc.nat(3),
      shard,
      fc.boolean(),
      (situation, wide, dropped, shard, includePending) => {
        const narrow = wide.filter((_name, index) => index !== dropped);
        fc.pre(narrow.length > 0);
        const { scope } = situation.policy;
        const narrowScope = { ...scope, namespaces: narrow, shard, includePending };
        const inNarrow = isListed(situation, narrowScope)
          ? verdictOf(situation, { scope: narrowScope })
          : undefined;
        const wideScope = { ...scope, namespaces: wide, includePending: true };
        const inWide = isListed(situation, wideScope)
          ? verdictOf(situation, { scope: wideScope })
          : undefined;
        if (inNarrow?.kind === 'Candidate') expect(inWide?.kind).toBe('Candidate');
        if (inNarrow?.kind === 'NeverStarted') expect(inWide?.kind).toBe('NeverStarted');
      },
    );
    fc.assert(property, promised);
  });

  it('all namespaces hold every candidate of any, but those that only their name opens', () => {
    const property = fc.property(arbitrarySituation, (situation) => {
      const { namespace } = situation.pod.ref;
      const { scope } = situation.policy;
      const named = verdictOf(situation, { scope: { ...scope, namespaces: [namespace] } });
      if (named.kind !== 'Candidate') return;
      const among = verdictOf(situation, { scope: { ...scope, namespaces: [] } });
      if (namespace.startsWith('kube-')) {
        expect(among).toMatchObject({ because: [{ kind: 'SystemNamespace' }] });
      } else {
        expect(among.kind).toBe('Candidate');
      }
    });
    fc.assert(property, runs);
  });

  it('judging is a function of its inputs: it changes none, and a copy of them is judged alike', () => {
    const property = fc.property(arbitrarySituation, ({ pod, policy, facts }) => {
      const before = JSON.stringify(pod);
      const copy = copyOf(pod);
      const verdict = JSON.stringify(judge(pod, policy, now, facts));
      expect(JSON.stringify(pod)).toBe(before);
      expect(JSON.stringify(judge(copy, policy, now, facts))).toBe(verdict);
    });
    fc.assert(property, promised);
  });

  it('the Job is read for every pod of which only its template makes a candidate', () => {
    let found = 0;
    const property = fc.property(arbitrarySituation, ({ pod, policy, facts }) => {
      const without = { ...facts, jobContainers: new Map() };
      if (judge(pod, policy, now, facts).kind !== 'Candidate') return;
      if (judge(pod, policy, now, without).kind === 'Candidate') return;
      found++;
      expect(jobToRead(pod, policy, now, without)).toBe(pod.owner);
    });
    fc.assert(property, promised);
    expect(found).toBeGreaterThan(100);
  });

  it('a candidate is Running, stays, adds up, and has a sidecar that runs', () => {
    ofCandidates(runs, ({ pod, sidecars }) => {
      expect(pod).toMatchObject({ phase: 'Running', deleting: false, statusProblems: [] });
      expect(sidecars.map(({ container }) => container.state.kind)).toContain('Running');
    });
  });

  it('a candidate has no container whose end starts others again', () => {
    ofCandidates(runs, ({ pod }) => {
      const actions = pod.containers.flatMap(({ restartRules }) => restartRules.map((rule) => rule.action));
      expect(actions.filter((action) => action !== 'Restart')).toEqual([]);
    });
  });

  it('a candidate’s mains ended at least the minimum age ago, unless its owner has set another', () => {
    ofCandidates(runs, (candidate, { policy }) => {
      if (candidate.pod.annotations['sidecar-sweeper.dev/min-age'] !== undefined) return;
      for (const { state } of notSidecars(candidate)) {
        const finishedAt = state.kind === 'Terminated' ? state.finishedAt : undefined;
        expect(now - (finishedAt ?? Number.NaN)).toBeGreaterThanOrEqual(policy.minAge);
      }
    });
  });

  it('time alone never takes a candidate back', () => {
    ofCandidates(runs, (_candidate, situation) => {
      for (const later of [1, minute, hour, 30 * 24 * hour]) {
        expect(verdictOf(situation, {}, now + later).kind).toBe('Candidate');
      }
    });
  });

  it('a pod about which nobody says anything is never a candidate', () => {
    const property = fc.property(arbitraryPod, (pod) => {
      const containers = pod.containers.map((one) => ({ ...one, env: {} }));
      const unsaid: PodView = { ...pod, containers, annotations: {}, argo: undefined };
      expect(judge(unsaid, policy({ catalogue: [], minAge: 0 }), now, noFacts).kind).not.toBe('Candidate');
    });
    fc.assert(property, runs);
  });

  it('a pod that is left alone comes with a reason', () => {
    const property = fc.property(arbitrarySituation, (situation) => {
      const verdict = verdictOf(situation);
      if (verdict.kind === 'Excluded') expect(verdict.because).not.toEqual([]);
      if (verdict.kind === 'Undecided') expect(verdict.problem).not.toBe('');
    });
    fc.assert(property, runs);
  });
});

/** Whether a sweep of that scope gets to see the pod at all. */
function isListed({ pod }: Situation, { namespaces, shard }: Policy['scope']): boolean {
  const isOurs = takeShard({ pods: [pod], malformed: [] }, shard).pods.length === 1;
  return namespaces.includes(pod.ref.namespace) && isOurs;
}

/** An equal one, of which nothing is the same object as in the first. */
function copyOf(pod: PodView): PodView {
  const containers = pod.containers.map((one) => ({
    ...one,
    env: { ...one.env },
    restartRules: one.restartRules.map((rule) => ({ ...rule, exitCodes: [...rule.exitCodes] })),
    state: { ...one.state },
  }));
  const { ref, owner, labels, annotations, argo } = pod;
  return {
    ...pod,
    containers,
    ref: { ...ref },
    owner: owner && { ...owner },
    labels: { ...labels },
    annotations: { ...annotations },
    argo: argo && { ...argo },
  };
}
