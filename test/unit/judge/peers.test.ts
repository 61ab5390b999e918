import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { Facts } from '../../../src/model/reading.ts';
import { apiContainer, apiPod, apiStatus } from '../../builders/api-pod.ts';
import { narrowed } from '../../builders/narrowed.ts';
import {
  container,
  exited,
  hour,
  minute,
  now,
  podView,
  restartIn,
  running,
} from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

/** A pod's sidecars if it is a candidate, else the reasons that leave it alone, and any unknown names in lists. */
function outcomeOf(pod: PodView, facts: Partial<Facts> = {}): string {
  const verdict = judge(pod, policy(), now, { ...noFacts, ...facts });
  if ('sidecars' in verdict) return verdict.sidecars.map((one) => one.container.name).join(', ');
  return 'because' in verdict ? verdict.because.map(({ kind }) => kind).join(', ') : verdict.kind;
}

/** A mistake of another tool, from its source and issues, which the sweeper does not make. */
function mistake(title: string, outcome: string, pod: Partial<PodView>): void {
  it(title, () => expect(outcomeOf(podView(pod))).toBe(outcome));
}

const main = container('main', exited());
const failed = container('main', exited(1));
const sidecar = container('sidecar', running);
const listing = (list: string) => ({ annotations: { 'nrmitchi.com/sidecars': list } });

describe('k8s-controller-sidecars', () => {
  it('never ends a sidecar whose readiness probe fails; here, readiness is ignored', () => {
    const ended = { terminated: { exitCode: 0, finishedAt: new Date(now - hour).toISOString() } };
    const containerStatuses = [
      apiStatus('main', ended),
      apiStatus('sidecar', { running: {} }, { ready: false, started: false }),
    ];
    const pod = apiPod({ metadata: listing('sidecar'), status: { containerStatuses } });
    expect(outcomeOf(narrowed(pod))).toBe('sidecar');
  });

  for (const reason of ['OOMKilled', 'ContainerCannotRun', 'DeadlineExceeded', 'StartError']) {
    mistake(`never ends the sidecar of a main that ended with ${reason}; here, any end counts`, 'sidecar', {
      ...listing('sidecar'),
      containers: [container('main', { ...exited(137), reason }), sidecar],
    });
  }
  mistake('does nothing if one of the sidecars has ended; here, the others are ended', 'sidecar, logging', {
    ...listing('sidecar,logging'),
    containers: [main, sidecar, container('logging', exited(0))],
  });
  mistake('does nothing if a name in the list is misspelt', 'sidecar', listing('sidecar,loging'));
  mistake('does not accept a space after a comma', 'logging, sidecar', {
    ...listing('logging, sidecar'),
    containers: [main, container('logging', running), sidecar],
  });
  mistake('ends sidecars between two runs of a main under OnFailure', 'MainWillRestart', {
    restartPolicy: 'OnFailure',
    containers: [failed, sidecar],
  });
  mistake('in Riskified’s fork, ends everything if the main is misspelt', 'NoSidecar, MainRunning', {
    annotations: { 'riskified.com/main_sidecars': 'main,hepler' },
    containers: [main, container('helper', running)],
  });
});

describe('Argo Workflows', () => {
  const argo = (...containers: PodView['containers']) => ({
    annotations: {},
    owner: { group: 'argoproj.io', kind: 'Workflow', name: 'w', uid: 'u' },
    argo: { mains: ['main'] },
    containers,
  });
  const wait = container('wait', exited());

  mistake('signals `wait` while it uploads artifacts (#12919); here, it is a main', 'MainRunning', {
    ...argo(container('wait', running), main, container('istio-proxy', running)),
  });
  mistake('ends the other containers of a set when the first has failed', 'MainRunning', {
    ...argo(wait, container('a', exited(1)), container('b', running), sidecar),
    argo: { mains: ['a', 'b'] },
  });
  mistake('never ends the sidecars of artifact garbage collection, without `wait` (#13576)', 'sidecar', {
    ...argo(main, sidecar),
  });
  mistake('takes an OOM-killed sidecar (137) for one that it has ended (PR 15153)', 'NoRunningSidecar', {
    ...argo(wait, main, container('sidecar', { ...exited(137), reason: 'OOMKilled' })),
  });
});

describe('hahaha', () => {
  mistake(
    'treats only the container named by the label `app` as a main, and ends the others',
    'MainRunning',
    {
      labels: { app: 'work' },
      containers: [container('work', exited()), container('second', running), sidecar],
    },
  );
  mistake('recognises sidecars only by name', 'NoSidecar, MainRunning', {
    annotations: {},
    containers: [main, container('cloudsql-proxy', running, { image: 'acme/importer:3' })],
  });
});

describe('OpenKruise', () => {
  it('needs a variable that sidecars injected by others lack; here, the Job’s template is enough', () => {
    const facts = { jobContainers: new Map([[podView().owner?.uid ?? '', ['main']]]) };
    expect(outcomeOf(podView({ annotations: {} }), facts)).toBe('sidecar');
  });

  mistake('leaves a pod under OnFailure alone even if the main’s own policy is Never', 'sidecar', {
    restartPolicy: 'OnFailure',
    containers: [container('main', exited(1), { restartPolicy: 'Never' }), sidecar],
  });
});

describe('uds-core', () => {
  mistake('at first left the pods of failed Jobs stuck (#687)', 'sidecar', { containers: [failed, sidecar] });

  it('acted on missing statuses (#54, #122); here, such a pod is not judged', () => {
    expect(outcomeOf(narrowed(apiPod({ status: { containerStatuses: undefined } })))).toBe('Undecided');
  });
});

describe('kubernetes-sidecar-cleaner', () => {
  for (const group of [undefined, 'sparkoperator.k8s.io']) {
    mistake(`supports only pods of Jobs, not of ${group}`, 'sidecar', {
      owner: group === undefined ? undefined : { group, kind: 'SparkApplication', name: 's', uid: 'u' },
    });
  }
});

describe('scuttle, Kuma, gcs-fuse and all the others', () => {
  mistake(
    'ignore restart rules (Kubernetes 1.34), which restart a main even under Never',
    'MainWillRestart',
    {
      containers: [container('main', exited(42), { restartRules: [restartIn(42)] }), sidecar],
    },
  );
  mistake('ignore that a sidecar’s rule can restart the main (Kubernetes 1.35)', 'RestartsOthers', {
    containers: [main, { ...sidecar, restartRules: [{ ...restartIn(143), action: 'RestartAllContainers' }] }],
  });
});

describe('kube-janitor and Tekton', () => {
  mistake('use the age of the pod; here, the time since its work was done counts', 'TooYoung', {
    containers: [
      container('main', exited(0, now - minute)),
      container('sidecar', { kind: 'Running', startedAt: now - 9 * hour }),
    ],
  });
  mistake('end every container that is not a step; here, unknown ones are mains', 'MainRunning', {
    containers: [main, container('unknown', running), sidecar],
  });
});

it('native sidecars and init containers are neither mains nor targets', () => {
  const pod = apiPod({
    metadata: { annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,mesh' } },
    spec: { initContainers: [apiContainer('mesh', { restartPolicy: 'Always' }), apiContainer('setup')] },
    status: {
      initContainerStatuses: [
        apiStatus('mesh', { running: {} }),
        apiStatus('setup', { terminated: { exitCode: 0 } }),
      ],
      ephemeralContainerStatuses: [apiStatus('debug', { running: {} })],
    },
  });
  expect(judge(narrowed(pod), policy(), now, noFacts)).toMatchObject({
    kind: 'Candidate',
    mains: [{ name: 'main' }],
    sidecars: [{ container: { name: 'sidecar' } }],
    remarks: [],
  });
});
