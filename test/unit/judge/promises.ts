import fc from 'fast-check';
import { expect } from 'vitest';
import { explain, judge } from '../../../src/judge/judge.ts';
import { jobToRead } from '../../../src/judge/missing-facts.ts';
import type { ContainerView, PodView, RestartPolicy } from '../../../src/model/pod.ts';
import { type Shard, takeShard } from '../../../src/model/scope.ts';
import type { Candidate, Verdict } from '../../../src/model/verdict.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import type { Millis } from '../../../src/util/time.ts';
import { arbitrarySituation, type Situation } from '../../builders/arbitrary-situation.ts';
import { hour, now } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';
import { isBackedBy } from './evidence-in-pod.ts';

/** A situation with its verdict, and the variations that the promises test. */
export interface Trial extends Situation {
  readonly verdict: Verdict;
  readonly more: Millis;
  /** The namespaces of the wider scope; `dropped` is the index of the one missing in the narrower scope. */
  readonly wide: readonly string[];
  readonly dropped: number;
  readonly shard: Shard | undefined;
}

/** Pods with all inputs of a judgement. */
export const trials: fc.Arbitrary<Trial> = fc
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

/** Whether any rule or policy could restart the container, written independently of the product. */
function canStillRun({ state, restartRules, restartPolicy }: ContainerView, ofPod: RestartPolicy): boolean {
  if (state.kind !== 'Terminated') return true;
  for (const { operator, exitCodes } of restartRules) {
    if (operator === 'In' && exitCodes.includes(state.exitCode)) return true;
    if (operator === 'NotIn' && !exitCodes.includes(state.exitCode)) return true;
  }
  const effective = restartPolicy ?? ofPod;
  return effective === 'Always' || (effective === 'OnFailure' && state.exitCode > 0);
}

/** The pod's containers that are not sidecars in the verdict. */
function notSidecars({ pod, sidecars }: Candidate): readonly ContainerView[] {
  const names = sidecars.map(({ container }) => container.name);
  return pod.containers.filter(({ name }) => !names.includes(name));
}

/** The promises of judging. Each returns whether the trial actually tested it. */
export const promises: Readonly<Record<string, (trial: Trial) => boolean>> = {
  'no container is a sidecar without evidence that is present in its source'({ pod, policy, facts }) {
    const sidecars = explain(pod, policy, now, facts).containers.filter(
      ({ evidence: [{ role }] }) => role === 'Sidecar',
    );
    for (const { container, evidence } of sidecars) {
      const [{ because }] = evidence;
      if (!isBackedBy(because, container, pod, { policy, facts })) {
        expect.fail(`${container.name} is not a sidecar by ${JSON.stringify(because)}`);
      }
    }
    return sidecars.length > 0;
  },

  'a candidate has an ended main container, and none that can still run'({ verdict }) {
    if (verdict.kind !== 'Candidate') return false;
    const mains = notSidecars(verdict);
    expect(mains.length).toBeGreaterThan(0);
    expect(mains.filter((main) => canStillRun(main, verdict.pod.restartPolicy))).toEqual([]);
    return true;
  },

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
    const before = JSON.stringify(pod);
    const copy = copyOf(pod);
    const verdict = JSON.stringify(judge(pod, policy, now, facts));
    if (JSON.stringify(pod) !== before) expect.fail('the pod was changed');
    if (JSON.stringify(judge(copy, policy, now, facts)) !== verdict)
      expect.fail('a copy got another verdict');
    return true;
  },

  'the Job is read for every pod that is a candidate only because of its template'({
    pod,
    policy,
    facts,
    verdict,
  }) {
    const without = { ...facts, jobContainers: new Map() };
    if (verdict.kind !== 'Candidate' || judge(pod, policy, now, without).kind === 'Candidate') return false;
    expect(jobToRead(pod, policy, now, without)).toBe(pod.owner);
    return true;
  },

  'a candidate is Running, consistent, not being deleted, has a running sidecar, and no RestartsOthers'({
    verdict,
  }) {
    if (verdict.kind !== 'Candidate') return false;
    const { pod, sidecars } = verdict;
    expect(pod).toMatchObject({ phase: 'Running', deleting: false, statusProblems: [] });
    expect(sidecars.map(({ container }) => container.state.kind)).toContain('Running');
    const actions = pod.containers.flatMap(({ restartRules }) => restartRules.map((rule) => rule.action));
    expect(actions.filter((action) => action !== 'Restart')).toEqual([]);
    return true;
  },

  'a candidate’s main containers ended at least the minimum age ago, unless its annotation differs'({
    verdict,
    policy,
  }) {
    if (verdict.kind !== 'Candidate') return false;
    if (verdict.pod.annotations['sidecar-sweeper.dev/min-age'] !== undefined) return false;
    for (const { state } of notSidecars(verdict)) {
      const finishedAt = state.kind === 'Terminated' ? state.finishedAt : undefined;
      expect(finishedAt).toBeLessThanOrEqual(now - policy.minAge);
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
    const { kind } = judge(unsaid, silent, now, noFacts);
    if (kind === 'Candidate') expect.fail('there was no evidence');
    return true;
  },

  'a pod that is left alone has a reason'({ verdict }) {
    if (verdict.kind === 'Excluded' && verdict.because.length === 0) expect.fail('no reason');
    if (verdict.kind === 'Undecided' && verdict.problem === '') expect.fail('no problem');
    return verdict.kind === 'Excluded' || verdict.kind === 'Undecided';
  },
};

const silent = policy({ catalogue: [], minAge: 0 });

/** The verdict of a sweep with this scope, if the scope includes the pod. */
function judgedIn(situation: Situation, scope: Policy['scope']): Verdict | undefined {
  return isListed(situation, scope) ? verdictOf(situation, { scope }) : undefined;
}

/** Whether the scope includes the pod. */
function isListed({ pod }: Situation, { namespaces, shard }: Policy['scope']): boolean {
  const isOurs = takeShard({ pods: [pod], malformed: [] }, shard).pods.length === 1;
  return namespaces.includes(pod.ref.namespace) && isOurs;
}

/** A deep copy. */
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
