import { describe, expect, it } from 'vitest';
import { narrowed } from '../../../builders/api-pod.ts';
import { podsAfter, podsBefore } from '../../../builders/recordings.ts';

describe('every recorded pod', () => {
  const recorded = [...podsBefore(), ...podsAfter().map((pod) => [narrowed(pod).ref.name, pod] as const)];

  it('is present', () => {
    expect(recorded.length).toBeGreaterThan(40);
  });

  it.each(recorded)('%s: has a known state for each container, and no problems', (_name, pod) => {
    const { containers, statusProblems, owner, node } = narrowed(pod);
    expect(statusProblems).toEqual([]);
    expect(containers.map(({ state }) => state.kind)).not.toContain('Unreported');
    expect(owner?.kind).toBe('Job');
    expect(node).toBe('node1');
  });
});

describe('a recorded pod', () => {
  const byName = new Map(podsAfter().map((pod) => [narrowed(pod).ref.name, narrowed(pod)]));
  const before = new Map(podsBefore().map(([name, pod]) => [name, narrowed(pod)]));

  it('that is stuck has these facts', () => {
    const uid = 'd6ec8454-e621-4898-86cd-51b1420db9ab';
    expect(before.get('term-clean-exit')).toMatchObject({
      ref: { namespace: 'demo', name: 'never-clean-pqt5l', uid },
      ...{ phase: 'Running', deleting: false, restartPolicy: 'Never', awaitsJobTracking: true },
      ...{ processNamespace: 'Container', grace: 5_000 },
    });
    const state = { kind: 'Terminated', exitCode: 0, finishedAt: Date.parse('2026-11-21T03:34:17Z') };
    const main = { name: 'main', image: 'docker.io/local/busybox:1', state };
    expect(before.get('onfailure-unclean-restarts')?.containers[0]).toMatchObject(main);
  });

  const restarted = {
    id: 'containerd://cd92f09849499291ca760c51d50cfb7fb95e1d601275d3086dc101bfd5d6440b',
    restartCount: 1,
    lastExitCode: 143,
    state: { kind: 'Running', startedAt: Date.parse('2026-11-21T03:35:33Z') },
  };
  const argo = {
    'nrmitchi.com/sidecars': 'sidecar',
    'workflows.argoproj.io/kill-cmd-sidecar': '["sh", "-c", "kill -%d 1"]',
  };
  const [main, sidecar] = [{ name: 'main' }, { name: 'sidecar' }];

  // biome-ignore format: one row a line
  it.each([
    ['with a restarted sidecar', 'onfailure-unclean-dlbtq', { containers: [main, restarted] }],
    ['that pulls in vain', 'image-pull-4pj6v', { phase: 'Pending', containers: [{}, { state: { kind: 'Waiting' } }] }],
    ['with a shared PID namespace', 'shared-pid-7m49d', { processNamespace: 'Pod' }],
    ['with a native sidecar', 'native-7km5w', { containers: [main], nativeSidecars: [{ name: 'native' }] }],
    ['with an ephemeral container', 'ephemeral-tvgbq', { containers: [main, sidecar] }],
    ['with annotations', 'argo-annotated-447qm', { annotations: argo }],
    ['that its Job has counted', 'never-clean-pqt5l', { awaitsJobTracking: false }],
    ['that its Job has not counted', 'never-unclean-sd7r4', { awaitsJobTracking: true }],
  ])('%s', (_title, name, facts) => {
    expect(byName.get(name)).toMatchObject(facts);
  });
});
