import { expect } from 'vitest';
import type { FaultAction, RequestMatch } from '../kit/emulator/index.ts';
import { ownAccount } from './accounts.ts';
import { expectSound, type FaultyCluster, type Played, type Trouble } from './faulty-cluster.ts';
import { tally } from './tally.ts';

/** What is served from one request of a sweep on. */
export interface Served {
  readonly title: string;
  readonly action: FaultAction;
  /** To how many requests in a row. */
  readonly times: number;
}

/** A sweep to which a fault is served at one of its requests. */
export interface Case<F extends Served = Served> extends Played {
  readonly served: F;
  /** How many requests came before. */
  readonly index: number;
  readonly calm: Played;
}

/** So many play side by side: each request is compared with the faults of all of them. */
const sideBySide = 100;

/** Its beginning is the same whatever comes after: only one way needs every request of it. */
export const firstRead: RequestMatch = { verb: 'get', resource: 'pods', subresource: '' };

/** The same sweep again and again, with each of these faults at each of its requests, or at those from one of them on. */
export async function atEveryRequest<F extends Served>(
  cluster: FaultyCluster,
  way: Trouble,
  faults: readonly F[],
  from: RequestMatch = {},
): Promise<readonly Case<F>[]> {
  const { emulator } = cluster;
  const calm = await playCalm(cluster, way);
  const points = requestsFrom(calm, from).flatMap((index) => faults.map((served) => ({ index, served })));
  expect(points.length).toBeGreaterThan(0);
  const played = await playEach(
    cluster,
    points.map(({ index, served: { action, times } }) => {
      const account = ownAccount(emulator);
      const [token = ''] = account.tokens;
      return {
        ...way,
        account,
        trouble: (_namespace, { faults }) => void faults.add({ token }, action, { skip: index, times }),
      };
    }),
  );
  return played.map((one, at) => ({ ...one, ...(points[at] ?? expect.fail()), calm }));
}

/** At which of its requests something can go wrong with a sweep. */
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

export async function playOne(cluster: FaultyCluster, row: string, trouble: Trouble): Promise<Played> {
  const played = await cluster.play(trouble);
  expectSound([played], row);
  tally('faults', row, 1);
  return played;
}

/** Judges every case, and counts it. */
export function survive<C extends Played>(row: string, cases: readonly C[], judge: (one: C) => void): void {
  expectSound(cases, row);
  for (const one of cases) judge(one);
  tally('faults', row, cases.length);
}

function matches(request: object, wanted: RequestMatch): boolean {
  return Object.entries(wanted).every(([field, value]) => Reflect.get(request, field) === value);
}
