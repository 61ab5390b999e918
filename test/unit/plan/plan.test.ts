import { describe, expect, it } from 'vitest';
import { planSweep } from '../../../src/plan/plan.ts';
import type { PodView, SkipReason } from '../../../src/vocabulary.ts';
import { candidate } from '../../builders/plan.ts';
import {
  argoKey,
  known,
  planned,
  planOf,
  specs,
  targetsOf,
  withKillCommand,
} from '../../builders/planned.ts';
import { container, exited, now, podView, running, waiting } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';

const quit = { http: { port: 15_020, path: '/quitquitquit' }, exitCode: 0 };
const swap = { imageSwap: { image: 'noop:1' } };

describe('a ladder', () => {
  it('is the owner’s command, the profile’s steps, then signals; from outside comes what the policy adds', () => {
    const pod = withKillCommand('["sh", "-c", "kill -%d 1"]');
    const more = { ...known(quit, { command: ['quit'] }), lastResort: specs(swap, { delete: true }) };
    const { targets, lastResort } = planOf(pod, more);
    expect(targets).toMatchObject([
      {
        steps: [
          {
            method: 'Command',
            command: ['sh', '-c', 'kill -15 1'],
            source: { kind: 'Annotation', key: argoKey },
          },
          {
            method: 'Command',
            command: ['sh', '-c', 'kill -9 1'],
            source: { kind: 'Annotation', key: argoKey },
          },
          { method: 'Http', source: { kind: 'Profile', profile: 'known' } },
          { method: 'Command', command: ['quit'], source: { kind: 'Profile', profile: 'known' } },
          { method: 'Signal', signals: ['TERM'], source: { kind: 'Default' } },
          { method: 'Signal', signals: ['KILL'], source: { kind: 'Default' } },
        ],
        unfit: [],
      },
    ]);
    expect(lastResort).toMatchObject([
      { method: 'ImageSwap', source: { kind: 'LastResort' } },
      { method: 'Delete', source: { kind: 'LastResort' } },
    ]);
  });

  it('is TERM and then KILL for a sidecar of which nothing else is known', () => {
    expect(planned(podView({ grace: 47_000 })).steps).toEqual([
      {
        method: 'Signal',
        signals: ['TERM'],
        source: { kind: 'Default' },
        grace: 47_000,
        exitCode: undefined,
      },
      { method: 'Signal', signals: ['KILL'], source: { kind: 'Default' }, grace: 2_000, exitCode: 137 },
    ]);
    expect(planOf(podView()).lastResort).toEqual([]);
  });

  it('leaves out, with the reason, what the pod shows cannot work', () => {
    const { steps, unfit } = planned(podView({ hostNetwork: true }), known(quit, { signal: ['INT'] }));
    expect(steps).toMatchObject([{ signals: ['INT'] }, { signals: ['TERM'] }, { signals: ['KILL'] }]);
    expect(unfit).toEqual([{ method: 'Http', reason: 'SeesTheNode', detail: 'hostNetwork' }]);
  });

  it('ends with one swap for all sidecars of the pod', () => {
    const pod = podView({
      annotations: { 'sidecar-sweeper.dev/sidecars': 'a,b' },
      containers: [container('main', exited()), container('a', running), container('b', running)],
    });
    const { targets, lastResort } = planOf(pod, { lastResort: specs(swap, { deadline: true }) });
    expect(targets).toHaveLength(2);
    expect(lastResort.map(({ method }) => method)).toEqual(['ImageSwap', 'Deadline']);
  });

  it('has what a profile does from outside before what the policy adds', () => {
    const more = { ...known({ evict: true }), lastResort: specs(swap) };
    expect(planOf(podView(), more).lastResort).toMatchObject([
      { method: 'Evict', source: { kind: 'Profile', profile: 'known' } },
      { method: 'ImageSwap', source: { kind: 'LastResort' } },
    ]);
  });
});

describe('a sidecar is skipped', () => {
  it.each<readonly [title: string, pod: PodView, reason: SkipReason]>([
    [
      'when every step was ruled out by what the pod shows',
      podView({ processNamespace: 'Node' }),
      { kind: 'NoWay' },
    ],
    [
      'when it runs and no containerID says which instance',
      podView({
        containers: [container('main', exited()), container('sidecar', running, { id: undefined })],
      }),
      { kind: 'NotRunning', state: 'Running' },
    ],
    [
      'when nothing is reported of it',
      podView({
        annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' },
        containers: [
          container('main', exited()),
          container('sidecar', { kind: 'Unreported' }),
          container('logging', running),
        ],
      }),
      { kind: 'NotRunning', state: 'Unreported' },
    ],
  ])('%s', (_title, pod, reason) => {
    expect(targetsOf(pod)[0]).toMatchObject({ kind: 'Skipped', outcome: { kind: 'Skipped', reason } });
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
    const { pods } = planSweep([candidate(two), candidate()], policy(), now);
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
    const { pods } = planSweep([candidate()], policy(), now);
    const targets = pods.map((pod) => pod.targets);
    expect(JSON.parse(JSON.stringify(targets))).toEqual(targets);
  });

  it('tells apart what is started differently, and takes together what is not', () => {
    const variantOf = (more: Parameters<typeof container>[2]) =>
      planned(podView({ containers: [container('main', exited()), container('sidecar', running, more)] }))
        .variant;
    const variants = [{}, { command: ['a'] }, { args: ['a'] }, { command: ['a', 'b'] }, { command: ['a b'] }];
    expect(new Set(variants.map(variantOf)).size).toBe(variants.length);
    expect(variantOf({ command: ['a'], args: ['b'] })).toBe(variantOf({ command: ['a'], args: ['b'] }));
  });

  it('says of a pod whether it is protected, and what is expected of it', () => {
    expect(planOf(podView(), known(quit))).toMatchObject({
      isProtected: true,
      prediction: { exitCode: 0, phase: 'Succeeded', job: 'Completes' },
    });
    expect(planOf(podView({ owner: undefined }))).toMatchObject({
      isProtected: false,
      prediction: { phase: 'Unknown', job: 'NoJob' },
    });
  });

  it('expects of a pod what its last resort promises when that is its first step', () => {
    const { prediction } = planOf(podView({ processNamespace: 'Node' }), { lastResort: specs(swap) });
    expect(prediction).toEqual({ exitCode: 0, phase: 'Succeeded', job: 'Completes' });
  });

  it('counts with the exit code of a sidecar that had ended by itself', () => {
    const withEnded = (exitCode: number) =>
      planOf(
        podView({
          annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' },
          containers: [
            container('main', exited()),
            container('logging', exited(exitCode)),
            container('sidecar', running),
          ],
        }),
        known(quit),
      ).prediction;
    expect(withEnded(0)).toMatchObject({ phase: 'Succeeded', job: 'Completes' });
    expect(withEnded(3)).toMatchObject({ phase: 'Failed', job: 'RunsAgain' });
  });

  it('of no candidates is an empty one', () => {
    expect(planSweep([], policy(), now)).toEqual({ asOf: now, pods: [], warnings: [] });
  });
});
