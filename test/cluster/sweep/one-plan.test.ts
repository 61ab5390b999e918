import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/kube/auth/config.ts';
import { openCluster } from '../../../src/kube/cluster.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import type { SweepPlan } from '../../../src/plan/sweep-plan.ts';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import { sweep } from '../../../src/sweep.ts';
import { stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

let cluster: TestCluster;
const ownSteps = { 'sidecar-sweeper.dev/steps-sidecar': '[{"command":["kill","-%d","1"]}]' };

beforeAll(async () => {
  cluster = await TestCluster.start([stuckPod(), stuckPod({ name: 'other', annotations: ownSteps })]);
});
afterAll(() => cluster.stop());

/** The events of a sweep by an account that may read and delete pods, but not exec into them. */
async function eventsOf(dryRun: boolean): Promise<readonly SweepEvent[]> {
  const events: SweepEvent[] = [];
  const rules = [{ apiGroups: [''], resources: ['pods', 'namespaces'], verbs: ['get', 'list', 'delete'] }];
  const name = dryRun ? 'looker' : 'deleter';
  const token = cluster.emulator.serviceAccount({ namespace: 'demo', name, rules, scope: 'Cluster' });
  const kubeconfig = await cluster.kubeconfig({ name, token });
  const open = await openCluster(await loadConfig({ kubeconfig, env: {} }), 10_000);
  try {
    await sweep({
      run: { id: name, version: 'test', dryRun, context: open.context, server: open.server },
      policy: resolvePolicy({ namespaces: ['demo'], minAge: 0, lastResort: ['delete'] }, undefined),
      cluster: open,
      self: undefined,
      clock: { now: () => performance.now(), sleep: async () => undefined },
      emit: (event) => events.push(event),
      concurrency: 5,
      stop: new AbortController().signal,
    });
  } finally {
    await open.close();
  }
  return events;
}

function plansIn(events: readonly SweepEvent[]): readonly Omit<SweepPlan, 'asOf'>[] {
  return events.flatMap((event) => {
    if (event.kind !== 'PlanMade') return [];
    const { asOf: _asOf, ...plan } = event.plan;
    return [plan];
  });
}

describe('the reported plan', () => {
  it('is executed as reported, is reported once, and is the same in a dry run', async () => {
    const dry = await eventsOf(true);
    const real = await eventsOf(false);
    expect(plansIn(dry)).toHaveLength(1);
    expect(plansIn(real)).toEqual(plansIn(dry));
    const [plan] = plansIn(real);
    const planned = plan?.pods.flatMap(({ targets, lastResort }) => [
      ...targets.flatMap((target) => (target.kind === 'Planned' ? target.steps : [])),
      ...lastResort,
    ]);
    expect(planned?.map(({ method }) => method)).toEqual(['Delete', 'Delete']);
    const sent = real.flatMap((event) => (event.kind === 'StepSent' ? [event.attempt.step] : []));
    expect(sent).toHaveLength(2);
    for (const step of sent) expect(planned).toContainEqual(step);
  });
});
