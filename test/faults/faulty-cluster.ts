import { expect } from 'vitest';
import type { PodConclusion } from '../../src/plan/sweep-event.ts';
import { type PolicyFlags, resolvePolicy } from '../../src/policy/policy.ts';
import { exitCodeOf } from '../../src/report/exit-code.ts';
import type { SweepReport } from '../../src/report/schema.ts';
import { sidecarsOf } from '../../src/report/sweep/planned.ts';
import { fileOf } from '../builders/policy.ts';
import { type Emulator, ensureNamespace, type Placement, type RequestRecord } from '../kit/emulator/index.ts';
import {
  SimulatedCluster,
  type SimulatedOptions,
  type SimulatedSweep,
} from '../kit/random/simulated-cluster.ts';
import { stuckPod } from '../kit/stuck-pods.ts';
import { isSend } from './races/watcher.ts';
import { type Swept, unsound } from './sound.ts';
import { type Counted, tally } from './tally.ts';

/** A sweep of a namespace of its own in which something goes wrong. */
export interface Trouble extends SimulatedSweep {
  /** By default three stuck pods, whose sidecars end cleanly: `pod-0`, `pod-1`, `pod-2`. */
  readonly pods?: (namespace: string, emulator: Emulator) => readonly Placement[];
  /** On top of the namespace and `--min-age 0`. */
  readonly flags?: Partial<PolicyFlags>;
  /** What a policy file says. */
  readonly policy?: object;
  /** Arranges what goes wrong: a fault that matches the namespace, or a change of the cluster at some time. */
  readonly trouble?: (namespace: string, emulator: Emulator, cluster: SimulatedCluster) => void;
  /** Who sweeps, over a connection of its own; by default all cases share the admin's. */
  readonly account?: Account;
}

/** By its tokens, every request of its sweep is known, also those that name no namespace. */
export interface Account {
  readonly kubeconfig: string;
  readonly tokens: readonly string[];
}

export interface Played extends Swept {
  readonly exitCode: number;
  readonly namespace: string;
  /** In milliseconds of the cluster's time. */
  readonly took: number;
}

/** The kubelet's time to tell, in milliseconds of the cluster's clock. */
const timeToShow = 30_000;

/** A cluster in simulated time in which many cases are played side by side, each in a namespace of its own. */
export class FaultyCluster {
  #cases = 0;

  private constructor(readonly simulated: SimulatedCluster) {}

  static async start(options: SimulatedOptions = {}): Promise<FaultyCluster> {
    return new FaultyCluster(await SimulatedCluster.start(options));
  }

  get emulator(): Emulator {
    return this.simulated.emulator;
  }

  /** Plays these cases side by side. Their order is the order of the results. */
  playAll(cases: readonly Trouble[]): Promise<readonly Played[]> {
    return this.simulated.simulation.run(Promise.all(cases.map((one) => this.#play(one))));
  }

  async play(one: Trouble = {}): Promise<Played> {
    const [played] = await this.playAll([one]);
    if (!played) throw new Error('nothing was played');
    return played;
  }

  stop(): Promise<void> {
    return this.simulated.stop();
  }

  async #play({ pods = threeStuck, flags, policy, trouble, account, ...more }: Trouble): Promise<Played> {
    const { emulator, simulated } = this;
    const { world } = emulator;
    const namespace = `case-${this.#cases++}`;
    ensureNamespace(world, namespace);
    const before = world.placePods(pods(namespace, emulator));
    const cluster = account && (await simulated.connect(account.kubeconfig));
    const from = emulator.requests.length;
    const conclusions: { conclusion: PodConclusion; at: number }[] = [];
    trouble?.(namespace, emulator, simulated);
    const started = simulated.now;
    const written = { namespaces: [namespace], minAge: 0, lastResort: [], ...flags };
    const resolved = resolvePolicy(written, policy && fileOf(policy));
    const report = await simulated.sweep(
      namespace,
      resolved,
      (event) => {
        if (event.kind === 'PodConcluded') {
          conclusions.push({ conclusion: event.conclusion, at: simulated.now });
        }
      },
      { ...more, ...(cluster && { cluster }) },
    );
    const took = simulated.now - started;
    const isOurs = (request: RequestRecord) =>
      account ? account.tokens.includes(request.token) : request.namespace === namespace;
    const requests = emulator.requests.slice(from).filter(isOurs);
    await simulated.simulation.pass(timeToShow);
    const exitCode = exitCodeOf(report);
    return { report, conclusions, before, store: world.store, requests, exitCode, namespace, took };
  }
}

/** Asserts what must hold after every sweep, and counts what it found; `row` is the row of the catalogue. */
export function expectSound(played: readonly Played[], row: string): void {
  expect(played.length).toBeGreaterThan(0);
  const found = played.map((one) => ({ namespace: one.namespace, ...unsound(one) }));
  tally('sweeps', row, found.length);
  for (const what of ['outcomesLost', 'falseEnds', 'mainsTouched'] as const) {
    tally(what, row, found.flatMap((one) => one[what]).length);
  }
  for (const { namespace, ...problems } of found) {
    expect(problems, `${namespace} of ${row}`).toEqual({ outcomesLost: [], falseEnds: [], mainsTouched: [] });
  }
}

/** Judges every case, and counts it. */
export function survive<C extends Played>(
  row: string,
  cases: readonly C[],
  judge: (one: C, index: number) => void,
  what: Counted = 'faults',
): void {
  expectSound(cases, row);
  cases.forEach(judge);
  tally(what, row, cases.length);
}

export async function playOne(cluster: FaultyCluster, row: string, trouble: Trouble): Promise<Played> {
  const played = await cluster.play(trouble);
  survive(row, [played], () => undefined);
  return played;
}

function threeStuck(namespace: string): readonly Placement[] {
  return [0, 1, 2].map((index) => stuckPod({ namespace, name: `pod-${index}` }));
}

export function outcomesOf({ pods }: SweepReport): readonly (readonly string[])[] {
  return pods.map((pod) => [pod.outcome.kind, ...sidecarsOf(pod).map(({ outcome }) => outcome.kind)]);
}

/** The paths of those requests that may end something. */
export function sentAmong(requests: readonly RequestRecord[]): readonly string[] {
  return requests.filter(isSend).map(({ path }) => path);
}

/** Requests that change the pod or its containers, although it was not read since the one before. */
export function writtenBlindly(requests: readonly RequestRecord[]): readonly string[] {
  let isKnown = false;
  return requests
    .filter(({ resource }) => resource === 'pods')
    .flatMap(({ method, subresource, path, status }) => {
      const isRead = method === 'GET' && subresource === '';
      const isBlind = !isRead && !isKnown && !changesNothing(path);
      // Who is not known to the server has changed nothing.
      if (status !== 401) isKnown = isRead && (isKnown || status === 200);
      return isBlind ? [`${method} ${path}`] : [];
    });
}

/** The command that only a running container can run. */
function changesNothing(path: string): boolean {
  return new URL(path, 'https://server').searchParams.getAll('command').includes(':');
}
