import { beforeAll, expect, it } from 'vitest';
import { policyFlag } from '../../kit/cli.ts';
import type { Job, Pod } from '../../kit/emulator/index.ts';
import { isStuck } from '../../kit/random/read-pod.ts';
import { eventually } from '../../kit/replay/stage.ts';
import { stuckJob } from '../../kit/stuck-jobs.ts';
import { sidecars, TestCluster } from '../../kit/stuck-pods.ts';
import { conditionOf } from './jobs.ts';

const noop = 'docker.io/local/nop:1';
const cluster = TestCluster.startedOnce();
beforeAll(() => {
  const spec = { parallelism: 10, completions: 10, backoffLimit: 6 };
  const job = stuckJob({ name: 'ten', sidecar: sidecars.immune, restartPolicy: 'OnFailure', spec });
  cluster.emulator.world.createJob(job);
});

const pods = () => cluster.emulator.world.store.list<Pod>('pods', 'demo');
const condition = () => conditionOf(cluster.emulator.world.store.get<Job>('jobs', 'demo', 'ten'));

it('ten stuck pods of a Job that bears six restarts are swapped in one sweep, and the Job completes', async () => {
  await eventually(pods, (all) => all.filter(isStuck).length === 10);
  const policy = policyFlag({ imageSwap: { image: noop, commands: 'shipped' } });
  const { run, report } = await cluster.sweep(['-n', 'demo', '--min-age', '0', ...policy]);
  expect(report.pods.map(({ outcome }) => outcome.kind)).toEqual(Array(10).fill('Ended'));
  expect(run.exitCode).toBe(0);
  expect(await eventually(condition, (now) => now !== 'Active')).toBe('Complete');
  expect(pods().map(({ status }) => status.phase)).toEqual(Array(10).fill('Succeeded'));
});
