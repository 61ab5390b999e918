import { expect, it } from 'vitest';
import { overBounds } from '../../../src/judge/checks.ts';
import { bounds } from '../../../src/model/bounds.ts';
import type { PodView } from '../../../src/model/pod.ts';
import { container, initContainer, nativeSidecar, podView, running } from '../../builders/pod-view.ts';

const many = Array.from({ length: bounds.names + 1 }, (_, index) => `c${index}`);
const [, ...asManyAsAllowed] = many;

const named = (names: readonly string[]) => ({ annotations: { 'nrmitchi.com/sidecars': names.join(', ') } });
const holding = (names: readonly string[]) => ({ containers: names.map((name) => container(name, running)) });
const waitingFor = (names: readonly string[]) => ({
  containers: [container('waiter', running, { env: { KUBEXIT_DEATH_DEPS: names.join() } })],
});

it.each<readonly [what: string, pod: (names: readonly string[]) => Partial<PodView>]>([
  ['containers', holding],
  ['names in nrmitchi.com/sidecars', named],
  ['names in KUBEXIT_DEATH_DEPS', waitingFor],
])('a pod has too many %s, or just not', (what, pod) => {
  expect(overBounds(podView(pod(many)))).toEqual([{ kind: 'OverBound', what, most: 256 }]);
  expect(overBounds(podView(pod(asManyAsAllowed)))).toEqual([]);
});

it.each<readonly [what: string, pod: (image: string) => Partial<PodView>]>([
  ['a container', (image) => ({ containers: [container('sidecar', running, { image })] })],
  ['a native sidecar', (image) => ({ nativeSidecars: [nativeSidecar('mesh', { image })] })],
  ['an init container', (image) => ({ initContainers: [initContainer('setup', running, image)] })],
])('the image of %s is too long, or just not', (_whose, pod) => {
  const what = 'characters in the image of a container';
  expect(overBounds(podView(pod('i'.repeat(1_025))))).toEqual([{ kind: 'OverBound', what, most: 1_024 }]);
  expect(overBounds(podView(pod('i'.repeat(1_024))))).toEqual([]);
});

it('everything that it has too much of is told', () => {
  expect(overBounds(podView({ ...holding(many), ...named(many) })).map(({ what }) => what)).toEqual([
    'containers',
    'names in nrmitchi.com/sidecars',
  ]);
});
