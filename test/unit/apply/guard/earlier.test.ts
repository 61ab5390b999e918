import { describe, expect, it } from 'vitest';
import { createEarlierUnclean } from '../../../../src/apply/guard/earlier.ts';
import type { ContainerState, ContainerView, PodView } from '../../../../src/model/pod.ts';
import type { Candidate } from '../../../../src/model/verdict.ts';
import { likenessOf } from '../../../../src/plan/alike.ts';
import { createSlots } from '../../../../src/util/concurrency.ts';
import { candidate } from '../../../builders/plan.ts';
import { container, exited, hour, minute, now, podView, running } from '../../../builders/pod-view.ts';

/** How a container of an image is started that sets nothing. */
function like(image = 'docker.io/local/busybox:1', args?: readonly string[]): string {
  return likenessOf([])(container('sidecar', running, { image, args }));
}

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

/** How the containers were started that a sweep of these pods knows to have ended unclean, and the namespaces that were asked. */
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
    [
      'but not when it never was, whatever is said of an instance before it',
      { ...restart, restartCount: 0 },
      false,
    ],
  ])('%s', async (_title, more, isKnown) => {
    const expected = isKnown ? [like()] : [];
    expect(await history([withSidecar(more)]).known()).toEqual(expected);
    expect(await history([withSidecar(more, { owner: undefined })]).known()).toEqual(expected);
    // Whichever of the pods asks.
    expect(await history([withSidecar(), withSidecar(more)]).known()).toEqual(expected);
  });
});

describe('a sidecar beside one that runs on tells of its own end', () => {
  it.each<readonly [title: string, state: ContainerState, isKnown: boolean]>([
    ['unclean', exited(143, now - minute), true],
    ['but not if it was clean', exited(0, now - minute), false],
    ['but not if it ended before the main', exited(143, now - 2 * hour), false],
  ])('%s', async (_title, state, isKnown) => {
    const ended = container('ended', state, { image: 'ended:1' });
    const containers = [container('main', exited()), container('sidecar', running), ended];
    const annotations = { 'sidecar-sweeper.dev/sidecars': 'sidecar,ended' };
    const both = candidate(podView({ containers, annotations }));
    expect(await history([both]).known()).toEqual(isKnown ? [like('ended:1')] : []);
  });
});

describe('a failed pod of a Job tells', () => {
  it.each<readonly [title: string, exitCodes: Readonly<Record<string, number>>, isKnown: boolean]>([
    ['that the sidecar ended unclean after finished work', { main: 0, sidecar: 143 }, true],
    ['so whatever the main is called', { worker: 0, sidecar: 143 }, true],
    ['nothing when its main had failed: that is why it did', { main: 7, sidecar: 143 }, false],
    ['nothing when one of its mains had failed', { main: 0, worker: 7, sidecar: 143 }, false],
    ['nothing when the sidecar had ended clean', { main: 0, sidecar: 0 }, false],
    ['nothing of a container that is no sidecar in this sweep', { main: 0, other: 143 }, false],
    ['nothing when it has no main', { sidecar: 143 }, false],
  ])('%s', async (_title, exitCodes, isKnown) => {
    const { known } = history([withSidecar()], [failedPod(exitCodes)]);
    expect(await known()).toEqual(isKnown ? [like()] : []);
  });

  describe('of each of two sidecars', () => {
    const withTwo = (a: ContainerState, b: ContainerState, phase = 'Failed') =>
      podView({
        phase,
        annotations: { 'sidecar-sweeper.dev/sidecars': 'a,b' },
        containers: [
          container('main', exited()),
          container('a', a, { image: 'a:1' }),
          container('b', b, { image: 'b:1' }),
        ],
      });
    const known = (...failed: readonly PodView[]) =>
      history([candidate(withTwo(running, running, 'Running'))], failed).known();

    it('how it ended', async () => {
      const failed = withTwo(exited(143), exited(0));
      expect(await known(failed, withTwo(exited(0), exited(137)))).toEqual([like('a:1'), like('b:1')]);
      expect(await known(failed)).toEqual([like('a:1')]);
    });

    it('nothing while the other one still runs', async () => {
      expect(await known(withTwo(exited(143), running))).toEqual([]);
    });
  });

  it('nothing of another image under the same name', async () => {
    const other = podView({
      phase: 'Failed',
      containers: [container('main', exited()), container('sidecar', exited(143), { image: 'other:1' })],
    });
    expect(await history([withSidecar()], [other]).known()).toEqual([]);
  });

  it('nothing of what is started otherwise', async () => {
    const sidecar = container('sidecar', exited(143), { args: ['--drain'] });
    const other = podView({ phase: 'Failed', containers: [container('main', exited()), sidecar] });
    const known = await history([withSidecar()], [other]).known();
    expect(known).toEqual([like(undefined, ['--drain'])]);
    expect(known).not.toContain(like());
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

  it('nothing when the sidecar had ended before the last of two mains', async () => {
    const crashed = podView({
      phase: 'Failed',
      containers: [
        container('early', exited(0, now - 3 * hour)),
        container('late', exited()),
        container('sidecar', exited(143, now - 2 * hour)),
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
