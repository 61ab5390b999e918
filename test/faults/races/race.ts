import { expect } from 'vitest';
import { addNode, type Emulator, type Placement } from '../../kit/emulator/index.ts';
import { podsOfJob } from '../../kit/stuck-jobs.ts';
import { stuckPod } from '../../kit/stuck-pods.ts';
import { expectSound, type FaultyCluster, type Played, type Trouble } from '../faulty-cluster.ts';
import { tally } from '../tally.ts';
import { type Change, podName } from './changes.ts';
import type { Rung } from './rungs.ts';
import { isSend, Watcher } from './watcher.ts';

/** A change just before a request of a sweep arrives, or just after it was answered. */
export interface Race {
  readonly rung: Rung;
  readonly change: Change;
  readonly index: number;
  readonly moment: 'before' | 'after';
}

export interface Raced extends Race, Played {
  readonly watcher: Watcher;
}

/**
 * A change before every request but the first of an undisturbed sweep, before which it has seen nothing, and after each
 * that was to end something.
 */
export async function racesOf(
  cluster: FaultyCluster,
  change: Change,
  rungs: readonly Rung[],
): Promise<readonly Race[]> {
  const calm = await cluster.playAll(rungs.map((rung) => troubleOf({ rung, change })));
  return calm.flatMap(({ requests }, which) =>
    requests.flatMap((request, index) => {
      const rung = rungs[which];
      if (!rung) return [];
      const before = { rung, change, index, moment: 'before' } as const;
      if (index === 0) return [];
      return isSend(request) ? [before, { ...before, moment: 'after' } as const] : [before];
    }),
  );
}

export async function race(cluster: FaultyCluster, races: readonly Race[]): Promise<readonly Raced[]> {
  const watchers = new Map<string, Watcher>();
  const played = await cluster.playAll(
    races.map((one) => ({
      ...troubleOf(one),
      trouble: (namespace, emulator) => {
        disturb(one, namespace, emulator);
        watchers.set(namespace, new Watcher(emulator, namespace));
      },
    })),
  );
  return played.map((one, index): Raced => {
    const [which, watcher] = [races[index], watchers.get(one.namespace)];
    if (!which || !watcher) throw new Error(`${one.namespace} was not watched`);
    watcher.leave();
    // A pod that had changed when it was listed, or whose node had gone, is not part of the sweep.
    const isStuck = watcher.lastShowedItStuck && which.change.has !== 'Node';
    const isPart = one.report.pods.length > 0 || isStuck;
    return { ...which, ...one, before: isPart ? one.before : [], watcher };
  });
}

/** Asserts what holds whatever happens to a pod in the middle of a sweep, and counts the races. */
export function expectFair(raced: readonly Raced[], row: string): void {
  expectSound(raced, row);
  const unfair = raced.flatMap(({ rung, change, index, moment, watcher, conclusions }) => {
    const found = [
      ...watcher.sentInVain(),
      ...watcher.instancesAsked(),
      ...watcher.history.newcomersTouched(),
      ...conclusions.flatMap(({ conclusion }) => watcher.history.untrue(conclusion, watcher.lastShown)),
    ];
    return found.map((one) => `${rung.title}: the pod ${change.title} ${moment} request ${index}: ${one}`);
  });
  expect(unfair).toEqual([]);
  tally('faults', row, raced.length);
}

function disturb({ change, index, moment }: Race, namespace: string, { faults, world }: Emulator): void {
  const make = () => void change.make(world, namespace);
  // Time passes only when no request is under way, so that this one has its answer by then.
  const run = moment === 'before' ? make : () => void world.clock.after(1, make);
  faults.add({ namespace }, { kind: 'Before', run }, { skip: index, times: 1 });
}

function troubleOf({ rung, change }: Pick<Race, 'rung' | 'change'>): Trouble {
  return {
    pods: (namespace, emulator) => place(rung, change, namespace, emulator),
    flags: { uncleanExit: 'allow', ...rung.flags },
    ...(rung.policy && { policy: rung.policy }),
  };
}

function place(
  { sidecar, annotations = {}, grace = 1 }: Rung,
  { restartPolicy, has }: Change,
  namespace: string,
  emulator: Emulator,
): readonly Placement[] {
  const pod = {
    ...{ name: podName, sidecar, annotations, grace },
    ...(restartPolicy && { restartPolicy }),
    ...(has === 'Node' && { node: namespace }),
  };
  if (has === 'Job') return podsOfJob(emulator.world, { namespace, name: namespace, pod });
  if (has === 'Node') addNode(emulator, namespace);
  return [stuckPod({ ...pod, namespace })];
}
