import { describe, expect, it } from 'vitest';
import { createEarlierUnclean } from '../../../src/apply/earlier.ts';
import { createSlots } from '../../../src/apply/slots.ts';
import type { Candidate, ContainerView, PodView } from '../../../src/vocabulary.ts';
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

/** The images that are known to have ended unclean to a sweep of these pods, and the namespaces that were asked. */
function history(candidates: readonly Candidate[], failed: readonly PodView[] = []) {
  const asked: (readonly string[])[] = [];
  const cluster = {
    async listFailedPods(namespaces: readonly string[]) {
      asked.push(namespaces);
      return failed;
    },
  };
  const scope = { namespaces: ['demo', 'other'], labelSelector: 'app=work' };
  const slots = createSlots(1);
  const known = createEarlierUnclean({ cluster, scope, candidates, slots, cut: signal });
  return { known: async () => [...(await known())].sort(), asked };
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
    const expected = isKnown ? [image] : [];
    expect(await history([withSidecar(more)]).known()).toEqual(expected);
    expect(await history([withSidecar(more, { owner: undefined })]).known()).toEqual(expected);
    // Whichever of the pods asks.
    expect(await history([withSidecar(), withSidecar(more)]).known()).toEqual(expected);
  });
});

describe('a failed pod of a Job tells', () => {
  it.each<readonly [title: string, exitCodes: Readonly<Record<string, number>>, isKnown: boolean]>([
    ['that the sidecar ended unclean after finished work', { main: 0, sidecar: 143 }, true],
    ['so whatever the main is called', { worker: 0, sidecar: 143 }, true],
    ['nothing when its main had failed: that is why it did', { main: 7, sidecar: 143 }, false],
    ['nothing when the sidecar had ended clean', { main: 0, sidecar: 0 }, false],
    ['nothing of a container that is no sidecar in this sweep', { main: 0, other: 143 }, false],
    ['nothing when it has no main', { sidecar: 143 }, false],
  ])('%s', async (_title, exitCodes, isKnown) => {
    const { known } = history([withSidecar()], [failedPod(exitCodes)]);
    expect(await known()).toEqual(isKnown ? [image] : []);
  });

  it('of each of two sidecars', async () => {
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
    const failed = (a: number, b: number) =>
      podView({
        phase: 'Failed',
        containers: [
          container('main', exited()),
          container('a', exited(a), { image: 'a:1' }),
          container('b', exited(b), { image: 'b:1' }),
        ],
      });
    expect(await history([two], [failed(143, 0), failed(0, 137)]).known()).toEqual(['a:1', 'b:1']);
    expect(await history([two], [failed(143, 0)]).known()).toEqual(['a:1']);
  });

  it('nothing of another image under the same name', async () => {
    const other = podView({
      phase: 'Failed',
      containers: [container('main', exited()), container('sidecar', exited(143), { image: 'other:1' })],
    });
    expect(await history([withSidecar()], [other]).known()).toEqual([]);
  });

  it('nothing when the sidecar had ended before the main: nobody had asked it to', async () => {
    const early = exited(143);
    const crashed = podView({
      phase: 'Failed',
      containers: [
        container('main', exited()),
        container('sidecar', { ...early, finishedAt: now - 2 * hour }),
      ],
    });
    expect(await history([withSidecar()], [crashed]).known()).toEqual([]);
  });

  it('nothing when a container of it still runs', async () => {
    const failed = podView({
      phase: 'Failed',
      containers: [
        container('main', exited()),
        container('sidecar', exited(143)),
        container('late', running),
      ],
    });
    expect(await history([withSidecar()], [failed]).known()).toEqual([]);
  });
});

it('the cluster is asked once, in the namespaces of the sweep', async () => {
  const { known, asked } = history([withSidecar()]);
  expect(asked).toEqual([]);
  await Promise.all([known(), known(), known()]);
  expect(asked).toEqual([['demo', 'other']]);
});
