import { describe, expect, it } from 'vitest';
import { explain } from '../../../src/judge/judge.ts';
import type { ContainerState, PodView } from '../../../src/model/pod.ts';
import type { UncleanExit } from '../../../src/model/step.ts';
import type { PodPlan } from '../../../src/plan/sweep-plan.ts';
import { describeState, reportExplanation } from '../../../src/report/explain/explanation.ts';
import { candidate, plannedTarget, podPlan, step } from '../../builders/plan.ts';
import { planOf } from '../../builders/planned.ts';
import {
  container,
  exited,
  exitedAtUnknownTime,
  minute,
  nativeSidecar,
  now,
  podView,
  running,
  waiting,
} from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';
import { plain, renderExplanation } from '../../builders/rendered.ts';

const cluster = { context: 'kind', server: 'https://127.0.0.1:6443' };

function paragraphsOf(pod: PodView, verbose = false, plan?: PodPlan): readonly (readonly string[])[] {
  const explanation = explain(pod, policy(), now, noFacts);
  const report = reportExplanation(explanation, {
    cluster,
    asOf: now,
    scope: policy().scope,
    warnings: [],
    plan,
  });
  const text = renderExplanation(report, plain, { verbose });
  return text.split('\n\n').map((paragraph) => paragraph.split('\n'));
}

describe('the explanation of a pod', () => {
  const containers = [container('main', exited(0)), container('sidecar', running)];
  const nativeSidecars = [nativeSidecar('mesh', { image: 'm' })];
  const pod = podView({ containers, nativeSidecars, ephemeralContainers: ['debugger-x'] });
  const [about, table, checks] = paragraphsOf(pod);

  it('begins with the verdict', () => {
    expect(about?.[0]).toBe('demo/work-x2k9p has been stuck for 1h on sidecar: a sweep would act on it');
    expect(about?.[1]).toMatch(/^phase Running, restartPolicy Never, owned by Job work, on node node1$/);
  });

  it('has a row for each container', () => {
    expect(table?.[0]).toMatch(/^CONTAINER +ROLE +STATE +EVIDENCE$/);
    expect(table?.[1]).toMatch(/^main +main +exited 0 1h ago +\S.*$/);
    expect(table?.[2]).toMatch(/^sidecar +sidecar +running for 2h +sidecar-sweeper\.dev\/sidecars$/);
    expect(table?.[3]).toMatch(/^mesh +native sidecar +an init container .*$/);
    expect(table?.[4]).toMatch(/^debugger-x +ephemeral +neither .*: it does not keep the pod running$/);
  });

  it('has a row for each check that did not pass, with its page, and counts the others', () => {
    expect(checks).toEqual([expect.stringMatching(/^\d\d checks passed \(-v lists them\)$/), '']);
    const [, , deleted] = paragraphsOf(podView({ deleting: true }));
    expect(deleted?.[0]).toMatch(/^CHECK +RESULT +SEE$/);
    expect(deleted?.slice(1, -1)).toEqual([
      expect.stringMatching(/^BeingDeleted +it is being deleted +explain --reason BeingDeleted$/),
      expect.stringMatching(/^\d\d checks passed/),
    ]);
  });

  it('ends with remarks about its annotations', () => {
    const annotations = {
      'sidecar-sweeper.dev/main': 'main',
      'sidecar-sweeper.dev/sidecars': 'main,sidcar',
      'sidecar.istio.io/status': 'injected',
    };
    expect(paragraphsOf(podView({ annotations })).at(-1)).toEqual([
      'remark: sidecar-sweeper.dev/sidecars names sidcar, which the pod does not have',
      'remark: main is named both as a main and as a sidecar',
      'remark: sidecar.istio.io/status is ignored: it is not a JSON object with a list of containers',
      '',
    ]);
  });

  const answerOf = (pod: PodView, uncleanExit: UncleanExit = 'allow') =>
    paragraphsOf(pod, false, planOf(pod, { uncleanExit }))[0]?.[0];

  it('says what a sweep would begin with, and that it would hold the pod if finished work could run again', () => {
    expect(answerOf(podView({ containers }))).toMatch(/ on sidecar: a sweep would signal TERM$/);
    const task = podView({ containers, owner: undefined, labels: { kubernetes_pod_operator: 'True' } });
    expect(answerOf(task, 'forbid')).toMatch(
      / on sidecar: a sweep would leave it blocked, because finished work would run again or fail; see explain --reason Blocked$/,
    );
  });

  it('says that a failed main makes the pod fail and its Job run again', () => {
    const pod = podView({ containers: [container('main', exited(7)), container('sidecar', running)] });
    const expected = /main exited with 7, so the pod fails however its sidecars end, and its Job runs again/;
    expect(paragraphsOf(pod, false, planOf(pod)).flat().join('\n')).toMatch(expected);
  });

  it('begins with what does not carry the others', () => {
    const members = [
      container('main', exited(0)),
      container('istio-proxy', running, { image: 'istio/proxyv2' }),
      container('vault-agent', running, { image: 'hashicorp/vault' }),
    ];
    const pod = podView({ annotations: {}, containers: members });
    expect(answerOf(pod)).toMatch(/ on istio-proxy, vault-agent: a sweep would signal TERM$/);
    const lines = paragraphsOf(pod, false, planOf(pod)).flat();
    const steps = lines.filter((line) => / 1\. /.test(line));
    expect(steps.map((line) => line.trim().split(':')[0])).toEqual(['vault-agent', 'istio-proxy']);
  });

  it('has a row for each check with --verbose', () => {
    const [, , all] = paragraphsOf(podView(), true);
    expect(all?.[0]).toMatch(/^CHECK +RESULT +SEE$/);
    expect(all?.slice(1).filter((line) => !/^\w+ +passed$/.test(line))).toEqual(['']);
  });
});

it('what is expected of a plan depends on the first steps, because an image may lack what a step needs', () => {
  const expectedOf = (sidecars: readonly string[], plan: Partial<PodPlan>) => {
    const members = sidecars.map((name) => container(name, running));
    const annotations = { 'sidecar-sweeper.dev/sidecars': sidecars.join() };
    const pod = podView({ annotations, containers: [container('main', exited(0)), ...members] });
    const steps = [step(15, { exitCode: 0 })];
    const targets = sidecars.map((name) => plannedTarget({ container: name, steps }));
    const lines = paragraphsOf(pod, false, podPlan({ candidate: candidate(pod), targets, ...plan })).flat();
    return lines.find((line) => line.startsWith('  expected: '))?.slice(12);
  };
  const prediction = { exitCode: 0, phase: 'Succeeded', job: 'Completes' } as const;
  const said = 'exit code 0, pod Succeeded, Job Complete';
  expect(expectedOf(['a'], { prediction })).toBe(`if the first step works, ${said}`);
  expect(expectedOf(['a', 'b'], { prediction })).toBe(`if the first step for each sidecar works, ${said}`);
  const blocked = plannedTarget({ container: 'a', steps: [step(15, { blocked: 'KnownUnclean' })] });
  const up = { phase: 'Running', job: 'StaysActive' } as const;
  const runsOn = 'pod Running, Job active';
  expect(expectedOf(['a'], { targets: [blocked], prediction: up })).toBe(runsOn);
});

it('says once why several steps for a sidecar are not tried', () => {
  const unfit = { method: 'Http', reason: 'SeesTheNode', detail: 'hostNetwork' } as const;
  const target = plannedTarget({ container: 'sidecar', unfit: [unfit, unfit] });
  const lines = paragraphsOf(podView(), false, podPlan({ targets: [target] })).flat();
  expect(lines.filter((line) => line.includes('not tried'))).toEqual([
    '  sidecar: not tried: http: hostNetwork',
  ]);
});

it.each<readonly [state: ContainerState, words: string]>([
  [running, 'running for 2h'],
  [{ kind: 'Running', startedAt: undefined }, 'running'],
  [waiting('ImagePullBackOff'), 'waiting (ImagePullBackOff)'],
  [exited(0), 'exited 0 1h ago'],
  [exited(3), 'exited 3 (Error) 1h ago'],
  [{ ...exited(3), reason: '' }, 'exited 3 1h ago'],
  [exitedAtUnknownTime(), 'exited 0, time unknown'],
  // The clocks of a node and of the API server may differ.
  [{ kind: 'Running', startedAt: now + minute }, 'running, time in the future'],
  [{ kind: 'Unreported' }, 'unknown'],
])('%j: %s', (state, words) => {
  expect(describeState(state, now)).toBe(words);
});

it('without the server’s time, no age is shown', () => {
  expect(describeState(running, undefined)).toBe('running');
  expect(describeState(exited(3), undefined)).toBe('exited 3 (Error), time unknown');
});
