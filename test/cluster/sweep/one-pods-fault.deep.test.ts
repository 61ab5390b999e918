import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/kube/auth/config.ts';
import { openCluster } from '../../../src/kube/cluster.ts';
import type { PodName, PodView } from '../../../src/model/pod.ts';
import type { Cluster } from '../../../src/model/ports.ts';
import type { SweepEvent } from '../../../src/plan/sweep-event.ts';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { ReportFold } from '../../../src/report/sweep/fold.ts';
import { sweep } from '../../../src/sweep.ts';
import { type Clock, systemClock } from '../../../src/util/time.ts';
import type { Placement } from '../../kit/emulator/index.ts';
import { startedForEach } from '../../kit/started.ts';
import { podOutcome, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const broken = 'broken';
const others = ['before', 'middle', 'after'];

function fourPods(): readonly Placement[] {
  return ['before', broken, 'middle', 'after'].map((name) => stuckPod({ name }));
}

function fail(): never {
  throw new Error('out of paper');
}

function failFor({ name }: PodName): void {
  if (name === broken) fail();
}

function unreadable<K extends keyof PodView>(pod: PodView, field: K): PodView {
  return pod.ref.name === broken ? Object.defineProperty({ ...pod }, field, { get: fail }) : pod;
}

function listing(open: Cluster, change: (pod: PodView) => PodView): Pick<Cluster, 'findPods'> {
  return {
    async *findPods(scope, abort) {
      for await (const part of open.findPods(scope, abort)) {
        yield part.kind === 'Page' ? { ...part, pods: part.pods.map(change) } : part;
      }
    },
  };
}

interface Broken {
  readonly cluster?: (open: Cluster) => Partial<Cluster>;
  readonly clock?: Partial<Clock>;
  readonly hear?: (event: SweepEvent) => void;
}

describe('what goes wrong with one pod is that pod alone:', () => {
  const cluster = startedForEach(() => TestCluster.start(fourPods()));

  async function sweepBroken(parts: Broken): Promise<{ report: SweepReport; faults: readonly string[] }> {
    const config = await loadConfig({ kubeconfig: await cluster.kubeconfig(), context: undefined, env: {} });
    const open = await openCluster(config, 10_000);
    const fold = new ReportFold();
    const faults: string[] = [];
    await sweep({
      run: { id: 'test', version: 'test', dryRun: false, context: '', server: '' },
      policy: resolvePolicy({ namespaces: [], lastResort: [] }, undefined),
      cluster: { ...open, ...parts.cluster?.(open) },
      self: undefined,
      clock: { ...systemClock, ...parts.clock },
      emit(event) {
        fold.hear(event);
        if (event.kind === 'FaultFound') faults.push(`${event.fault.doing}: ${event.fault.message}`);
        parts.hear?.(event);
      },
      concurrency: 7,
      stop: new AbortController().signal,
    });
    await open.close();
    return { report: fold.report(), faults };
  }

  // biome-ignore format: one row a line
  const table: readonly (readonly [what: string, Broken, outcome: string | undefined])[] = [
    ['the pod cannot be judged', { cluster: (open) => listing(open, (pod) => unreadable(pod, 'annotations')) }, undefined],
    ['its steps cannot be drafted', { cluster: (open) => listing(open, (pod) => unreadable(pod, 'processNamespace')) }, 'Skipped'],
    ['the listener fails when a step was sent to it', { hear(event) { if (event.kind === 'StepSent') failFor(event.pod); } }, 'Unproven'],
  ];

  it.each(table)('%s', async (_what, parts, outcome) => {
    const { report } = await sweepBroken(parts);
    for (const name of others) expect(podOutcome(report, name)?.kind).toBe('Ended');
    expect(podOutcome(report, broken)?.kind).toBe(outcome);
    expect(JSON.stringify(report)).toContain('out of paper');
  });
});
