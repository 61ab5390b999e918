import { takeLock } from '../../../src/lock/lock.ts';
import type { Cluster, Leases } from '../../../src/model/ports.ts';
import type { PodConclusion } from '../../../src/plan/sweep-event.ts';
import { resolvePolicy } from '../../../src/policy/policy.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import type { Random } from '../../../src/util/retry.ts';
import { fileOf } from '../../builders/policy.ts';
import { clockOf } from '../../builders/stepped-clock.ts';
import { ensureNamespace, type Pod } from '../../kit/emulator/index.ts';
import type { SimulatedCluster } from '../../kit/random/simulated-cluster.ts';
import { stuckPod } from '../../kit/stuck-pods.ts';
import { podName } from './changes.ts';
import { History } from './history.ts';
import type { Rung } from './rungs.ts';

/** How often two sweepers get in each other's way: without a Lease, with one, or with one that is taken away. */
export type Locking = 'None' | 'Lease' | 'Stolen';

/** A request that a sweeper made to end something, or to read its pod. */
export interface Made {
  readonly what: string;
  /** When the sweeper decided on it, and when it went out. */
  readonly asked: number;
  readonly at: number;
}

export interface Sweeper {
  /** Undefined if another one held the Lease. */
  readonly report: SweepReport | undefined;
  readonly conclusions: readonly { readonly conclusion: PodConclusion; readonly at: number }[];
  readonly sent: readonly Made[];
  readonly reads: readonly Made[];
  /** When it learnt that its Lease was gone. */
  readonly lostAt: number | undefined;
}

export interface Interleaved {
  readonly seed: number;
  readonly rung: Rung;
  readonly grace: number;
  readonly before: Pod;
  readonly sweepers: readonly Sweeper[];
  readonly history: History;
}

const pauses = [0, 0, 0, 50, 300, 1_100, 2_500, 4_000];
const ways = ['exec', 'request', 'swapImages', 'addEphemeralContainer', 'setDeadline', 'evict', 'deletePod'];

/** Two sweepers over one pod, each of whose requests waits for as long as the seed says. */
export async function interleave(
  cluster: SimulatedCluster,
  seed: number,
  rungs: readonly Rung[],
  locking: Locking,
): Promise<Interleaved> {
  const random = randomFrom(seed);
  const rung = rungs[seed % rungs.length];
  if (!rung) throw new Error('no rungs');
  const { world } = cluster.emulator;
  const namespace = `${locking.toLowerCase()}-${seed}`;
  const grace = locking === 'Stolen' ? 30 : 3;
  ensureNamespace(world, namespace);
  const { sidecar, annotations = {} } = rung;
  world.placePods([stuckPod({ namespace, name: podName, sidecar, annotations, grace })]);
  const history = new History(world, namespace);
  const before = world.store.get<Pod>('pods', namespace, podName);
  if (!before) throw new Error('the pod was not placed');
  const begun = [0, 1].map(async (index) => {
    const own = randomFrom(seed * 2 + index);
    if (index === 1) await cluster.simulation.pass(Math.floor(random() * 6_000));
    return sweepAs(`${index}`, namespace, rung, cluster, own, locking);
  });
  if (locking === 'Stolen') {
    await cluster.simulation.pass(Math.floor(random() * 30_000));
    const [lease] = world.store.list('leases', namespace);
    if (lease) {
      world.store.update('leases', namespace, lease.metadata.name, (current) => ({
        ...current,
        spec: { ...Object(current['spec']), holderIdentity: 'thief' },
      }));
    }
  }
  const sweepers = await Promise.all(begun);
  await cluster.simulation.pass(30_000);
  history.leave();
  return { seed, rung, grace: grace * 1_000, before, sweepers, history };
}

async function sweepAs(
  holder: string,
  namespace: string,
  { flags, policy: written = {} }: Rung,
  cluster: SimulatedCluster,
  random: Random,
  locking: Locking,
): Promise<Sweeper> {
  const sent: Made[] = [];
  const reads: Made[] = [];
  const conclusions: { conclusion: PodConclusion; at: number }[] = [];
  const stop = new AbortController();
  let lostAt: number | undefined;
  const dawdling = <T extends object>(to: T) =>
    dawdle(to, cluster, random, (made) => {
      if (ways.includes(made.what.split(' ')[0] ?? '')) sent.push(made);
      else if (made.what === 'readPod' || made.what === 'listPods') reads.push(made);
    });
  const result = (report?: SweepReport): Sweeper => ({ report, conclusions, sent, reads, lostAt });
  const lock =
    locking === 'None'
      ? undefined
      : await takeLock({
          leases: dawdling<Leases>(cluster.held),
          clock: clockOf(cluster.simulation.clock),
          random,
          lease: { namespace, name: 'sidecar-sweeper' },
          holder,
          stop: stop.signal,
          onLost: () => {
            lostAt = cluster.now;
            stop.abort('LockLost');
          },
          onUnlocked: () => undefined,
        });
  if (lock && lock.kind !== 'Taken') return result();
  const whole = { namespaces: [namespace], minAge: 0, lastResort: [], ...flags };
  const report = await cluster.sweep(
    `${namespace}-${holder}`,
    resolvePolicy(whole, fileOf(written)),
    (event) => {
      if (event.kind === 'PodConcluded') conclusions.push({ conclusion: event.conclusion, at: cluster.now });
    },
    { stop, cluster: dawdling<Cluster>(cluster.held) },
  );
  await lock?.release();
  return result(report);
}

/** The same cluster, whose requests go out some time after they were asked for. */
function dawdle<T extends object>(
  to: T,
  { simulation, emulator }: SimulatedCluster,
  random: Random,
  hear: (made: Made) => void,
): T {
  const now = () => emulator.clock.now().getTime();
  const wait = async (what: string) => {
    const asked = now();
    await simulation.pass(pauses[Math.floor(random() * pauses.length)] ?? 0);
    hear({ what, asked, at: now() });
  };
  return new Proxy(to, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      if (name === 'findPods' || name === 'listPods') {
        return async function* (...args: unknown[]) {
          await wait(name);
          yield* member.apply(target, args);
        };
      }
      return async (...args: unknown[]) => {
        if (!isDryRun(args)) await wait(name === 'exec' ? `${name} ${signalIn(args)}` : name);
        return member.apply(target, args);
      };
    },
  });
}

function isDryRun(args: readonly unknown[]): boolean {
  return args.some((arg) => Object(arg).dryRun === true);
}

/** What a script of the sweeper's own is to send, such as `TERM:15`. */
function signalIn([, , argv]: readonly unknown[]): string {
  return Array.isArray(argv) ? argv.slice(4).join(' ') : '';
}

/** Numerical Recipes' generator: the same numbers from the same seed. */
function randomFrom(seed: number): Random {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
