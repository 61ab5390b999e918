import { describe, expect, it } from 'vitest';
import { judge } from '../../../../src/judge/judge.ts';
import { narrowed } from '../../../builders/narrowed.ts';
import { noFacts, policy } from '../../../builders/policy.ts';
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
  const recordedPod = (name: string) => byName.get(name) ?? expect.fail(`no recorded pod ${name}`);

  it('that is stuck has these facts', () => {
    expect(before.get('term-clean-exit')).toMatchObject({
      ref: { namespace: 'demo', name: 'never-clean-pqt5l', uid: 'd6ec8454-e621-4898-86cd-51b1420db9ab' },
      phase: 'Running',
      deleting: false,
      restartPolicy: 'Never',
      processNamespace: 'Container',
      grace: 5_000,
      awaitsJobTracking: true,
    });
  });

  it('that is stuck has an ended main container, with exit code and time', () => {
    expect(before.get('onfailure-unclean-restarts')?.containers[0]).toMatchObject({
      name: 'main',
      image: 'docker.io/local/busybox:1',
      state: { kind: 'Terminated', exitCode: 0, finishedAt: Date.parse('2026-11-21T03:34:17Z') },
    });
  });

  it('with a restarted sidecar has the new instance and the last exit code', () => {
    expect(recordedPod('onfailure-unclean-dlbtq').containers[1]).toMatchObject({
      id: 'containerd://cd92f09849499291ca760c51d50cfb7fb95e1d601275d3086dc101bfd5d6440b',
      restartCount: 1,
      lastExitCode: 143,
      state: { kind: 'Running', startedAt: Date.parse('2026-11-21T03:35:33Z') },
    });
  });

  it('whose sidecar image cannot be pulled is waiting', () => {
    const { phase, containers } = recordedPod('image-pull-4pj6v');
    expect(phase).toBe('Pending');
    expect(containers[1]?.state.kind).toBe('Waiting');
  });

  it('with a shared PID namespace', () => {
    expect(recordedPod('shared-pid-7m49d').processNamespace).toBe('Pod');
  });

  it('with a native sidecar does not have it among the regular containers', () => {
    const { containers, nativeSidecars } = recordedPod('native-7km5w');
    expect(containers.map(({ name }) => name)).toEqual(['main']);
    expect(nativeSidecars.map(({ name }) => name)).toEqual(['native']);
  });

  it('with an ephemeral container does not have it among the regular containers', () => {
    expect(recordedPod('ephemeral-tvgbq').containers.map(({ name }) => name)).toEqual(['main', 'sidecar']);
  });

  it('with annotations', () => {
    expect(recordedPod('argo-annotated-447qm').annotations).toEqual({
      'nrmitchi.com/sidecars': 'sidecar',
      'workflows.argoproj.io/kill-cmd-sidecar': '["sh", "-c", "kill -%d 1"]',
    });
  });

  it('that its Job has counted no longer awaits job tracking', () => {
    expect(recordedPod('never-clean-pqt5l').awaitsJobTracking).toBe(false);
    expect(recordedPod('never-unclean-sd7r4').awaitsJobTracking).toBe(true);
  });

  it('with a crash-looping main container is not a candidate', () => {
    const pod = before.get('crashlooping-main-is-not-done') ?? expect.fail('not recorded');
    const annotations = { 'sidecar-sweeper.dev/sidecars': 'sidecar' };
    const verdict = judge(
      { ...pod, annotations },
      policy({ minAge: 0 }),
      Date.parse('2026-11-22T00:00:00Z'),
      noFacts,
    );
    expect(verdict).toMatchObject({ kind: 'Excluded', because: [{ container: 'main' }] });
  });
});
