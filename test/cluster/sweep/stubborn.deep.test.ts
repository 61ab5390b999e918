import { expect, it } from 'vitest';
import { startedOnce } from '../../kit/started.ts';
import { sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const size = 1_000;
const cluster = startedOnce(() => {
  const pods = Array.from({ length: size }, (_, index) =>
    stuckPod({ name: `stubborn-${index}`, sidecar: sidecars.stubborn, grace: 3 }),
  );
  return TestCluster.start(pods);
});

it('1,000 stubborn sidecars take about one grace period of 3 s per step, not one per slot', async () => {
  const { run, report } = await cluster.sweep(['--concurrency', '20']);
  expect(run.exitCode).toBe(4);
  expect(report.totals.sidecars).toEqual({ StillRunning: size });
  const steps = report.pods.flatMap(({ containers }) =>
    containers.flatMap((container) =>
      container.role === 'Sidecar' ? [container.attempts.map(({ does }) => does).join(', then ')] : [],
    ),
  );
  expect(new Set(steps)).toEqual(new Set(['signal TERM, then signal KILL']));
  // One grace period per slot cannot be faster than 1,000 / 20 * (3 s + 3 s). An idle machine takes 8 s.
  expect(report.run.durationMs).toBeLessThan(300_000);
});
