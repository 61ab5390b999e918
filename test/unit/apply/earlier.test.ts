import { describe, expect, it } from 'vitest';
import { createEarlierUnclean } from '../../../src/apply/earlier.ts';
import { createSlots } from '../../../src/apply/slots.ts';
import type { Candidate, ContainerView, Owner, PodView } from '../../../src/types.ts';
import { candidate } from '../../builders/plan.ts';
import { container, exited, hour, minute, now, podView, running } from '../../builders/pod-view.ts';

const image = 'docker.io/local/busybox:1';
const { signal } = new AbortController();

/** A pod whose main ended an hour ago, and this sidecar of it. */
function withSidecar(more: Partial<ContainerView> = {}, pod: Partial<PodView> = {}): Candidate {
  return candidate(
    podView({ containers: [container('main', exited()), container('sidecar', running, more)], ...pod }),
  );
}

/** A failed pod of the Job: its containers ended with these codes. */
function failedPod(exitCodes: Readonly<Record<string, number>>): PodView {
  const containers = Object.entries(exitCodes).map(([name, code]) => container(name, exited(code)));
  return podView({ phase: 'Failed', containers });
}

/** The images that are known to have ended unclean, and the Jobs that were asked about. */
function history(failed: readonly PodView[] = []) {
  const asked: (readonly [namespace: string, job: Owner])[] = [];
  const cluster = {
    async listFailedPods(namespace: string, job: Owner) {
      asked.push([namespace, job]);
      return failed;
    },
  };
  return { earlier: createEarlierUnclean(cluster, createSlots(1), signal), asked };
}

describe('a sidecar that was restarted ended unclean before', () => {
  const restart = { restartCount: 1, lastExitCode: 143, lastFinishedAt: now - minute };

  it.each<readonly [title: string, more: Partial<ContainerView>, isKnown: boolean]>([
    ['after the main had ended', restart, true],
    ['in the moment in which the main ended', { ...restart, lastFinishedAt: now - hour }, true],
    [
      'but not before the main had ended: nobody had asked it to',
      { ...restart, lastFinishedAt: now - 2 * hour },
      false,
    ],
    ['but not when it had ended with 0', { ...restart, lastExitCode: 0 }, false],
    ['but not when nobody knows how', { restartCount: 1, lastFinishedAt: now }, false],
    ['but not when nobody knows when', { restartCount: 1, lastExitCode: 143 }, false],
    ['but not when it never was', {}, false],
  ])('%s', async (_title, more, isKnown) => {
    const { earlier } = history();
    expect([...(await earlier(withSidecar(more)))]).toEqual(isKnown ? [image] : []);
    const ofNobody = withSidecar(more, { owner: undefined });
    expect([...(await earlier(ofNobody))]).toEqual(isKnown ? [image] : []);
  });
});

describe('a failed pod of the same Job tells', () => {
  it.each<readonly [title: string, exitCodes: Readonly<Record<string, number>>, isKnown: boolean]>([
    ['that the sidecar ended unclean after finished work', { main: 0, sidecar: 143 }, true],
    ['nothing when its main had failed: that is why it did', { main: 7, sidecar: 143 }, false],
    ['nothing when the sidecar had ended clean', { main: 0, sidecar: 0 }, false],
    ['nothing of a sidecar that it does not have', { main: 0, other: 143 }, false],
    ['nothing when it does not have the main', { sidecar: 143 }, false],
  ])('%s', async (_title, exitCodes, isKnown) => {
    const { earlier } = history([failedPod(exitCodes)]);
    expect([...(await earlier(withSidecar()))]).toEqual(isKnown ? [image] : []);
  });

  it('of each of two sidecars', async () => {
    const { earlier } = history([failedPod({ main: 0, a: 143, b: 0 }), failedPod({ main: 0, a: 0, b: 137 })]);
    const two = candidate(
      podView({
        annotations: { 'sidecar-sweeper.dev/sidecars': 'a,b' },
        containers: [
          container('main', exited()),
          container('a', running, { image: 'a:1' }),
          container('b', running, { image: 'b:1' }),
        ],
      }),
    );
    expect([...(await earlier(two))].sort()).toEqual(['a:1', 'b:1']);
  });

  it('nothing when a container of it still runs', async () => {
    const failed = podView({
      phase: 'Failed',
      containers: [container('main', exited()), container('sidecar', running)],
    });
    expect([...(await history([failed]).earlier(withSidecar()))]).toEqual([]);
  });
});

describe('the cluster is asked', () => {
  it('once for each Job, in its namespace', async () => {
    const { earlier, asked } = history();
    const other: Owner = { kind: 'Job', name: 'other', uid: 'job-2' };
    const { owner } = podView();
    await Promise.all([
      earlier(withSidecar()),
      earlier(withSidecar()),
      earlier(withSidecar({}, { owner: other })),
    ]);
    expect(asked).toEqual([
      ['demo', owner],
      ['demo', other],
    ]);
  });

  it.each<Owner | undefined>([undefined, { kind: 'Workflow', name: 'work', uid: 'w' }])(
    'nothing about a pod of no Job: %j',
    async (owner) => {
      const { earlier, asked } = history([failedPod({ main: 0, sidecar: 143 })]);
      expect([...(await earlier(withSidecar({}, { owner })))]).toEqual([]);
      expect(asked).toEqual([]);
    },
  );
});
