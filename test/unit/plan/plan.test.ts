import { describe, expect, it } from 'vitest';
import { planSweep } from '../../../src/plan/plan.ts';
import type { PlannedTarget, PodView, SkipReason, Target } from '../../../src/types.ts';
import { candidate } from '../../builders/plan.ts';
import { container, exited, now, podView, running, waiting } from '../../builders/pod-view.ts';

const killKey = 'workflows.argoproj.io/kill-cmd-sidecar';

function targetsOf(pod: PodView): readonly Target[] {
  return planSweep([candidate(pod)], now).pods.flatMap(({ targets }) => targets);
}

/** The plan for the only sidecar of a pod. */
function planned(pod: PodView): PlannedTarget {
  const [target] = targetsOf(pod);
  if (target?.kind !== 'Planned') expect.fail(`not planned: ${JSON.stringify(target)}`);
  return target;
}

function withKillCommand(text: string, more: Partial<PodView> = {}): PodView {
  return podView({ annotations: { [killKey]: text }, ...more });
}

describe('without a command of its own a sidecar gets', () => {
  it('TERM and then KILL to PID 1, by the shell', () => {
    expect(planned(podView()).steps.map(({ command }) => command)).toEqual([
      ['/bin/sh', '-c', 'kill -15 1'],
      ['/bin/sh', '-c', 'kill -9 1'],
    ]);
  });

  it('steps that say whose command they are and which signal they stand for', () => {
    expect(planned(podView()).steps).toMatchObject([
      { method: 'Command', source: 'Default', signal: 15 },
      { method: 'Command', source: 'Default', signal: 9 },
    ]);
  });

  it('the pod’s whole grace period between them', () => {
    expect(planned(podView({ grace: 47_000 })).steps[0]?.grace).toBe(47_000);
  });

  it.each([
    [0, 2_000],
    [1_000, 2_000],
    [3_000, 3_000],
    [30_000, 5_000],
    [600_000, 5_000],
  ])('after KILL, with a grace of %i ms, %i ms for its end to show', (grace, expected) => {
    expect(planned(podView({ grace })).steps[1]?.grace).toBe(expected);
  });
});

describe('with a command of its own a sidecar gets', () => {
  it('that command for both signals when it names the signal', () => {
    expect(planned(withKillCommand('["sh", "-c", "kill -%d 1"]')).steps).toMatchObject([
      { command: ['sh', '-c', 'kill -15 1'], source: 'Annotation', signal: 15 },
      { command: ['sh', '-c', 'kill -9 1'], source: 'Annotation', signal: 9 },
    ]);
  });

  it('that command once when it does not name the signal', () => {
    const { steps } = planned(withKillCommand('["pilot-agent", "request", "POST", "quitquitquit"]'));
    expect(steps).toMatchObject([
      { command: ['pilot-agent', 'request', 'POST', 'quitquitquit'], source: 'Annotation', grace: 30_000 },
    ]);
  });

  it('nothing at all when it is a bad one: the owner asked for something else than the default', () => {
    expect(targetsOf(withKillCommand('kill 1'))).toEqual([
      {
        kind: 'Skipped',
        container: 'sidecar',
        outcome: { kind: 'Skipped', reason: { kind: 'BadKillCommand', key: killKey, problem: 'not JSON' } },
      },
    ]);
  });
});

describe('a sidecar is skipped', () => {
  it.each<readonly [title: string, pod: PodView, reason: SkipReason]>([
    [
      'when the pod shares its process namespace',
      podView({ processNamespace: 'Pod' }),
      { kind: 'SharedProcessNamespace' },
    ],
    ['when the pod sees the node’s processes', podView({ processNamespace: 'Node' }), { kind: 'HostPID' }],
    [
      'in such a pod even with a command of its own',
      withKillCommand('["true"]', { processNamespace: 'Pod' }),
      { kind: 'SharedProcessNamespace' },
    ],
    [
      'when it runs and no containerID says which instance',
      podView({
        containers: [container('main', exited()), container('sidecar', running, { id: undefined })],
      }),
      { kind: 'NotRunning', state: 'Running' },
    ],
  ])('%s', (_title, pod, reason) => {
    expect(targetsOf(pod)).toMatchObject([{ kind: 'Skipped', outcome: { kind: 'Skipped', reason } }]);
  });

  it('when it waits, with the reason it waits for', () => {
    const pod = podView({
      annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' },
      containers: [
        container('main', exited()),
        container('logging', waiting('ImagePullBackOff')),
        container('sidecar', running),
      ],
    });
    expect(targetsOf(pod)[0]).toMatchObject({
      container: 'logging',
      outcome: { kind: 'Skipped', reason: { kind: 'NotRunning', state: 'ImagePullBackOff' } },
    });
  });

  it('when it had ended by itself, with its exit code', () => {
    const pod = podView({
      annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' },
      containers: [
        container('main', exited()),
        container('logging', exited(3)),
        container('sidecar', running),
      ],
    });
    expect(targetsOf(pod)[0]).toMatchObject({
      kind: 'Skipped',
      container: 'logging',
      outcome: { kind: 'AlreadyEnded', exitCode: 3 },
    });
  });
});

describe('a plan', () => {
  it('has a target for every sidecar of every candidate and none for a main', () => {
    const two = podView({
      annotations: { 'sidecar-sweeper.dev/sidecars': 'a,b' },
      containers: [container('a', running), container('main', exited()), container('b', running)],
    });
    const { pods } = planSweep([candidate(two), candidate()], now);
    expect(pods.map(({ targets }) => targets.map(({ container }) => container))).toEqual([
      ['a', 'b'],
      ['sidecar'],
    ]);
  });

  it('names the instance that was seen running', () => {
    const pod = podView({
      containers: [container('main', exited()), container('sidecar', running, { id: 'containerd://6754cb' })],
    });
    expect(planned(pod).containerId).toBe('containerd://6754cb');
  });

  it('is plain JSON: nothing of its steps is lost in writing it down', () => {
    const { pods } = planSweep([candidate()], now);
    const targets = pods.map((pod) => pod.targets);
    expect(JSON.parse(JSON.stringify(targets))).toEqual(targets);
  });

  it('of no candidates is an empty one', () => {
    expect(planSweep([], now)).toEqual({ asOf: now, pods: [] });
  });
});
