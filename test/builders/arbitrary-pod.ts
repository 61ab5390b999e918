import fc from 'fast-check';
import type { ContainerState, ContainerView, PodView, RestartPolicy, RestartRule } from '../../src/types.ts';
import { container, hour, minute, now, podView } from './pod-view.ts';

const mainNames = ['main', 'work'];
const sidecarNames = ['sidecar', 'istio-proxy', 'vault-agent'];

const exitCodes = fc.constantFrom(0, 0, 0, 1, 42, 137, 143);

const restartPolicies: fc.Arbitrary<RestartPolicy> = fc.constantFrom('Never', 'Never', 'OnFailure', 'Always');

/** Usually the first, sometimes the second. */
function mostly<T, U>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: rare });
}

const times = mostly(
  fc.integer({ min: now - 2 * hour, max: now - minute }),
  fc.constantFrom(undefined, Number.NaN, 0, now, now + hour),
);

const terminated = fc.record({
  kind: fc.constant('Terminated' as const),
  exitCode: exitCodes,
  signal: fc.constant(undefined),
  reason: fc.constant('Completed'),
  finishedAt: times,
});

const running = fc.constant({ kind: 'Running' as const, startedAt: now - 3 * hour });

const neither = fc.constantFrom(
  { kind: 'Waiting' as const, reason: 'CrashLoopBackOff' },
  { kind: 'Unreported' as const },
);

const restartRules: fc.Arbitrary<RestartRule> = fc.record({
  action: mostly(fc.constant('Restart'), fc.constantFrom('RestartAllContainers', '')),
  operator: fc.constantFrom('In' as const, 'NotIn' as const),
  exitCodes: fc.array(exitCodes, { maxLength: 3 }),
});

function containerNamed(name: string): fc.Arbitrary<ContainerView> {
  const states: fc.Arbitrary<ContainerState> = mainNames.includes(name)
    ? mostly(terminated, fc.oneof(running, neither))
    : mostly(running, fc.oneof(terminated, neither));
  return fc
    .record({
      state: states,
      image: fc.constantFrom('docker.io/istio/proxyv2:1.27.0', 'hashicorp/vault:1.17', 'local/app:1'),
      restartPolicy: mostly(fc.constant(undefined), restartPolicies),
      restartRules: mostly(fc.constant([]), fc.array(restartRules, { minLength: 1, maxLength: 2 })),
      id: mostly(fc.constant(`containerd://${name}`), fc.constant(undefined)),
    })
    .map(({ state, ...more }) => container(name, state, more));
}

const annotations = fc.dictionary(
  fc.constantFrom(
    'sidecar-sweeper.dev/sidecars',
    'nrmitchi.com/sidecars',
    'riskified.com/main_sidecars',
    'workflows.argoproj.io/kill-cmd-sidecar',
    'workflows.argoproj.io/kill-cmd-work',
  ),
  fc.constantFrom('sidecar', 'sidecar, istio-proxy', 'main', 'work,nobody', ''),
  { maxKeys: 2 },
);

/** Pods in every state, believable or not; about one in twenty is stuck. */
export const arbitraryPod: fc.Arbitrary<PodView> = fc
  .tuple(fc.subarray(mainNames, { minLength: 1 }), fc.subarray(sidecarNames))
  .map(([mains, sidecars]) => [...mains, ...sidecars])
  .chain((names) =>
    fc.record({
      phase: mostly(fc.constant('Running'), fc.constantFrom('Pending', 'Succeeded', 'Unknown')),
      deleting: mostly(fc.constant(false), fc.constant(true)),
      restartPolicy: restartPolicies,
      processNamespace: fc.constantFrom('Container' as const, 'Pod' as const, 'Node' as const),
      grace: fc.integer({ min: 0, max: 600_000 }),
      annotations,
      containers: fc.tuple(...names.map(containerNamed)),
      statusProblems: mostly(fc.constant([]), fc.constant(['container main has no status'])),
    }),
  )
  .map((more) => podView(more));
