import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Guard } from '../../../../src/apply/guard/guard.ts';
import { createMemory } from '../../../../src/apply/guard/memory.ts';
import type { PodPlan } from '../../../../src/plan/sweep-plan.ts';
import { step, steps } from '../../../builders/plan.ts';
import { now } from '../../../builders/pod-view.ts';
import { clean, planOf, sidecar, tell } from './asking.ts';

const follower = step(15, { clearance: 'Follower' });

/** Pods before a guard that lets two in at each trial. */
function outside(...plans: readonly Partial<PodPlan>[]) {
  const stopping = new AbortController();
  const memory = createMemory(undefined, { now: () => now, sleep: async () => undefined }, stopping.signal);
  const guard = new Guard(async () => new Set(), memory, stopping.signal, 2);
  const pods = plans.map((plan, index) => planOf(index, plan));
  for (const pod of pods) guard.expect(pod);
  const begun: number[] = [];
  for (const [index, pod] of pods.entries()) {
    const wait = guard.wait(pod);
    if (wait) void wait.then(() => begun.push(index));
    else begun.push(index);
  }
  return {
    guard,
    stop: () => stopping.abort('Signal'),
    async begun() {
      await setImmediate();
      return begun;
    },
    /** Asks for a pod's first step. */
    ask(index: number) {
      const pod = pods[index] ?? expect.fail(`there is no pod ${index}`);
      const [target] = pod.targets;
      if (target?.kind !== 'Planned') expect.fail('nothing is planned');
      return guard.permit(pod, [target], target.steps[0] ?? step());
    },
    conclude: (index: number) => guard.forget((pods[index] ?? expect.fail('no pod')).candidate.pod.ref),
  };
}

const plain = { targets: [sidecar({ steps: [step()] })] };
const other = { targets: [sidecar({ steps: [step()], alike: 'other' })] };
const free = { targets: [sidecar({ steps: [step(15, { clearance: 'Free' })] })] };
const following = { targets: [sidecar({ steps: [follower] })] };

describe('of the pods that begin with a step that one of them tries first,', () => {
  it('two begin, and all others when it is known how it went', async () => {
    const { begun, ask } = outside(plain, plain, plain, plain);
    expect(await begun()).toEqual([0, 1]);
    await tell(ask(0), clean);
    expect(await begun()).toEqual([0, 1, 2, 3]);
  });

  it('another begins when one of them has had its turn, and nothing was learnt', async () => {
    const { begun, ask } = outside(plain, plain, plain, plain);
    await tell(ask(0), clean, { kind: 'Busy', message: 'later' });
    expect(await begun()).toEqual([0, 1, 2]);
  });

  it('another begins when one of them is concluded without a turn', async () => {
    const { begun, conclude } = outside(plain, plain, plain, plain);
    conclude(1);
    expect(await begun()).toEqual([0, 1, 2]);
  });

  it('all begin when the sweep stops', async () => {
    const { begun, stop } = outside(plain, plain, plain, plain);
    stop();
    expect(await begun()).toEqual([0, 1, 2, 3]);
  });

  it('none that has more to lose begins before those that have less', async () => {
    const dear = { ...plain, uncleanCost: { kind: 'AnotherRun' } } as const;
    const cheap = { ...plain, uncleanCost: { kind: 'Restart' } } as const;
    const { begun, conclude } = outside(dear, cheap, dear);
    expect(await begun()).toEqual([1]);
    conclude(1);
    expect(await begun()).toEqual([1, 0, 2]);
  });

  it('none that may only follow begins before the others', async () => {
    const { begun, ask } = outside(following, plain);
    expect(await begun()).toEqual([1]);
    await tell(ask(1), clean);
    expect(await begun()).toEqual([1, 0]);
  });
});

describe('a pod that begins at once for another of its sidecars', () => {
  it('does not keep those outside that have less to lose, and that it will wait for', async () => {
    const dear = {
      targets: [...plain.targets, ...free.targets],
      uncleanCost: { kind: 'AnotherRun' },
    } as const;
    const cheap = { ...plain, uncleanCost: { kind: 'Restart' } } as const;
    expect(await outside(dear, dear, dear, cheap).begun()).toEqual([0, 1, 2, 3]);
  });
});

it('a step that is held without a question is no turn: nobody else begins for it', async () => {
  const held = { targets: [sidecar({ steps: [step(9, { clearance: 'KnownUnclean' }), step()] })] };
  const { begun, ask } = outside(held, held, held);
  expect(await ask(0)).toEqual({ kind: 'Held', reason: 'KnownUnclean' });
  expect(await begun()).toEqual([0, 1]);
});

it('a pod that may go first for one of its sidecars comes when it is its turn there', async () => {
  const followsElsewhere = sidecar({ steps: [follower], alike: 'other' });
  const both = { targets: [followsElsewhere, ...plain.targets] };
  const { begun, conclude } = outside(other, plain, plain, both);
  expect(await begun()).toEqual([0, 1, 2]);
  conclude(1);
  expect(await begun()).toEqual([0, 1, 2, 3]);
});

describe('a pod begins at once', () => {
  it('if nothing has to be tried before its first step', async () => {
    expect(await outside(free, free, free).begun()).toEqual([0, 1, 2]);
  });

  it('if others wait for something else', async () => {
    expect(await outside(plain, plain, plain, other).begun()).toEqual([0, 1, 3]);
  });

  it('if one of its sidecars need not wait', async () => {
    const both = { targets: [...plain.targets, ...free.targets] };
    expect(await outside(plain, plain, both).begun()).toEqual([0, 1, 2]);
  });

  it('if it is unknown what it begins with', async () => {
    const unknown = { targets: [sidecar({ steps: [] })] };
    expect(await outside(unknown, unknown, unknown).begun()).toEqual([0, 1, 2]);
  });

  it('if it may only follow, and nobody but itself may go first', async () => {
    const alone = { targets: [sidecar({ steps: [follower, steps.Http] })] };
    expect(await outside(alone).begun()).toEqual([0]);
  });

  it('if nobody was told to expect it: an error kept that, and it will meet it', async () => {
    const { guard } = outside(plain, plain);
    expect(guard.wait(planOf(7, plain))).toBeUndefined();
  });
});

it('once something is known, nobody waits outside', async () => {
  const { guard, ask } = outside(plain, plain);
  await tell(ask(0), clean);
  const later = [10, 11, 12].map((number) => planOf(number, plain));
  for (const plan of later) guard.expect(plan);
  expect(later.map((plan) => guard.wait(plan))).toEqual([undefined, undefined, undefined]);
});
