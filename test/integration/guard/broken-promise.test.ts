import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Notebook } from '../../../src/model/ports.ts';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import { exitCodeOf } from '../../../src/report/exit-code.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { ensureNamespace } from '../../kit/emulator/index.ts';
import { notebook } from '../../kit/notebook.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { shipperImage as image, promising, type StuckJob, stuckJob } from '../../kit/stuck-jobs.ts';

let cluster: SimulatedCluster;
beforeAll(async () => {
  cluster = await SimulatedCluster.start();
});
afterAll(() => cluster.stop());

const ends = { exitCode: 143, after: 50 };
/** Whichever way it is asked. */
const sidecar = { on: { SIGTERM: ends, SIGINT: ends } };

/** Jobs whose sidecars end with 143 on both signals that the profile promises 0 of. */
async function stick(namespace: string, jobs: number, more: Partial<StuckJob>): Promise<void> {
  const { emulator, simulation } = cluster;
  ensureNamespace(emulator.world, namespace);
  for (let index = 0; index < jobs; index++) {
    const job = stuckJob({ namespace, name: `work-${index}`, sidecar, image, ...more });
    emulator.world.createJob(job);
  }
  await simulation.run(simulation.pass(10_000));
}

async function sweep(namespace: string, notes: Notebook): Promise<SweepReport> {
  const { simulation } = cluster;
  const policy = resolvePolicy({ namespaces: [namespace], lastResort: [], minAge: 0 }, promising);
  const report = await simulation.run(
    cluster.sweep(namespace, policy, () => undefined, { notebook: notes, concurrency: 5 }),
  );
  await simulation.run(simulation.pass(60_000));
  return report;
}

const execsIn = (namespace: string) =>
  cluster.emulator.requests.filter((one) => one.namespace === namespace && one.subresource === 'exec').length;

describe('a profile that promises an exit code which the sidecar does not keep', () => {
  it('makes Jobs run again once, and in no later sweep', async () => {
    await stick('once', 12, { spec: { backoffLimit: 6 } });
    const notes = notebook();
    const first = await sweep('once', notes);
    expect(exitCodeOf(first)).toBe(7);
    // All had been sent before the first of them ended.
    expect(first.totals.harm).toEqual({ RunsAgain: 12 });
    const sent = execsIn('once');

    const second = await sweep('once', notes);
    expect(second.pods).toHaveLength(12);
    for (const { outcome } of second.pods)
      expect(outcome).toEqual({ kind: 'Blocked', reason: 'PromiseBroken' });
    expect(second.totals.harm).toEqual({});
    expect(exitCodeOf(second)).toBe(4);
    expect(execsIn('once')).toBe(sent);
  });

  it('does not use up the retries of a Job, restart after restart', async () => {
    await stick('restarts', 1, { restartPolicy: 'OnFailure', spec: { backoffLimit: 3 } });
    const notes = notebook();
    const [first] = (await sweep('restarts', notes)).pods;
    expect(first?.containers).toContainEqual(
      expect.objectContaining({ outcome: expect.objectContaining({ kind: 'Restarted' }) }),
    );
    for (let again = 0; again < 3; again++) {
      const [pod] = (await sweep('restarts', notes)).pods;
      expect(pod?.outcome).toEqual({ kind: 'Blocked', reason: 'PromiseBroken' });
    }
  });
});
