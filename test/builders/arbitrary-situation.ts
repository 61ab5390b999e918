import fc from 'fast-check';
import type { PodView } from '../../src/model/pod.ts';
import type { Facts, NamespaceReading } from '../../src/model/reading.ts';
import { catalogue } from '../../src/policy/catalogue.ts';
import type { Policy } from '../../src/policy/policy.ts';
import type { Rule } from '../../src/policy/rules.ts';
import { arbitraryPod } from './arbitrary-pod.ts';
import { hour, minute } from './pod-view.ts';
import { policy } from './policy.ts';

/** The inputs of a judgement, except the time. */
export interface Situation {
  readonly pod: PodView;
  readonly policy: Policy;
  readonly facts: Facts;
}

const rules: fc.Arbitrary<Rule> = fc.constantFrom<Rule[]>(
  { name: 'proxies', role: 'Sidecar', containers: ['*-proxy'] },
  { name: 'local', role: 'Sidecar', images: ['local/*'], containers: ['side*'] },
  { name: 'shop', role: 'Main', labels: { app: 'shop' } },
  { name: 'etl', role: 'Sidecar', containers: ['work'], namespaces: ['e*'], ownerKinds: ['Job'] },
);

const policies: fc.Arbitrary<Policy> = fc
  .record({
    scope: fc.record({
      namespaces: fc.constantFrom<(readonly string[])[]>([], [], ['demo'], ['demo', 'kube-system']),
      labelSelector: fc.constant(undefined),
      includePending: fc.boolean(),
    }),
    minAge: fc.oneof(fc.integer({ min: 0, max: 2 * hour }), fc.constant(5 * minute)),
    rules: fc.array(rules, { maxLength: 2 }),
    catalogue: fc.constantFrom(catalogue, catalogue, []),
  })
  .map(policy);

const readings: readonly NamespaceReading[] = [
  { kind: 'Present', annotations: { 'sidecar-sweeper.dev/skip': 'true' } },
  { kind: 'Unreadable', problem: { kind: 'Forbidden', message: 'no get' } },
];

const facts: fc.Arbitrary<Facts> = fc
  .record({
    template: fc.constantFrom(
      undefined,
      undefined,
      ['main'],
      ['main'],
      ['main', 'work'],
      ['main', 'sidecar'],
    ),
    unready: fc.constantFrom(undefined, undefined, undefined, undefined, 'node1', 'node2'),
    self: fc.constantFrom(undefined, undefined, undefined, undefined, 'work-x2k9p', 'sweeper'),
    namespace: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, ...readings),
    selected: fc.constantFrom(undefined, undefined, undefined, undefined, ['demo'], ['jobs']),
  })
  .map(({ template, unready, self, namespace, selected }) => ({
    jobContainers: new Map(template && [['job-1', template]]),
    jobNativeSidecars: new Map(),
    unreadyNodes: new Map(unready === undefined ? [] : [[unready, 'NodeStatusUnknown']]),
    platforms: new Map(),
    namespaces: new Map(namespace && [['demo', namespace]]),
    selectedNamespaces: selected && new Set(selected),
    self: self === undefined ? undefined : { namespace: 'demo', name: self },
  }));

/** Pods, policies and facts that relate to each other. */
export const arbitrarySituation: fc.Arbitrary<Situation> = fc.record({
  pod: arbitraryPod,
  policy: policies,
  facts,
});
