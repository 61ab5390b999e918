import { describe, expect, it } from 'vitest';
import type { RequestRecord } from '../kit/emulator/index.ts';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { tally } from './tally.ts';

const cluster = TestCluster.startedOnce();

const conflict = {
  kind: 'Answer',
  status: 409,
  body: { kind: 'Status', status: 'Failure', reason: 'Conflict', message: 'the object has been modified' },
} as const;

/** A namespace of its own with a stuck pod, and a Lease that an earlier sweep has given back. */
async function nextCase(isFirst: boolean): Promise<string> {
  const namespace = cluster.placeCase();
  if (!isFirst) await sweep(namespace);
  cluster.emulator.world.placePods([stuckPod({ namespace, name: 'pod' })]);
  return namespace;
}

async function sweep(namespace: string) {
  const from = cluster.emulator.requests.length;
  const flags = `-n ${namespace} --lock ${namespace} --min-age 0s --log-level error`.split(' ');
  const { run, report } = await cluster.sweepHere(flags);
  const requests = cluster.emulator.requests.slice(from).filter((one) => one.namespace === namespace);
  return { run, report, requests };
}

function holderIn(namespace: string): unknown {
  return cluster.emulator.world.store.get('leases', namespace, 'sidecar-sweeper');
}

const isOfLease = ({ resource }: RequestRecord) => resource === 'leases';
const isWrite = ({ method }: RequestRecord) => method !== 'GET';

describe.each([
  { title: 'that is not there yet', isFirst: true },
  { title: 'that was given back', isFirst: false },
])('A8: a Lease $title', ({ isFirst }) => {
  it('with a 409 for any of its writes keeps the sweep apart from others, and costs nothing', async () => {
    const { requests } = await sweep(await nextCase(isFirst));
    const calm = requests.filter((one) => isOfLease(one) && isWrite(one));
    expect(calm.length).toBeGreaterThan(1);
    for (const index of calm.keys()) {
      for (const times of [1, 2]) {
        const namespace = await nextCase(isFirst);
        const match = { namespace, resource: 'leases', when: isWrite };
        cluster.emulator.faults.add(match, conflict, { skip: index, times });
        const { run, report } = await sweep(namespace);
        expect(run.exitCode, `${times} from ${index}`).toBe(0);
        expect(report.totals.pods).toEqual({ Ended: 1 });
        expect(report.warnings).toEqual([]);
        cluster.emulator.faults.clear();
        tally('faults', 'A8', 1);
      }
    }
  });

  it('with a 409 for every write belongs to another sweep: nothing is sent, and it is not tried without end', async () => {
    const namespace = await nextCase(isFirst);
    cluster.emulator.faults.add({ namespace, resource: 'leases', when: isWrite }, conflict);
    const { run, report, requests } = await sweep(namespace);
    cluster.emulator.faults.clear();
    expect(run.exitCode).toBe(3);
    const message = expect.stringContaining('unknown whether another sweep is running');
    expect(report).toMatchObject({ pods: [], unread: [{ message }] });
    expect(requests.filter((one) => !isOfLease(one))).toEqual([]);
    expect(requests.length).toBeLessThan(30);
    tally('faults', 'A8', 1);
  });

  it('that is deleted before it is created or read is made anew', async () => {
    const calm = (await sweep(await nextCase(isFirst))).requests.filter(isOfLease);
    // Before it is taken or given back, the server's answer is that it has changed.
    for (const [index, { verb, name }] of calm.entries()) {
      // The notes of earlier sweeps are read while the Lease is held.
      if (verb === 'update' || name === 'sidecar-sweeper-learnt') continue;
      const namespace = await nextCase(isFirst);
      const { store } = cluster.emulator.world;
      const run = () => {
        if (holderIn(namespace)) store.delete('leases', namespace, 'sidecar-sweeper');
      };
      cluster.emulator.faults.add(
        { namespace, resource: 'leases' },
        { kind: 'Before', run },
        { skip: index, times: 1 },
      );
      const swept = await sweep(namespace);
      expect(swept.run.exitCode, `before ${index}: ${swept.run.stderr}`).toBe(0);
      expect(swept.report).toMatchObject({ totals: { pods: { Ended: 1 } }, warnings: [] });
      expect(holderIn(namespace)).toMatchObject({ spec: { holderIdentity: '' } });
      cluster.emulator.faults.clear();
      tally('faults', 'A8', 1);
    }
  });
});
