import { expect } from 'vitest';
import type { Emulator, FaultAction, LightBehaviour, RequestMatch } from '../kit/emulator/index.ts';
import { noopImages } from '../kit/random/noop-images.ts';
import { quits, sidecars, stuckPod } from '../kit/stuck-pods.ts';
import { ownAccount } from './accounts.ts';
import type { FaultyCluster, Played, Trouble } from './faulty-cluster.ts';

/** Sweeps of one pod whose sidecar can be ended in one way only. */
export const ways = {
  signal: only(sidecars.clean),
  http: { ...only(quits.sidecar, quits.annotations), policy: { annotationCommands: 'any' } },
  swap: { ...only(sidecars.immune), policy: { imageSwap: noopImages.HasAll } },
  ephemeral: {
    ...only({ shell: false, on: { SIGTERM: { exitCode: 0 } } }),
    policy: { lastResort: [{ ephemeralContainer: { image: 'docker.io/local/busybox:1' } }] },
  },
  deadline: { ...only(sidecars.immune), policy: { lastResort: [{ deadline: true }] } },
  evict: { ...only(sidecars.immune), policy: { lastResort: [{ evict: true }] } },
  delete: { ...only(sidecars.immune), policy: { lastResort: [{ delete: true }] } },
} as const satisfies Record<string, Trouble>;

export type Way = keyof typeof ways;
const all = Object.keys(ways) as readonly Way[];
export const otherWays = all.filter((way) => way !== 'signal');

function only(sidecar: LightBehaviour, annotations: Record<string, string> = {}): Pick<Trouble, 'pods'> {
  return { pods: (namespace) => [stuckPod({ namespace, name: 'pod', sidecar, annotations })] };
}

/** A fault that is served from one request of a sweep onwards. */
export interface Served {
  readonly title: string;
  readonly action: FaultAction;
  /** To this many requests in a row. */
  readonly times: number;
}

/** A sweep to which a fault is served at one of its requests. */
export interface Case<F extends Served = Served> extends Played {
  readonly served: F;
  /** What that is, and how many requests came before. */
  readonly at: string;
  readonly calm: Played;
}

/** The most cases that run at once: each request is matched against the faults of all of them. */
const sideBySide = 100;

/** All sweeps begin alike, so one way alone has a case for each of the earlier requests. */
export const firstRead: RequestMatch = { verb: 'get', resource: 'pods', subresource: '' };

/** Repeats the sweep with each of these faults at each of its requests, or at each from a given one onwards. */
export async function atEveryRequest<F extends Served>(
  cluster: FaultyCluster,
  way: Trouble,
  faults: readonly F[],
  from: RequestMatch = {},
): Promise<readonly Case<F>[]> {
  const calm = await playCalm(cluster, way);
  const points = requestsFrom(calm, from).flatMap((index) =>
    faults.map((served) => ({ index, served, at: `${served.title} at ${index}` })),
  );
  expect(points.length).toBeGreaterThan(0);
  const played = await playEach(
    cluster,
    points.map(({ index, served: { action, times } }) =>
      alone(cluster, way, (match, { faults }) => void faults.add(match, action, { skip: index, times })),
    ),
  );
  return played.map((one, which) => ({ ...one, ...(points[which] ?? expect.fail()), calm }));
}

/** With an account of its own, whose token selects exactly its requests. */
export function alone(
  cluster: FaultyCluster,
  way: Trouble,
  trouble: (match: RequestMatch, emulator: Emulator, namespace: string) => void,
): Trouble {
  const account = ownAccount(cluster.emulator);
  const [token = ''] = account.tokens;
  return { ...way, account, trouble: (namespace, emulator) => trouble({ token }, emulator, namespace) };
}

/** The indexes of the requests of a sweep at which a fault can occur. */
export async function indexesOf(
  cluster: FaultyCluster,
  way: Trouble,
  from: RequestMatch = {},
): Promise<readonly number[]> {
  return requestsFrom(await playCalm(cluster, way), from);
}

function playCalm(cluster: FaultyCluster, way: Trouble): Promise<Played> {
  return cluster.play({ ...way, account: ownAccount(cluster.emulator) });
}

function requestsFrom({ requests }: Played, from: RequestMatch): readonly number[] {
  return [...requests.keys()].slice(requests.findIndex((request) => matches(request, from)));
}

export async function playEach(
  cluster: FaultyCluster,
  cases: readonly Trouble[],
): Promise<readonly Played[]> {
  const played: Played[] = [];
  for (let from = 0; from < cases.length; from += sideBySide) {
    played.push(...(await cluster.playAll(cases.slice(from, from + sideBySide))));
    cluster.emulator.faults.clear();
  }
  return played;
}

function matches(request: object, wanted: RequestMatch): boolean {
  return Object.entries(wanted).every(([field, value]) => Reflect.get(request, field) === value);
}
