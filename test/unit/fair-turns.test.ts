import { expect, it } from 'vitest';
import type { PodView } from '../../src/model/pod.ts';
import type { SweepEvent } from '../../src/plan/sweep-event.ts';
import { resolvePolicy } from '../../src/policy/policy.ts';
import { sweep } from '../../src/sweep.ts';
import { clusterWith } from '../builders/cluster.ts';
import { container, exited, now, podView } from '../builders/pod-view.ts';
import { clockOf } from '../builders/stepped-clock.ts';
import { Simulation } from '../kit/random/simulated-cluster.ts';

/** How long one exec takes, in milliseconds of the cluster. */
const perExec = 1_000;
const atATime = 5;
const crowd = 200;

function stuck(namespace: string, number: number): PodView {
  const name = `${namespace}-${number}`;
  const ref = { namespace, name, uid: name };
  // Nodes take turns of their own.
  return podView({ ref, node: name, owner: undefined, requests: { cpu: 4, memory: 0 } });
}

function ended(pod: PodView): PodView {
  const [main] = pod.containers;
  return {
    ...pod,
    phase: 'Succeeded',
    containers: [...(main ? [main] : []), container('sidecar', exited(0, now))],
  };
}

/** When each pod got its first step, in milliseconds after the very first one. */
async function firstSteps(flags: Partial<Parameters<typeof resolvePolicy>[0]>) {
  const simulation = new Simulation();
  const clock = clockOf(simulation.clock);
  const pods = new Map(
    [...Array.from({ length: crowd }, (_, number) => stuck('crowd', number)), stuck('small', 0)].map(
      (pod) => [pod.ref.name, pod],
    ),
  );
  const steps = new Map<string, number>();
  const left: string[] = [];
  const present = (pod: PodView) => ({ kind: 'Present', pod, asOf: now }) as const;
  const cluster = clusterWith({
    async *listPods() {
      const running = [...pods.values()].filter(({ phase }) => phase === 'Running');
      yield { kind: 'Page', pods: running, malformed: [], atWork: [], asOf: now } as const;
    },
    readNode: async () => ({ kind: 'Ready', platform: 'linux/amd64' }),
    readNamespace: async () => ({ kind: 'Gone' }),
    mayI: async () => ({ kind: 'Allowed' }),
    readPod: async ({ name }) => present(pods.get(name) ?? podView()),
    async exec(ref, _container, _command, abort) {
      if (!steps.has(ref.name)) steps.set(ref.name, clock.now());
      await clock.sleep(perExec, abort);
      pods.set(ref.name, ended(pods.get(ref.name) ?? podView({ ref })));
      return { kind: 'Exited', exitCode: 0, output: '' };
    },
  });
  const emit = (event: SweepEvent) => {
    if (event.kind !== 'PodConcluded') return;
    const { pod, outcome } = event.conclusion;
    if (outcome.kind === 'NotAttempted') left.push(`${pod.name} ${outcome.reason}`);
    else expect(outcome.kind).toBe('Ended');
  };
  const work = sweep({
    run: { id: 'fair', version: 'test', dryRun: false, context: 'test', server: 'test' },
    policy: resolvePolicy({ namespaces: [], minAge: 0, lastResort: [], ...flags }, undefined),
    cluster,
    self: undefined,
    clock,
    random: () => 0,
    emit,
    concurrency: atATime,
    stop: new AbortController().signal,
  });
  await simulation.run(work);
  const first = Math.min(...steps.values());
  return { steps: new Map([...steps].map(([name, at]) => [name, at - first])), left };
}

it("a namespace with hundreds of stuck pods does not keep another's only one waiting", async () => {
  const { steps, left } = await firstSteps({});
  expect(steps.size).toBe(crowd + 1);
  // Among the first five, though it was listed last.
  expect(steps.get('small-0')).toBeLessThan(perExec);
  expect(Math.max(...steps.values())).toBeGreaterThan((crowd / atATime / 2) * perExec);
  expect(left).toEqual([]);
});

it('with a cap, the others of the crowd are left for the next sweep, and the small namespace gets its turn', async () => {
  const { steps, left } = await firstSteps({ maxPods: 10 });
  expect(steps.size).toBe(10);
  expect(steps.has('small-0')).toBe(true);
  expect(left).toHaveLength(crowd - 9);
  expect(new Set(left.map((one) => one.split(' ')[1]))).toEqual(new Set(['OverMaxPods']));
});
