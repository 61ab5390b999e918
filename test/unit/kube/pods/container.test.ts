import { describe, expect, it } from 'vitest';
import { parseQuantity, startupLimit } from '../../../../src/kube/pods/container.ts';
import { apiPod, narrowed } from '../../../builders/api-pod.ts';

it.each<readonly [what: string, probe: object, limit: number]>([
  ["Kubernetes' defaults: three tries and one late, ten seconds apart", {}, 70_000],
  ['a delay', { initialDelaySeconds: 5 }, 75_000],
  ['many tries', { failureThreshold: 600, periodSeconds: 1 }, 631_000],
  ['tries that take longer than a period', { timeoutSeconds: 20, periodSeconds: 10 }, 110_000],
  ['a grace period of its own', { terminationGracePeriodSeconds: 60 }, 100_000],
])('the time that a startup probe may take with %s', (_what, probe, limit) => {
  expect(startupLimit(probe, 30_000)).toBe(limit);
});

function container(cpu?: string, memory?: string, more: object = {}) {
  return { name: 'c', resources: { requests: { ...(cpu && { cpu }), ...(memory && { memory }) } }, ...more };
}

const native = { restartPolicy: 'Always' };
const one = container('1', undefined, native);

// biome-ignore format: one row a line
it.each<readonly [what: string, spec: Record<string, unknown>, cpu: number, memory: number]>([
  ['nothing without requests', { containers: [{ name: 'c' }] }, 0, 0],
  [
    'the sum of its containers, including ended ones',
    { containers: [container('100m', '64Mi'), container('150m', '64Mi'), container(undefined, '1Ki')] },
    0.25,
    128 * 2 ** 20 + 1024,
  ],
  ['the request of its largest init container, if that is more', { initContainers: [container('1'), container('2')], containers: [container('500m')] }, 2, 0],
  ['the requests of its native sidecars, too', { initContainers: [container('100m', '1Ki', native)], containers: [container('500m', '1Ki')] }, 0.6, 2048],
  [
    'init containers together with earlier native sidecars, but not with later ones',
    { initContainers: [one, container('3'), one], containers: [container('500m')] },
    4,
    0,
  ],
  ['its pod-level requests instead of the sum', { resources: { requests: { cpu: '2' } }, containers: [container('100m', '64Mi')] }, 2, 64 * 2 ** 20],
  ['the overhead of its runtime class', { overhead: { cpu: '250m', memory: '120Mi' }, containers: [container('250m')] }, 0.5, 120 * 2 ** 20],
])('a pod reserves %s', (_what, spec, cpu, memory) => {
  const held = narrowed(apiPod({ spec })).requests;
  expect(held.cpu).toBeCloseTo(cpu, 9);
  expect(held.memory).toBe(memory);
});

describe('A quantity:', () => {
  // biome-ignore format: as many as fit on a line
  it.each([
    ['250m', 0.25], ['1', 1], ['1.5', 1.5], ['2.', 2], ['0', 0], ['100n', 1e-7], ['5u', 5e-6],
    ['64Mi', 67_108_864], ['1Gi', 1_073_741_824], ['1.5Gi', 1_610_612_736], ['128M', 128_000_000],
    ['1k', 1_000], ['1e3', 1_000], ['12E2', 1_200], ['1E', 1e18], ['3Ei', 3 * 2 ** 60],
  ])('%j is %d', (text, value) => {
    expect(parseQuantity(text)).toBeCloseTo(value, 12);
  });

  it.each(['', 'much', '-1', '1 Gi', '1Xi', '1constructor', undefined, '1e999'])('%j is none', (text) => {
    expect(parseQuantity(text)).toBe(0);
  });
});
