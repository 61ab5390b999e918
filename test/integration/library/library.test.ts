import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  applySweep,
  type ClusterOptions,
  defineProfile,
  type PlanOptions,
  type Policy,
  planSweep,
  type SweepEvent,
  type SweepPlan,
  UsageError,
} from '../../../src/index.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

let cluster: TestCluster;
let reach: ClusterOptions;
beforeAll(async () => {
  const namespaces = ['planned', 'moved', 'own', 'stopped', 'listened'];
  cluster = await TestCluster.start(namespaces.map((namespace) => stuckPod({ namespace })));
  reach = { kubeconfig: await cluster.kubeconfig(), env: {} };
});
afterAll(() => cluster.stop());

const agent = defineProfile({
  name: 'acme-agent',
  containers: ['sidecar'],
  images: ['local/busybox'],
  steps: [{ signal: ['QUIT'], grace: '20s', exitCode: 0 }],
});

function planFor(namespace: string, policy: Policy = {}, options: PlanOptions = {}): Promise<SweepPlan> {
  return planSweep({ ...reach, policy: { namespaces: [namespace], ...policy }, ...options });
}

/** The requests that change something. */
function writes(): number {
  return cluster.emulator.requests.filter(({ method }) => method !== 'GET').length;
}

describe('a plan', () => {
  it('is plain data, changes nothing, and is applied from its JSON', async () => {
    const plan = await planFor('planned');
    expect(plan.report.pods.map(({ namespace, name, outcome }) => [namespace, name, outcome])).toEqual([
      ['planned', 'stuck', { kind: 'NotAttempted', reason: 'DryRun' }],
    ]);
    const stored: SweepPlan = JSON.parse(JSON.stringify(plan));
    const report = await applySweep(stored, reach);
    expect(report.run.dryRun).toBe(false);
    expect(report.totals).toMatchObject({
      listed: 1,
      candidates: 1,
      pods: { Ended: 1 },
      sidecars: { Stopped: 1 },
    });
    // Again: the pod has ended by now, and nothing is sent to it.
    const before = writes();
    const again = await applySweep(stored, reach);
    expect(again.totals.pods).toEqual({ Ended: 1 });
    expect(writes()).toBe(before);
  });

  it('is refused by another versionand for another cluster', async () => {
    const plan = await planFor('own', { profiles: [agent] });
    const before = writes();
    const { uid, ...cluster } = plan.report.cluster;
    const elsewhere = { ...plan.report, cluster: { ...cluster, server: 'https://elsewhere' } };
    const another = { ...plan.report, cluster: { ...cluster, uid: 'another' } };
    const older = { ...plan, work: { ...plan.work, version: '0.0.1' } };
    await expect(applySweep(older, reach)).rejects.toThrow('made by version 0.0.1');
    await expect(applySweep({ ...plan, report: elsewhere }, reach)).rejects.toThrow(
      'the plan is for https://elsewhere',
    );
    await expect(applySweep({ ...plan, report: another }, reach)).rejects.toThrow(
      `the plan is for the cluster with the uid another, and this one has the uid ${uid}`,
    );
    expect(writes()).toBe(before);
  });

  it('is applied through another address of the same cluster', async () => {
    const plan = await planFor('moved');
    const cluster = { ...plan.report.cluster, server: 'https://10.96.0.1:443' };
    const { totals } = await applySweep({ ...plan, report: { ...plan.report, cluster } }, reach);
    expect(totals.pods).toEqual({ Ended: 1 });
  });
});

it('a signal stops it before anything is sent, and the report says why', async () => {
  const plan = await planFor('stopped');
  const before = writes();
  const report = await applySweep(plan, { ...reach, stop: AbortSignal.abort() });
  expect(report.run.stoppedEarly).toBe('Signal');
  expect(report.pods[0]?.outcome).toEqual({ kind: 'NotAttempted', reason: 'Signal' });
  expect(writes()).toBe(before);
});

it('events come as they happen, and an error of their listener ends nothing halfway', async () => {
  const stdout = vi.spyOn(process.stdout, 'write');
  const events: SweepEvent['kind'][] = [];
  const plan = await planFor('listened', {}, { onEvent: ({ kind }) => events.push(kind) });
  expect(events).toEqual(['Listed', 'Stuck']);
  const failing = applySweep(plan, {
    ...reach,
    onEvent({ kind }) {
      events.push(kind);
      throw new Error('not today');
    },
  });
  await expect(failing).rejects.toThrow('not today');
  expect(events).toEqual(['Listed', 'Stuck', 'StepSent']);
  expect((await planFor('listened')).report.pods).toEqual([]);
  expect(stdout).not.toHaveBeenCalled();
});

describe('a UsageError says what cannot be used:', () => {
  it.each<readonly [title: string, work: () => unknown, message: string]>([
    ['a policy', () => planFor('x', { minAge: 'soon' }), 'the policy: minAge: write a duration'],
    ['a profile', () => defineProfile({ ...agent, images: [] }), 'the profile acme-agent: images'],
    ['a timeout', () => planFor('x', {}, { requestTimeout: '0' }), 'requestTimeout must be'],
    ['how much at once', () => planFor('x', {}, { concurrency: 0 }), 'concurrency must be'],
    ['a kubeconfig', () => planSweep({ kubeconfig: '/nonexistent', env: {} }), 'does not exist'],
  ])('%s', async (_title, work, message) => {
    const thrown = await Promise.resolve()
      .then(work)
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(UsageError);
    expect(String(thrown)).toContain(message);
  });
});
