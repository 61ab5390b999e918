import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judge } from '../../../../src/judge/judge.ts';
import { assignRoles } from '../../../../src/judge/roles.ts';
import type { Facts } from '../../../../src/model/reading.ts';
import type { Evidence, Exclusion, Hanging, Remark, Verdict } from '../../../../src/model/verdict.ts';
import type { Policy } from '../../../../src/policy/policy.ts';
import { narrowed } from '../../../builders/narrowed.ts';
import { minute, now } from '../../../builders/pod-view.ts';
import { policy } from '../../../builders/policy.ts';
import { arbitraryApiPod } from './arbitrary-api-pod.ts';
import { type NaiveVerdict, naiveJudge } from './naive-judge.ts';
import type { Given } from './naive-roles.ts';

const hangs = [
  'RestartPolicyDropped',
  'StartupProbeStopped',
  'MainNotRestarted',
  'NativeSidecarRunsOn',
  'ProxyEndedFirst',
];

const given: fc.Arbitrary<Given> = fc.record({
  pod: arbitraryApiPod,
  now: fc.constant(now),
  minAge: fc.constantFrom(5 * minute, 0, 100 * minute),
  namespaces: fc.constantFrom([], ['demo', 'kube-system']),
  includePending: fc.boolean(),
  rule: fc.constantFrom(undefined, { container: 'log-shipper', namespace: 'demo' }),
  template: fc.constantFrom(undefined, undefined, ['main'], ['main', 'work', 'sidecar']),
  natives: fc.constantFrom(undefined, ['mesh'], ['setup']),
  unready: fc.constantFrom(undefined, undefined, undefined, 'node2'),
  ready: fc.constantFrom('node1', 'node1', 'node1', undefined),
  self: fc.constantFrom(
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    'demo/work-x2k9p',
    'demo/other',
  ),
});

/** The product's verdict on the same pod, in the naive form. */
function productVerdict({
  pod,
  template,
  natives,
  unready,
  ready,
  self,
  rule,
  ...given
}: Given): NaiveVerdict {
  const { minAge, namespaces, includePending } = given;
  const used: Policy = policy({
    minAge,
    scope: { namespaces, labelSelector: undefined, includePending },
    rules: rule
      ? [{ name: 'naive', role: 'Sidecar', containers: [rule.container], namespaces: [rule.namespace] }]
      : [],
  });
  const [namespace, name] = self?.split('/') ?? [];
  const facts: Facts = {
    jobContainers: new Map(template && [['job-1', template]]),
    jobNativeSidecars: new Map(natives && [['job-1', natives]]),
    unreadyNodes: new Map(unready === undefined ? [] : [[unready, 'NodeStatusUnknown']]),
    platforms: new Map(ready === undefined ? [] : [[ready, 'linux/amd64']]),
    namespaces: new Map(),
    selectedNamespaces: undefined,
    self: namespace !== undefined && name !== undefined ? { namespace, name } : undefined,
  };
  return inWords(judge(narrowed(pod), used, given.now, facts), used, facts);
}

function inWords(verdict: Verdict, used: Policy, facts: Facts): NaiveVerdict {
  const { kind } = verdict;
  if (kind === 'Undecided') return { kind, details: [] };
  const remarks = verdict.remarks.map((remark) => `remark ${wordsOfRemark(remark)}`);
  const roles = assignRoles(verdict.pod, { policy: used, facts });
  const told = roles.map(
    ({ container, role, because }) => `${container.name} ${role} ${wordsOfEvidence(because)}`,
  );
  if (kind === 'Hanging') return { kind, details: [wordsOfHang(verdict), ...told, ...remarks] };
  if (kind === 'Excluded') return { kind, details: [...verdict.because.map(wordsOf), ...told, ...remarks] };
  // The verdict and the roles have the same containers.
  const judged = namesOf([...verdict.mains, ...verdict.sidecars.map(({ container }) => container)]);
  const assigned = namesOf(roles.map(({ container }) => container));
  if (judged !== assigned) expect(judged).toBe(assigned);
  return { kind, details: [...told, ...remarks] };
}

function namesOf(containers: readonly { readonly name: string }[]): string {
  return containers
    .map(({ name }) => name)
    .sort()
    .join(' ');
}

function wordsOfHang({ hang, since }: Hanging): string {
  return [...Object.values(hang), new Date(since).toISOString()].join(' ');
}

function wordsOf(reason: Exclusion): string {
  if ('container' in reason) return `${reason.kind} ${reason.container}`;
  if (reason.kind === 'NotRunning') return `${reason.kind} ${reason.phase}`;
  return reason.kind === 'TooYoung' ? `${reason.kind} ${reason.ageMs}` : reason.kind;
}

function wordsOfEvidence({ kind, ...detail }: Evidence): string {
  return [kind, ...Object.values(detail)].join(' ');
}

function wordsOfRemark(remark: Remark): string {
  switch (remark.kind) {
    case 'UnknownContainer':
      return `${remark.kind} ${remark.key} ${remark.container}`;
    case 'NamedAsBoth':
      return `${remark.kind} ${remark.container}`;
    case 'Unreadable':
      return `${remark.kind} ${remark.key}`;
    case 'LeftOut':
      return `${remark.kind} ${remark.remarks}`;
  }
}

it('a second, naive implementation has the same verdicts on 200,000 pods', () => {
  const counts = new Map<string, number>();
  const property = fc.property(given, (one) => {
    const verdict = productVerdict(one);
    const [hang = ''] = verdict.kind === 'Hanging' ? (verdict.details[0]?.split(' ') ?? []) : [verdict.kind];
    counts.set(hang, (counts.get(hang) ?? 0) + 1);
    const naive = naiveJudge(one);
    const details = [verdict, naive].map((each) => [...each.details].sort().join('; '));
    if (verdict.kind === naive.kind && details[0] === details[1]) return;
    expect(`${verdict.kind}: ${details[0]}`).toBe(`${naive.kind}: ${details[1]}`);
  });
  fc.assert(property, { numRuns: 200_000 });

  // Each verdict must be frequent enough for the comparison to be meaningful.
  for (const kind of ['Candidate', 'NeverStarted', 'Excluded', 'Undecided']) {
    expect(counts.get(kind)).toBeGreaterThan(1_000);
  }
  for (const hang of hangs) expect(counts.get(hang)).toBeGreaterThan(20);
  // Only pods that have nothing else to be left alone for.
  expect(counts.get('NotStartedAgain')).toBeGreaterThan(20);
});
