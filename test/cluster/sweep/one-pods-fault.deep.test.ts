import { expect, it } from 'vitest';
import type { PodName, PodView } from '../../../src/model/pod.ts';
import type { Cluster } from '../../../src/model/ports.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { startedForEach } from '../../kit/started.ts';
import { podOutcome, stuckPod } from '../../kit/stuck-pods.ts';

const cluster = startedForEach(() => SimulatedCluster.start());

const broken = 'broken';
const others = ['before', 'middle', 'after'];

function fail(): never {
  throw new Error('out of paper');
}

function failFor({ name }: PodName): void {
  if (name === broken) fail();
}

/** Lists the broken pod so that this field of it cannot be read. */
function unreadable(field: keyof PodView, open: Cluster): Cluster {
  const change = (pod: PodView) =>
    pod.ref.name === broken ? Object.defineProperty({ ...pod }, field, { get: fail }) : pod;
  return {
    ...open,
    async *findPods(scope, abort) {
      for await (const part of open.findPods(scope, abort)) {
        yield part.kind === 'Page' ? { ...part, pods: part.pods.map(change) } : part;
      }
    },
  };
}

interface Broken {
  readonly field?: keyof PodView;
  readonly hear?: (event: SweepEvent) => void;
}

// biome-ignore format: one row a line
const table: readonly (readonly [what: string, Broken, outcome: string | undefined])[] = [
  ['the pod cannot be judged', { field: 'annotations' }, undefined],
  ['its steps cannot be drafted', { field: 'processNamespace' }, 'Skipped'],
  ['the listener fails when a step was sent to it', { hear(event) { if (event.kind === 'StepSent') failFor(event.pod); } }, 'Unproven'],
];

it.each(table)(
  'what goes wrong with one pod is that pod alone: %s',
  async (_what, { field, hear }, outcome) => {
    const { emulator, simulation, held } = cluster;
    emulator.world.placePods(['before', broken, 'middle', 'after'].map((name) => stuckPod({ name })));
    const policy = resolvePolicy({ namespaces: [], lastResort: [] }, undefined);
    const swept = cluster.sweep('test', policy, hear, { cluster: field ? unreadable(field, held) : held });
    const report = await simulation.run(swept);
    for (const name of others) expect(podOutcome(report, name)?.kind).toBe('Ended');
    expect(podOutcome(report, broken)?.kind).toBe(outcome);
    expect(JSON.stringify(report)).toContain('out of paper');
  },
);
