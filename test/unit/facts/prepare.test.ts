import { describe, expect, it } from 'vitest';
import { prepare } from '../../../src/facts/prepare.ts';
import type { Candidate } from '../../../src/model/verdict.ts';
import type { Emit, SweepEvent } from '../../../src/plan/sweep-event.ts';
import { createSlots } from '../../../src/util/concurrency.ts';
import { clusterWith } from '../../builders/cluster.ts';
import { now } from '../../builders/pod-view.ts';
import { policy } from '../../builders/policy.ts';
import { candidateOf, podRef } from '../../builders/report.ts';

function without(field: 'mains' | 'sidecars', number: number): Candidate {
  const { mains, sidecars, ...rest } = candidateOf(number);
  let reads = 0;
  const get = () => {
    // The mains can be counted and the sidecars named, but not planned for.
    if ((reads++ === 0) === (field === 'sidecars')) throw new Error('out of paper');
    return { mains, sidecars }[field];
  };
  return Object.defineProperty({ mains, sidecars, ...rest }, field, { get });
}

async function prepared(...candidates: readonly Candidate[]) {
  const heard: SweepEvent[] = [];
  const plan = await prepareThem(candidates, { emit: (event) => void heard.push(event) });
  return { planned: plan.pods.map((pod) => pod.candidate.pod.ref.name), heard };
}

interface Around {
  readonly emit?: Emit;
  readonly readJobs?: () => void;
  readonly stop?: AbortSignal;
}

function prepareThem(candidates: readonly Candidate[], around: Around) {
  const readAll = async () => {
    around.readJobs?.();
    return new Map();
  };
  return prepare(candidates, {
    policy: policy(),
    cluster: clusterWith({ mayI: async () => ({ kind: 'Allowed' }) }),
    jobs: { readAll },
    slots: createSlots(1),
    notes: { isBroken: () => false },
    facts: { nodes: new Map() },
    emit: around.emit ?? (() => undefined),
    stop: around.stop ?? new AbortController().signal,
    asOf: now,
  });
}

describe('a pod that cannot be planned is undecided, and all others are planned:', () => {
  it.each(['mains', 'sidecars'] as const)('without its %s', async (field) => {
    const { planned, heard } = await prepared(candidateOf(1), without(field, 2), candidateOf(3));
    expect(planned).toEqual(['pod-1', 'pod-3']);
    const problem = 'internal error while planning demo/pod-2: Error: out of paper';
    const outcome = { kind: 'Skipped', reason: { kind: 'Undecided', problem } };
    const targets = [{ container: 'sidecar', attempts: [], outcome, endedAt: undefined }];
    expect(heard).toMatchObject([
      { kind: 'FaultFound', fault: { doing: 'planning demo/pod-2', message: 'Error: out of paper' } },
      { kind: 'PodConcluded', conclusion: { pod: podRef(2), targets, outcome } },
    ]);
  });
});

it('a stop is heard while a big plan is made, and ends it', async () => {
  const many = Array.from({ length: 2_000 }, (_, number) => candidateOf(number));
  const stopping = new AbortController();
  const plan = await prepareThem(many, {
    stop: stopping.signal,
    readJobs: () => setImmediate(() => stopping.abort('Signal')),
  });
  expect(stopping.signal.reason).toBe('Signal');
  expect(plan.pods).toEqual([]);
});
