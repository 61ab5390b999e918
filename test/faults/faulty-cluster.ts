import { expect } from 'vitest';
import type { PodConclusion } from '../../src/plan/sweep-event.ts';
import { type PolicyFlags, resolvePolicy } from '../../src/policy/policy.ts';
import { exitCodeOf } from '../../src/report/exit-code.ts';
import { type SweepReport, sweepReport } from '../../src/report/schema.ts';
import { sidecarsOf } from '../../src/report/sweep/planned.ts';
import { fileOf } from '../builders/policy.ts';
import {
  type Emulator,
  ensureNamespace,
  type Placement,
  type Pod,
  type RequestRecord,
  type Store,
} from '../kit/emulator/index.ts';
import { type Concluded, compare, unreasoned } from '../kit/random/compare.ts';
import { isStuck, mainOf } from '../kit/random/read-pod.ts';
import {
  SimulatedCluster,
  type SimulatedOptions,
  type SimulatedSweep,
} from '../kit/random/simulated-cluster.ts';
import { startedOnce } from '../kit/started.ts';
import { stuckPod } from '../kit/stuck-pods.ts';
import { isSend } from './races/watcher.ts';
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

export interface Played {
  readonly report: SweepReport;
  readonly conclusions: readonly { readonly conclusion: PodConclusion; readonly at: number }[];
  readonly before: readonly Pod[];
  /** The cluster as it is now, when the kubelet has had the time to tell. */
  readonly store: Store;
  readonly requests: readonly RequestRecord[];
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

  /** The one that the tests of a file share. */
  static startedOnce(options: SimulatedOptions = {}): FaultyCluster {
    return startedOnce(() => FaultyCluster.start(options));
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

/** What went wrong cost nothing: the pod has ended, and was sent nothing that its last read does not justify. */
export function expectUnharmed({ report, exitCode, requests }: Played): void {
  expect(outcomesOf(report)[0]?.[0]).toMatch(/^(Ended|Gone)$/);
  expect(exitCode).toBe(0);
  expect(writtenBlindly(requests)).toEqual([]);
}

/** The sweep has ended without its work done, and says so like this. */
export function expectGivenUp(
  { report, exitCode, took }: Played,
  says: RegExp,
  at = '',
  most = 300_000,
): void {
  expect(exitCode, at).toBe(report.unread.length > 0 ? 3 : 4);
  expect(JSON.stringify(report), at).toMatch(says);
  expect(took, at).toBeLessThan(most);
}

/** A list as the API server answers with it. */
export function podList(items: readonly unknown[], metadata: object = { resourceVersion: '1' }) {
  return { kind: 'PodList', apiVersion: 'v1', metadata, items };
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

/** What must hold after every sweep, whatever went wrong; empty if it does. */
interface Unsound {
  /** Stuck pods without an outcome, or with two; what was left undone without a reason. */
  readonly outcomesLost: readonly string[];
  /** What is reported as ended and runs, and every other outcome that the cluster does not show. */
  readonly falseEnds: readonly string[];
  /** Mains that were sent something, or that were changed. */
  readonly mainsTouched: readonly string[];
}

function unsound({ report, conclusions, before, store, requests }: Played): Unsound {
  const concluded: Concluded[] = conclusions.flatMap(({ conclusion, at }) => {
    const pod = before.find(({ metadata }) => metadata.uid === conclusion.pod.uid);
    return pod ? [{ before: pod, conclusion, at }] : [];
  });
  const invalid = sweepReport.safeParse(report).error;
  return {
    outcomesLost: [
      ...(invalid ? [`the report does not match its schema: ${invalid.message}`] : []),
      ...unreasoned(report, before.filter(isStuck)),
    ],
    falseEnds: compare(concluded, store, 0).differences,
    mainsTouched: [...requests.flatMap(sentToMain), ...before.flatMap((pod) => changedMain(pod, store))],
  };
}

/** An exec says in which container; the other requests for containers are made in the light of their whole pod. */
function sentToMain({ subresource, path }: RequestRecord): readonly string[] {
  const container = new URL(path, 'https://server').searchParams.get('container');
  return subresource === 'exec' && container === 'main' ? [path] : [];
}

function changedMain(before: Pod, store: Store): readonly string[] {
  const { namespace, name, uid } = before.metadata;
  const after = store.get<Pod>('pods', namespace, name);
  if (after?.metadata.uid !== uid) return [];
  const [was, is] = [mainOf(before), mainOf(after)];
  const same = was?.containerID === is?.containerID && was?.restartCount === is?.restartCount;
  return same ? [] : [`${namespace}/${name}: its main was ${was?.containerID} and is ${is?.containerID}`];
}
