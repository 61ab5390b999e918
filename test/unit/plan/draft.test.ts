import { describe, expect, it } from 'vitest';
import { type DraftTarget, draftPod, type PodDraft } from '../../../src/plan/draft.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import type { ContainerOutcome, ContainerView, PodView, Unfit } from '../../../src/vocabulary.ts';
import { candidate, steps } from '../../builders/plan.ts';
import { argoKey, known, specs, withKillCommand } from '../../builders/planned.ts';
import { container, exited, podView, running, waiting } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';

const quit = { http: { port: 15_020, path: '/quitquitquit' }, exitCode: 0 };
const swap = { imageSwap: { image: 'noop:1' } };
const byDefault = { source: { kind: 'Default' } } as const;
const asLastResort = { source: { kind: 'LastResort' }, grace: 45_000 } as const;

function draftOf(pod: PodView, more: Partial<Policy> = {}): PodDraft {
  return draftPod(candidate(pod), policy(more));
}

/** The draft for the first sidecar of a pod. */
function drafted(pod: PodView, more: Partial<Policy> = {}): Extract<DraftTarget, { kind: 'Drafted' }> {
  const [target] = draftOf(pod, more).targets;
  if (target?.kind !== 'Drafted') expect.fail(`not drafted: ${JSON.stringify(target)}`);
  return target;
}

/** A stuck pod with this sidecar. */
function withSidecar(more: Partial<ContainerView>): PodView {
  return podView({ containers: [container('main', exited()), container('sidecar', running, more)] });
}

/** A stuck pod whose only running sidecar is `sidecar`, and another one in this state. */
function withLogging(logging: ContainerView['state'], more: Partial<ContainerView> = {}): PodView {
  return podView({
    annotations: { 'sidecar-sweeper.dev/sidecars': 'sidecar,logging' },
    containers: [
      container('main', exited()),
      container('logging', logging, more),
      container('sidecar', running),
    ],
  });
}

describe('the steps for a sidecar', () => {
  it('are the owner’s, then the profile’s, then signals, then what the policy adds', () => {
    const pod = withKillCommand('["sh", "-c", "kill -%d 1"]');
    const lastResort = [...specs(swap, { delete: true }), { method: 'Own', own: steps.Own.own } as const];
    const draft = draftOf(pod, { ...known(quit, { command: ['quit'] }), lastResort });
    const annotation = { kind: 'Annotation', key: argoKey };
    const profile = { kind: 'Profile', profile: 'known' };
    expect(draft.targets).toMatchObject([
      {
        steps: [
          { method: 'Command', command: ['sh', '-c', 'kill -15 1'], source: annotation },
          { method: 'Command', command: ['sh', '-c', 'kill -9 1'], source: annotation },
          { method: 'Http', source: profile },
          { method: 'Command', command: ['quit'], source: profile },
          { method: 'Signal', signals: ['TERM'], source: { kind: 'Default' } },
          { method: 'Signal', signals: ['KILL'], source: { kind: 'Default' } },
          { method: 'Own', own: steps.Own.own, source: { kind: 'LastResort' } },
        ],
        unfit: [],
      },
    ]);
    expect(draft.lastResort).toEqual([
      { method: 'ImageSwap', image: 'noop:1', programs: undefined, exitCode: 0, ...asLastResort },
      { method: 'Delete', exitCode: 137, ...asLastResort },
    ]);
  });

  it('are TERM and then KILL if nothing else is known', () => {
    const draft = draftOf(podView({ grace: 47_000 }));
    expect(draft).toEqual({
      candidate: candidate(podView({ grace: 47_000 })),
      targets: [
        {
          kind: 'Drafted',
          container: 'sidecar',
          containerId: 'containerd://sidecar-0',
          image: 'docker.io/local/busybox:1',
          variant: '[null,null]',
          steps: [
            { method: 'Signal', signals: ['TERM'], ...byDefault, grace: 47_000, exitCode: undefined },
            { method: 'Signal', signals: ['KILL'], ...byDefault, grace: 2_000, exitCode: 137 },
          ],
          unfit: [],
        },
      ],
      lastResort: [],
    });
  });

  it.each<readonly [title: string, written: readonly object[], signals: readonly string[]]>([
    ['another signal', [{ signal: ['INT'] }], ['INT', 'TERM', 'KILL']],
    ['TERM', [{ signal: ['TERM'], exitCode: 143 }], ['TERM', 'KILL']],
    ['TERM as a substitute', [{ signal: ['INT', 'TERM'] }], ['INT,TERM', 'KILL']],
    ['TERM among others', [quit, { signal: ['INT'] }, { signal: ['TERM'] }], ['INT', 'TERM', 'KILL']],
    ['no signal', [{ command: ['quit'] }], ['TERM', 'KILL']],
  ])('leave TERM to a profile that mentions it: %s', (_title, written, expected) => {
    const signals = drafted(podView(), known(...written)).steps.flatMap((step) =>
      step.method === 'Signal' ? step.signals.join() : [],
    );
    expect(signals).toEqual(expected);
  });

  it('lack what the pod shows cannot work, and the draft says why', () => {
    const { steps, unfit } = drafted(podView({ hostNetwork: true }), known(quit, { signal: ['INT'] }));
    expect(steps).toMatchObject([{ signals: ['INT'] }, { signals: ['TERM'] }, { signals: ['KILL'] }]);
    expect(unfit).toEqual([{ method: 'Http', reason: 'SeesTheNode', detail: 'hostNetwork' }]);
  });

  it('are those that need no signal, in a pod that sees the node’s processes', () => {
    const { steps, unfit } = drafted(podView({ processNamespace: 'Node' }), known(quit));
    expect(steps.map(({ method }) => method)).toEqual(['Http']);
    const noSignal: Unfit = { method: 'Signal', reason: 'SeesTheNode', detail: 'hostPID' };
    expect(unfit).toEqual([noSignal, noSignal]);
  });

  it('may be none, if there is a last resort', () => {
    const draft = draftOf(podView({ processNamespace: 'Node' }), { lastResort: specs(swap) });
    expect(draft.targets).toMatchObject([{ kind: 'Drafted', steps: [] }]);
    expect(draft.lastResort.map(({ method }) => method)).toEqual(['ImageSwap']);
  });
});

describe('the last resort of a pod', () => {
  const two = (a: Partial<ContainerView> = {}, b: Partial<ContainerView> = {}) =>
    podView({
      annotations: { 'sidecar-sweeper.dev/sidecars': 'a,b' },
      containers: [container('main', exited()), container('a', running, a), container('b', running, b)],
    });

  it('has each method once for all sidecars, in the order of the policy', () => {
    const { targets, lastResort } = draftOf(two(), { lastResort: specs(swap, { deadline: true }) });
    expect(targets).toHaveLength(2);
    expect(lastResort.map(({ method }) => method)).toEqual(['ImageSwap', 'Deadline']);
  });

  it('keeps the exit code if it is the same for all sidecars', () => {
    expect(draftOf(two(), { lastResort: specs(swap) }).lastResort).toMatchObject([{ exitCode: 0 }]);
    const evict = { lastResort: specs({ evict: true, exitCode: 143 }) };
    expect(draftOf(two(), evict).lastResort).toMatchObject([{ exitCode: 143 }]);
  });

  it.each([[two({ command: ['/opt/agent'] })], [two({}, { command: ['/opt/agent'] })]])(
    'promises no exit code if it differs among sidecars',
    (pod) => {
      expect(draftOf(pod, { lastResort: specs(swap) }).lastResort).toEqual([
        { method: 'ImageSwap', image: 'noop:1', programs: undefined, exitCode: undefined, ...asLastResort },
      ]);
    },
  );

  it('begins with what the profile does to the pod', () => {
    const more = { ...known({ evict: true }), lastResort: specs(swap) };
    expect(draftOf(podView(), more).lastResort).toMatchObject([
      { method: 'Evict', source: { kind: 'Profile', profile: 'known' } },
      { method: 'ImageSwap', source: { kind: 'LastResort' } },
    ]);
  });

  it('names the first who asks for a method', () => {
    const more = { ...known({ evict: true, grace: '1s' }), lastResort: specs({ evict: true }) };
    expect(draftOf(podView(), more).lastResort).toEqual([
      { method: 'Evict', source: { kind: 'Profile', profile: 'known' }, grace: 16_000, exitCode: 137 },
    ]);
  });
});

describe('a sidecar is skipped', () => {
  const skipped = (outcome: ContainerOutcome, name = 'logging', unfit: readonly Unfit[] = []) => ({
    kind: 'Skipped',
    container: name,
    outcome,
    unfit,
  });
  const notRunning = (state: string): ContainerOutcome => ({
    kind: 'Skipped',
    reason: { kind: 'NotRunning', state },
  });

  it.each<readonly [title: string, pod: PodView, outcome: ContainerOutcome]>([
    [
      'if it runs and no container ID says which instance',
      withLogging(running, { id: undefined }),
      notRunning('Running'),
    ],
    ['if nothing is reported of it', withLogging({ kind: 'Unreported' }), notRunning('Unreported')],
    [
      'if it waits, with the reason',
      withLogging(waiting('ImagePullBackOff')),
      notRunning('ImagePullBackOff'),
    ],
    [
      'if it had ended by itself, with its exit code',
      withLogging(exited(3)),
      { kind: 'AlreadyEnded', exitCode: 3 },
    ],
  ])('%s', (_title, pod, outcome) => {
    const { targets, lastResort } = draftOf(pod, { lastResort: specs(swap) });
    expect(targets[0]).toEqual(skipped(outcome));
    expect(targets[1]).toMatchObject({ kind: 'Drafted', container: 'sidecar' });
    expect(lastResort).toHaveLength(1);
  });

  it('if the pod shows that no step can work, with the reasons', () => {
    const noSignal: Unfit = { method: 'Signal', reason: 'SeesTheNode', detail: 'hostPID' };
    expect(draftOf(podView({ processNamespace: 'Node' })).targets).toEqual([
      skipped({ kind: 'Skipped', reason: { kind: 'NoWay' } }, 'sidecar', [noSignal, noSignal]),
    ]);
  });

  it('if its owner asks for something that is not done', () => {
    const more = { ...known(quit), lastResort: specs(swap) };
    const { targets, lastResort } = draftOf(withKillCommand('kill 1'), more);
    const reason = { kind: 'BadKillCommand', key: argoKey, problem: 'not JSON' } as const;
    expect(targets).toEqual([skipped({ kind: 'Skipped', reason }, 'sidecar')]);
    expect(lastResort).toEqual([]);
  });
});

describe('a draft', () => {
  it('has a target for every sidecar and none for a main', () => {
    const pod = podView({
      annotations: { 'sidecar-sweeper.dev/sidecars': 'a,b' },
      containers: [container('a', running), container('main', exited()), container('b', running)],
    });
    expect(draftOf(pod).targets.map(({ container }) => container)).toEqual(['a', 'b']);
  });

  it('names the instance that was seen running, and its image', () => {
    const pod = withSidecar({ id: 'containerd://6754cb', image: 'acme/agent:2' });
    expect(drafted(pod)).toMatchObject({ containerId: 'containerd://6754cb', image: 'acme/agent:2' });
  });

  it('tells apart what is started differently, and nothing else', () => {
    const variants = [{}, { command: ['a'] }, { args: ['a'] }, { command: ['a', 'b'] }, { command: ['a b'] }];
    const variantOf = (more: Partial<ContainerView>) => drafted(withSidecar(more)).variant;
    expect(new Set(variants.map(variantOf)).size).toBe(variants.length);
    expect(variantOf({ command: ['a'], args: ['b'] })).toBe('[["a"],["b"]]');
    expect(variantOf({ env: { A: 'b' } })).toBe(variantOf({}));
  });
});
