import { expect, it } from 'vitest';
import { createPodEvents } from '../../src/cli/sweep/events.ts';
import { resolvePolicy } from '../../src/policy/policy.ts';
import { clockOf } from '../builders/stepped-clock.ts';
import { ensureNamespace, type FaultAction } from '../kit/emulator/index.ts';
import { SimulatedCluster } from '../kit/random/simulated-cluster.ts';
import { startedForEach } from '../kit/started.ts';
import { stuckPod } from '../kit/stuck-pods.ts';
import { tally } from './tally.ts';

const cluster = startedForEach(() => SimulatedCluster.start());

/** Sweeps so many stuck pods with Events, of which each request meets this. */
async function sweep(namespace: string, pods: number, fault?: FaultAction) {
  const { emulator, simulation } = cluster;
  ensureNamespace(emulator.world, namespace);
  const names = Array.from({ length: pods }, (_, index) => `pod-${index}`);
  emulator.world.placePods(names.map((name) => stuckPod({ namespace, name })));
  if (fault) emulator.faults.add({ resource: 'events', namespace }, fault);
  const said: string[] = [];
  const events = createPodEvents({
    events: cluster.held,
    clock: clockOf(simulation.clock),
    reporter: 'test',
    log: { fail: (message) => void said.push(message) },
  });
  const flags = { namespaces: [namespace], minAge: 0, lastResort: [] };
  const began = cluster.now;
  const report = await cluster.sweep(namespace, resolvePolicy(flags, undefined), events.hear);
  const took = cluster.now - began;
  await events.finish(new AbortController().signal);
  const asked = emulator.requests.filter((one) => one.resource === 'events' && one.namespace === namespace);
  return { ended: report.totals.pods['Ended'], took, asked: asked.length, said };
}

const status = (code: number): FaultAction => ({ kind: 'Answer', status: code, body: {} });
const faults: readonly (readonly [title: string, fault: FaultAction])[] = [
  ['refuses it', status(403)],
  ['is too busy', status(429)],
  ['is too busy for an hour', { kind: 'Answer', status: 429, body: {}, headers: { 'Retry-After': '3600' } }],
  ['fails', status(500)],
  ['hangs up', { kind: 'Drop' }],
  ['never answers', { kind: 'NeverAnswer' }],
];

it.each(faults)('E1: Events delay no sidecar’s end if the server %s', async (_title, fault) => {
  const calm = await cluster.simulation.run(sweep('calm', 3));
  const faulty = await cluster.simulation.run(sweep('faulty', 3, fault));
  expect(calm).toMatchObject({ ended: 3, asked: 3, said: [] });
  expect(faulty.ended).toBe(3);
  expect(faulty.took).toBeLessThanOrEqual(calm.took + 1_000);
  expect(faulty.said).toEqual([expect.stringContaining('0 of 3 events were written')]);
  tally('faults', 'E1', 1);
});

it('E1: a sweep writes 200 Events at most, one for each pod', async () => {
  const { ended, asked, said } = await cluster.simulation.run(sweep('flood', 210));
  expect({ ended, asked }).toEqual({ ended: 210, asked: 200 });
  expect(said).toEqual(['200 of 210 events were written: the limit is 200']);
  tally('faults', 'E1', 1);
});
