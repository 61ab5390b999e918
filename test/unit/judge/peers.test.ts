import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import type { PodView } from '../../../src/model/pod.ts';
import type { Facts } from '../../../src/model/reading.ts';
import type { Candidate, Exclusion, Verdict } from '../../../src/model/verdict.ts';
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
  waiting,
} from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

// Each title is a mistake of another tool, from its source and issues. The test shows that the sweeper avoids
// it.
function verdictOn(pod: PodView, facts: Partial<Facts> = {}): Verdict {
  return judge(pod, policy(), now, { ...noFacts, ...facts });
}

function candidate(pod: PodView, facts: Partial<Facts> = {}): Candidate {
  const verdict = verdictOn(pod, facts);
  if (verdict.kind !== 'Candidate') expect.fail(`not a candidate: ${JSON.stringify(verdict)}`);
  return verdict;
}

function reasons(pod: PodView): readonly Exclusion['kind'][] {
  const verdict = verdictOn(pod);
  if (verdict.kind !== 'Excluded') expect.fail(`not left alone: ${verdict.kind}`);
  return verdict.because.map(({ kind }) => kind);
}

function sidecarsOf(pod: PodView, facts: Partial<Facts> = {}): readonly string[] {
  return candidate(pod, facts).sidecars.map(({ container: { name } }) => name);
}

const main = container('main', exited());
const sidecar = container('sidecar', running);
const nrmitchi = (list: string) => ({ 'nrmitchi.com/sidecars': list });

describe('k8s-controller-sidecars', () => {
  it('never ends a sidecar whose readiness probe fails; here, readiness is ignored', () => {
    const containerStatuses = [
      apiStatus('main', { terminated: { exitCode: 0, finishedAt: new Date(now - hour).toISOString() } }),
      apiStatus('sidecar', { running: {} }, { ready: false, started: false }),
    ];
    const pod = narrowed(
      apiPod({ metadata: { annotations: nrmitchi('sidecar') }, status: { containerStatuses } }),
    );
    expect(sidecarsOf(pod)).toEqual(['sidecar']);
  });

  it.each(['OOMKilled', 'ContainerCannotRun', 'DeadlineExceeded', 'StartError'])(
    'never ends the sidecar of a main container that ended with %s; here, any end counts',
    (reason) => {
      const ended = container('main', { ...exited(137), reason });
      expect(sidecarsOf(podView({ annotations: nrmitchi('sidecar'), containers: [ended, sidecar] }))).toEqual(
        ['sidecar'],
      );
    },
  );

  it('does nothing if one of the listed sidecars has already ended; here, the others are ended', () => {
    const containers = [main, sidecar, container('logging', exited(0))];
    const pod = podView({ annotations: nrmitchi('sidecar,logging'), containers });
    expect(sidecarsOf(pod)).toEqual(['sidecar', 'logging']);
  });

  it('does nothing if a name in the list is misspelt; here, this is a remark', () => {
    const verdict = candidate(podView({ annotations: nrmitchi('sidecar,loging') }));
    expect(verdict.remarks).toEqual([
      { kind: 'UnknownContainer', key: 'nrmitchi.com/sidecars', container: 'loging' },
    ]);
  });

  it('does not accept a space after a comma', () => {
    const containers = [main, container('logging', running), sidecar];
    expect(sidecarsOf(podView({ annotations: nrmitchi('logging, sidecar'), containers }))).toEqual([
      'logging',
      'sidecar',
    ]);
  });

  it('ends sidecars between two runs of a main container under OnFailure', () => {
    const containers = [container('main', exited(1)), sidecar];
    expect(
      reasons(podView({ restartPolicy: 'OnFailure', annotations: nrmitchi('sidecar'), containers })),
    ).toEqual(['MainWillRestart']);
  });

  it('sends TERM on every update while the pod is being deleted', () => {
    expect(reasons(podView({ deleting: true, annotations: nrmitchi('sidecar') }))).toEqual(['BeingDeleted']);
  });

  it('accepts pods in any phase', () => {
    expect(reasons(podView({ phase: 'Unknown', annotations: nrmitchi('sidecar') }))).toEqual(['NotRunning']);
  });

  it('ignores a waiting main container', () => {
    const containers = [main, container('second', waiting('CrashLoopBackOff')), sidecar];
    expect(reasons(podView({ annotations: nrmitchi('sidecar'), containers }))).toEqual(['MainWaiting']);
  });

  it('in Riskified’s fork, ends all ready containers if the main container is misspelt; here, none', () => {
    const annotations = { 'riskified.com/main_sidecars': 'main,hepler' };
    const containers = [main, container('helper', running)];
    expect(reasons(podView({ annotations, containers }))).toEqual(['NoSidecar', 'MainRunning']);
  });
});

describe('Argo Workflows', () => {
  const argo = (more: Partial<PodView>) =>
    podView({
      annotations: {},
      owner: { group: 'argoproj.io', kind: 'Workflow', name: 'w', uid: 'u' },
      argo: { mains: ['main'] },
      ...more,
    });

  it('signals `wait` while it uploads artifacts (#12919); here, it is a main container', () => {
    const containers = [container('wait', running), main, container('istio-proxy', running)];
    expect(reasons(argo({ containers }))).toEqual(['MainRunning']);
  });

  it('ends the other containers of a set when the first has failed; here, all of them must end', () => {
    const containers = [
      container('wait', exited()),
      container('a', exited(1)),
      container('b', running),
      sidecar,
    ];
    expect(reasons(argo({ argo: { mains: ['a', 'b'] }, containers }))).toEqual(['MainRunning']);
  });

  it('never ends the sidecars of artifact garbage collection pods, which have no `wait` (#13576)', () => {
    expect(sidecarsOf(argo({ containers: [main, container('istio-proxy', running)] }))).toEqual([
      'istio-proxy',
    ]);
  });

  it('mistakes an OOM-killed sidecar (137) for one that it has ended itself (PR 15153)', () => {
    const oom = container('sidecar', { ...exited(137), reason: 'OOMKilled' });
    const containers = [container('wait', exited()), main, oom];
    expect(reasons(argo({ containers }))).toEqual(['NoRunningSidecar']);
  });

  it('deletes a pending pod; here, it is left alone', () => {
    expect(reasons(argo({ phase: 'Pending', containers: [main, sidecar] }))).toEqual(['NotRunning']);
  });
});

describe('hahaha', () => {
  it('treats only the container named by the label `app` as a main container, and ends the others', () => {
    const containers = [container('work', exited()), container('second', running), sidecar];
    expect(reasons(podView({ labels: { app: 'work' }, containers }))).toEqual(['MainRunning']);
  });

  it('keeps failing on a pod without that label', () => {
    expect(sidecarsOf(podView({ labels: {} }))).toEqual(['sidecar']);
  });

  it('recognises sidecars only by name', () => {
    const named = container('cloudsql-proxy', running, { image: 'acme/importer:3' });
    expect(reasons(podView({ annotations: {}, containers: [main, named] }))).toEqual([
      'NoSidecar',
      'MainRunning',
    ]);
  });

  it('acts between two runs of a main container under OnFailure', () => {
    expect(
      reasons(podView({ restartPolicy: 'OnFailure', containers: [container('main', exited(2)), sidecar] })),
    ).toEqual(['MainWillRestart']);
  });

  it('acts on a waiting sidecar, which has no process to end', () => {
    const containers = [main, container('sidecar', waiting('CrashLoopBackOff'))];
    expect(reasons(podView({ containers }))).toEqual(['NoRunningSidecar']);
  });
});

describe('OpenKruise', () => {
  it('needs a variable that sidecars injected by others lack; here, the Job’s template is enough', () => {
    const facts = { jobContainers: new Map([[podView().owner?.uid ?? '', ['main']]]) };
    expect(sidecarsOf(podView({ annotations: {} }), facts)).toEqual(['sidecar']);
  });

  it('leaves a pod under OnFailure alone even if the main container’s own policy is Never', () => {
    const containers = [container('main', exited(1), { restartPolicy: 'Never' }), sidecar];
    expect(sidecarsOf(podView({ restartPolicy: 'OnFailure', containers }))).toEqual(['sidecar']);
  });
});

describe('uds-core', () => {
  it('at first left the pods of failed Jobs stuck (#687)', () => {
    expect(sidecarsOf(podView({ containers: [container('main', exited(1)), sidecar] }))).toEqual(['sidecar']);
  });

  it('then ended sidecars between two runs of the main container (#913)', () => {
    expect(
      reasons(podView({ restartPolicy: 'OnFailure', containers: [container('main', exited(1)), sidecar] })),
    ).toEqual(['MainWillRestart']);
  });

  it('acted on missing statuses (#54, #122); here, such a pod is not judged', () => {
    const pod = narrowed(apiPod({ status: { containerStatuses: undefined } }));
    expect(verdictOn(pod)).toMatchObject({ kind: 'Undecided' });
  });
});

describe('kubernetes-sidecar-cleaner', () => {
  it('treats a main container that was OOM-killed under OnFailure as ended for good', () => {
    const oom = container('main', { ...exited(137), reason: 'OOMKilled' });
    expect(reasons(podView({ restartPolicy: 'OnFailure', containers: [oom, sidecar] }))).toEqual([
      'MainWillRestart',
    ]);
  });

  it('supports only pods of Jobs', () => {
    for (const owner of [
      undefined,
      { group: 'sparkoperator.k8s.io', kind: 'SparkApplication', name: 's', uid: 'u' },
    ]) {
      expect(sidecarsOf(podView({ owner }))).toEqual(['sidecar']);
    }
  });
});

describe('sidecar-terminator', () => {
  it('fails under OnFailure if a main container has not ended', () => {
    for (const state of [running, waiting(), { kind: 'Unreported' } as const]) {
      const pod = podView({ restartPolicy: 'OnFailure', containers: [container('main', state), sidecar] });
      expect(verdictOn(pod).kind).toBe('Excluded');
    }
  });
});

describe('scuttle', () => {
  it('ends the proxy although its main container is about to restart (PR 13)', () => {
    const rules = [restartIn(42)];
    const containers = [container('main', exited(42), { restartRules: rules }), sidecar];
    expect(reasons(podView({ containers }))).toEqual(['MainWillRestart']);
  });
});

describe('Kuma, gcs-fuse and all the others', () => {
  it('ignore restart rules (Kubernetes 1.34), which restart a main container even under Never', () => {
    const containers = [container('main', exited(3), { restartRules: [restartIn(3)] }), sidecar];
    expect(reasons(podView({ restartPolicy: 'Never', containers }))).toEqual(['MainWillRestart']);
  });

  it('ignore that a sidecar’s rule can restart the main container (Kubernetes 1.35)', () => {
    const rule = { ...restartIn(143), action: 'RestartAllContainers' };
    expect(reasons(podView({ containers: [main, { ...sidecar, restartRules: [rule] }] }))).toEqual([
      'RestartsOthers',
    ]);
  });
});

describe('kube-janitor', () => {
  it('uses the age of the pod; here, the time since its work was done counts', () => {
    const containers = [
      container('main', exited(0, now - minute)),
      container('sidecar', { kind: 'Running', startedAt: now - 9 * hour }),
    ];
    expect(reasons(podView({ containers }))).toEqual(['TooYoung']);
  });
});

describe('gcs-fuse', () => {
  it('uses statuses that are unreliable while the pod is being deleted (kubernetes#106896)', () => {
    expect(reasons(podView({ deleting: true }))).toEqual(['BeingDeleted']);
  });
});

describe('Tekton', () => {
  it('ends every container that is not a step; here, unknown containers are main containers', () => {
    const containers = [main, container('unknown', running), sidecar];
    expect(reasons(podView({ containers }))).toEqual(['MainRunning']);
  });
});

describe('native sidecars', () => {
  it('are neither main containers nor targets', () => {
    const pod = narrowed(
      apiPod({
        metadata: { annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,mesh' } },
        spec: { initContainers: [apiContainer('mesh', { restartPolicy: 'Always' }), apiContainer('setup')] },
        status: {
          initContainerStatuses: [
            apiStatus('mesh', { running: {} }),
            apiStatus('setup', { terminated: { exitCode: 0 } }),
          ],
          ephemeralContainerStatuses: [apiStatus('debug', { running: {} })],
        },
      }),
    );
    const verdict = candidate(pod);
    expect(verdict.mains.map(({ name }) => name)).toEqual(['main']);
    expect(verdict.sidecars.map(({ container: { name } }) => name)).toEqual(['sidecar']);
    expect(verdict.remarks).toEqual([]);
  });
});
