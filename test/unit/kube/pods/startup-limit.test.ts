import { expect, it } from 'vitest';
import { startupLimit } from '../../../../src/kube/pods/startup-limit.ts';

it.each<readonly [what: string, probe: unknown, limit: number | undefined]>([
  ['no probe', undefined, undefined],
  ['nothing that is one', 'soon', undefined],
  ["Kubernetes' defaults: three tries and one late, ten seconds apart", {}, 70_000],
  ['a delay', { initialDelaySeconds: 5 }, 75_000],
  ['many tries', { failureThreshold: 600, periodSeconds: 1 }, 631_000],
  ['tries that take longer than a period', { timeoutSeconds: 20, periodSeconds: 10 }, 110_000],
  ['a grace period of its own', { terminationGracePeriodSeconds: 60 }, 100_000],
  ['fields that are not numbers', { failureThreshold: 'often' }, 70_000],
])('the time that a startup probe may take with %s', (_what, probe, limit) => {
  expect(startupLimit(probe, 30_000)).toBe(limit);
});
