import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/judge/judge.ts';
import { stepSpec } from '../../../src/methods/index.ts';
import type { PodView } from '../../../src/vocabulary/pod.ts';
import { container, exited, hour, now, podView, running, waiting } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

const noop = 'registry.example/noop:1';
const swapping = policy({ swap: stepSpec.parse({ imageSwap: { image: noop } }) });

/** A pod whose sidecar ended after a swap, and waits. */
function between(reason: string, more: Partial<PodView> = {}, image = noop): PodView {
  const containers = [container('main', exited()), container('sidecar', waiting(reason), { image })];
  return podView({ containers, ...more });
}

function kindOf(pod: PodView, used = swapping): string {
  return judge(pod, used, now, noFacts).kind;
}

describe('a pod whose sidecar has ended and cannot start again', () => {
  it('has a verdict of its own, with what it is stuck on', () => {
    const pod = between('ImagePullBackOff');
    expect(judge(pod, swapping, now, noFacts)).toEqual({
      kind: 'NotStartedAgain',
      pod,
      mains: [expect.objectContaining({ name: 'main', exitCode: 0 })],
      sidecars: [expect.objectContaining({ container: pod.containers[1] })],
      mainsEndedAt: now - hour,
      remarks: [],
    });
  });

  it.each([
    'ImagePullBackOff',
    'ErrImagePull',
    'ErrImageNeverPull',
    'InvalidImageName',
    'CreateContainerConfigError',
  ])('is known by its reason, whatever its image is by now: %s', (reason) =>
    expect(kindOf(between(reason, {}, 'mirror.example/noop:1'), policy())).toBe('NotStartedAgain'),
  );

  it.each(['ContainerCreating', 'CrashLoopBackOff'])(
    'is known by the no-op image of the policy, whatever it waits for: %s',
    (reason) => {
      expect(kindOf(between(reason))).toBe('NotStartedAgain');
      const lastResort = [stepSpec.parse({ imageSwap: { image: noop } })];
      expect(kindOf(between(reason), policy({ lastResort }))).toBe('NotStartedAgain');
      expect(kindOf(between(reason), policy())).toBe('Excluded');
    },
  );

  it.each<readonly [title: string, pod: PodView]>([
    ['there is another reason', between('ImagePullBackOff', { deleting: true })],
    [
      'its main ended too recently',
      between('ImagePullBackOff', {
        annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar', 'sidecar-sweeper.dev/min-age': '2h' },
      }),
    ],
    ['it waits to be restarted with its own image', between('CrashLoopBackOff', {}, 'proxy:1')],
    [
      'it has ended',
      podView({ containers: [container('main', exited()), container('sidecar', exited(), { image: noop })] }),
    ],
  ])('is left alone if %s', (_title, pod) => {
    expect(kindOf(pod)).toBe('Excluded');
  });

  it('is a candidate while another sidecar runs', () => {
    const annotations = { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' };
    const { containers } = between('ImagePullBackOff');
    expect(kindOf(podView({ annotations, containers: [...containers, container('logging', running)] }))).toBe(
      'Candidate',
    );
  });
});
