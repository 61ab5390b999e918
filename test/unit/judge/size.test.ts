import { describe, expect, it } from 'vitest';
import { explain, judge } from '../../../src/judge/judge.ts';
import { jobToRead } from '../../../src/judge/missing-facts.ts';
import type { PodView } from '../../../src/model/pod.ts';
import { growth, quadratic } from '../../builders/growth.ts';
import {
  container,
  containerNames,
  exited,
  initContainer,
  now,
  podView,
  running,
} from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';

const listKeys = [
  'sidecar-sweeper.dev/main',
  'nrmitchi.com/sidecars',
  'riskified.com/sidecars',
  'riskified.com/main_sidecars',
] as const;

function inLists(list: string): PodView['annotations'] {
  return Object.fromEntries(listKeys.map((key) => [key, list]));
}

/** A pod with as many containers as a size says, and what makes each of them hard to judge. */
type Shape = (size: number) => PodView;

const shapes: Readonly<Record<string, Shape>> = {
  'containers, all of them in every list': (size) =>
    podView({
      containers: containerNames(size).map((name) => container(name, exited())),
      annotations: inLists(containerNames(size).join(',')),
    }),
  'containers, none of them in any list': (size) =>
    podView({
      containers: containerNames(size).map((name) => container(name, running)),
      annotations: {
        ...inLists(containerNames(size).join('x,')),
        'sidecar-sweeper.dev/min-age': '1m'.repeat(16 * size),
      },
    }),
  'containers that Istio injected': (size) =>
    podView({
      containers: containerNames(size).map((name) => container(name, running)),
      annotations: { 'sidecar.istio.io/status': JSON.stringify({ containers: containerNames(size) }) },
    }),
  'containers that wait for each other by kubexit': (size) =>
    podView({
      containers: containerNames(size).map((name, index) => {
        const next = [`c${index + 1}`, `c${index + 2}`, 'end'].join(',');
        return container(name, running, { env: { KUBEXIT_NAME: name, KUBEXIT_DEATH_DEPS: next } });
      }),
    }),
  'init containers that lists name': (size) =>
    podView({
      initContainers: containerNames(size).map((name) => initContainer(name)),
      annotations: inLists(containerNames(Math.min(size, 200)).join(',')),
    }),
};

describe('judging takes time that grows with the bytes, not with their square:', () => {
  it.each(Object.entries(shapes))('%s', (_title, shape) => {
    const judging = (size: number) => {
      const pod = shape(size);
      return () => [
        judge(pod, policy(), now, noFacts),
        jobToRead(pod, { policy: policy(), now, facts: noFacts }),
        explain(pod, policy(), now, noFacts),
      ];
    };
    expect(growth(judging, 60)).toBeLessThan(quadratic);
  });
});

describe('a hostile pod is left alone, and nothing is thrown:', () => {
  const huge = containerNames(60_000);
  // biome-ignore format: one row a line
  it.each<readonly [title: string, pod: PodView, what: string]>([
    [
      'a kubexit variable of many names, which once aborted judging for all',
      podView({
        containers: containerNames(3).map((name) =>
          container(name, running, { env: { KUBEXIT_NAME: 'c7', KUBEXIT_DEATH_DEPS: huge.join() } }),
        ),
      }),
      'names in KUBEXIT_DEATH_DEPS',
    ],
    ['containers without end', podView({ containers: huge.map((name) => container(name, exited())) }), 'containers'],
    ['a list without end', podView({ annotations: inLists(huge.join()) }), 'names in sidecar-sweeper.dev/main'],
  ])('%s', (_title, pod, what) => {
    const verdict = judge(pod, policy(), now, noFacts);
    expect(verdict.kind === 'Excluded' && verdict.because[0]).toEqual({ kind: 'OverBound', what, most: 256 });
    expect(jobToRead(pod, { policy: policy(), now, facts: noFacts })).toBeUndefined();
    expect(explain(pod, policy(), now, noFacts)).toMatchObject({ verdict: { kind: 'Excluded' }, remarks: [] });
  });

  it('what is wrong with 100,000 statuses is one line', () => {
    const pod = podView({
      statusProblems: containerNames(100_000).map((name) => `container ${name} has no status`),
    });
    const verdict = judge(pod, policy(), now, noFacts);
    expect(verdict.kind === 'Undecided' && verdict.problem).toMatch(/^container c0 .*; and 99992 more$/);
  });
});

it('one tenant’s annotations of 240 KB do not make a report of 16 MB', () => {
  const long = podView({ annotations: { 'nrmitchi.com/sidecars': 'x'.repeat(240_000) } });
  expect(JSON.stringify(explain(long, policy(), now, noFacts)).length).toBeLessThan(250_000);
});
