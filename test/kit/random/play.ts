import type { Cluster } from '../../../src/model/ports.ts';
import type { PodConclusion, SweepEvent } from '../../../src/plan/sweep-event.ts';
import { type Policy, resolvePolicy } from '../../../src/policy/policy.ts';
import type { SweepReport } from '../../../src/report/schema.ts';
import { policyIn } from '../../builders/policy.ts';
import { ensureNamespace, type FaultAction, type Pod, type Store } from '../emulator/index.ts';
import { problemsOfReport } from './check-report.ts';
import { type Concluded, compare, unreasoned } from './compare.ts';
import { type Figures, noFigures, sum } from './figures.ts';
import { manifestsOf } from './manifests.ts';
import { noopImages } from './noop-images.ts';
import type { RandomFault, Round, Scenario } from './random-cluster.ts';
import { isStuck, jobOf, overSince } from './read-pod.ts';
import { longestSweep, type SimulatedCluster, withResults } from './simulated-cluster.ts';
import { type UncleanEnd, Witness } from './witness.ts';

export interface Played {
  readonly figures: Figures;
  readonly problems: readonly string[];
}

export const timeToFill = 10_000;
const timeToShow = 30_000;

/** Plays a scenario in a namespace of its own, and says what does not hold after each of its sweeps. */
export async function play(scenario: Scenario, namespace: string, on: SimulatedCluster): Promise<Played> {
  const { world } = on.emulator;
  ensureNamespace(world, namespace);
  const witness = new Witness(on.emulator, namespace);
  const problems: string[] = [];
  let figures = { ...noFigures, clusters: 1 };
  /** What the last sweep sent may show only in this one. */
  let wasStopped = false;
  for (const [index, round] of scenario.rounds.entries()) {
    const { jobs, pods } = manifestsOf(scenario, index, namespace);
    for (const job of jobs) world.createJob(job);
    for (const pod of pods) world.createPod(pod);
    await on.simulation.pass(timeToFill);
    const uncleanBefore = witness.uncleanEnds().length;
    const swept = await sweepOnce(scenario, round, { namespace, on, witness });
    const isStopped = round.stopsAfter !== null;
    if (!isStopped) await on.simulation.pass(timeToShow);
    const concluded = isStopped ? [] : swept.concluded;
    const { outcomes, unproven, differences } = compare(concluded, world.store, on.lag);
    const unclean = witness.uncleanEnds().slice(uncleanBefore);
    const failed = scenario.rule === 'allow' ? [] : witness.finishedButFailed();
    const found = [
      ...failed.map((job) => `(a) ${job} failed, whose mains had succeeded`),
      ...(isStopped || wasStopped ? [] : notAllowed(scenario, unclean)).map((one) => `(b) ${one}`),
      ...unreasoned(swept.report, wasStopped ? stillStuck(swept.stuck, world.store) : swept.stuck).map(
        (one) => `(c) ${one}`,
      ),
      ...differences.map((one) => `(d) ${one}`),
      ...witness.sentTwice().map((one) => `(e) sent again after its end: ${one}`),
      ...witness.sentWrongly().map((one) => `(e) sent to a main, or before its end: ${one}`),
      ...swept.problems,
      ...(swept.took >= longestSweep ? [`(f) the sweep took ${swept.took / 1_000} s`] : []),
    ];
    wasStopped = isStopped;
    problems.push(...found.map((one) => `sweep ${index}: ${one}`));
    figures = sum(figures, {
      ...noFigures,
      sweeps: 1,
      pods: swept.report.pods.length,
      unclean: scenario.rule === 'allow' ? 0 : unclean.length,
      failed: failed.length,
      outcomes,
      unproven,
      differences: differences.length,
      longest: swept.took,
    });
  }
  witness.leave();
  return { figures, problems };
}

export function notAllowed({ rule }: Scenario, ends: readonly UncleanEnd[]): readonly string[] {
  return rule === 'allow' ? [] : ends.map(({ image, pod }) => `${image}: ${pod}`);
}

/** Those that what an earlier sweep sent has not ended before this one looked. */
function stillStuck(pods: readonly Pod[], store: Store): readonly Pod[] {
  return pods.filter(({ metadata: { namespace, name, uid } }) => {
    const now = store.get<Pod>('pods', namespace, name);
    return now?.metadata.uid === uid && isStuck(now);
  });
}

interface Place {
  readonly namespace: string;
  readonly on: SimulatedCluster;
  readonly witness: Witness;
}

interface Swept {
  /** Of all its shards. */
  readonly report: Pick<SweepReport, 'pods' | 'unread'>;
  readonly stuck: readonly Pod[];
  readonly concluded: readonly Concluded[];
  readonly problems: readonly string[];
  readonly took: number;
}

async function sweepOnce(
  scenario: Scenario,
  round: Round,
  { namespace, on, witness }: Place,
): Promise<Swept> {
  const { store } = on.emulator.world;
  const before = store.list<Pod>('pods', namespace);
  const stuck = before.filter(isStuck);
  const concluded: Concluded[] = [];
  const conclude = (conclusion: PodConclusion) => {
    const pod = before.find(({ metadata }) => metadata.uid === conclusion.pod.uid);
    if (pod) concluded.push({ before: pod, conclusion, at: on.now });
  };
  const removals = round.faults.flatMap((fault) => addFault(fault, { namespace, on, witness }));
  const started = on.now;
  const stop = new AbortController();
  const cancel = on.simulation.clock.after(round.stopsAfter ?? longestSweep, () => stop.abort('Signal'));
  const hear = (event: SweepEvent) => {
    if (event.kind === 'PodConcluded') conclude(event.conclusion);
  };
  const policy = policyOf(scenario, round, namespace);
  const { shards, latency } = round;
  const sweeping = Promise.all(
    Array.from({ length: shards }, async (_, index) => {
      const shard = shards === 1 ? undefined : { index, of: shards };
      // Like processes, shards have nothing in common but the cluster.
      const cluster = index === 0 ? on.held : later(await on.connect(), index * latency, on);
      const own = { ...policy, scope: { ...policy.scope, shard } };
      return on.sweep(`${namespace}-${index}`, own, hear, { stop, cluster });
    }),
  );
  const victim = round.vanish && stuck[round.vanish.which % Math.max(stuck.length, 1)];
  if (round.vanish && victim) {
    await on.simulation.pass(round.vanish.after);
    remove(victim, round.vanish.by, { namespace, on, witness });
  }
  const reports = await sweeping;
  cancel();
  const took = on.now - started;
  for (const removal of removals) removal();
  const report = {
    pods: reports.flatMap(({ pods }) => pods),
    unread: reports.flatMap(({ unread }) => unread),
  };
  const remained = stuck.filter(
    (pod) => pod !== victim && !endsByItself(pod, scenario) && !(victim && isRemovedWith(victim, pod, store)),
  );
  const found = reports.flatMap((one) => problemsOfReport(one, on.emulator.token));
  return { report, stuck: remained, concluded, problems: found, took };
}

/** The same cluster, farther away: every answer takes so many milliseconds of the cluster's time longer. */
function later(cluster: Cluster, milliseconds: number, { simulation }: SimulatedCluster): Cluster {
  return withResults(cluster, (answer) => {
    if (!(answer instanceof Promise)) return answer;
    return answer.finally(() => simulation.pass(milliseconds));
  });
}

/** Whether a pod's sidecars end without a sweep, perhaps before the sweep has listed it. */
export function endsByItself({ metadata }: Pod, { jobs }: Scenario): boolean {
  const [, index] = /^job-(\d+)/.exec(metadata.name) ?? [];
  return (jobs[Number(index)]?.ownEnd ?? null) !== null;
}

/** Whether a pod's Job has removed it because it failed when another of its pods vanished. The sweep need not have seen it. */
function isRemovedWith(victim: Pod, pod: Pod, store: Store): boolean {
  const job = jobOf(store, victim);
  if (!job || jobOf(store, pod) !== job || overSince(job) === undefined) return false;
  const { namespace, name } = pod.metadata;
  const now = store.get<Pod>('pods', namespace, name);
  return now === undefined || now.metadata.deletionTimestamp !== undefined;
}

function remove(
  { metadata }: Pod,
  by: NonNullable<Round['vanish']>['by'],
  { namespace, on, witness }: Place,
): void {
  const { world } = on.emulator;
  const pod = world.store.get<Pod>('pods', namespace, metadata.name);
  if (!pod || pod.metadata.deletionTimestamp) return;
  witness.excuse(pod);
  switch (by) {
    case 'Preempt':
      world.preemptPod(namespace, metadata.name);
      return;
    case 'Evict':
      world.evictPod(namespace, metadata.name);
      return;
    case 'Delete':
      world.deletePod(namespace, metadata.name, { gracePeriodSeconds: 0 });
  }
}

/** Both meet the same requests: the fault, and the witness that notes it. */
function addFault(
  { subresource, method, kind, skip, times }: RandomFault,
  { namespace, on, witness }: { namespace: string; on: SimulatedCluster; witness: Witness },
): readonly (() => void)[] {
  // Upgrades are GETs.
  const match =
    subresource === ''
      ? { resource: 'pods', namespace, method, subresource }
      : { resource: 'pods', namespace, subresource };
  const note: FaultAction = { kind: 'Before', run: (request) => witness.noteFault(request) };
  return [note, actionOf(kind)].map((action) => on.emulator.faults.add(match, action, { skip, times }));
}

function actionOf(kind: RandomFault['kind']): FaultAction {
  switch (kind) {
    case 'Drop':
      return { kind: 'Drop' };
    case 'Cut':
      return { kind: 'Frames', frames: [], end: { kind: 'Terminate' } };
    case 429:
    case 500:
    case 503:
      return { kind: 'Answer', status: kind, body: {}, headers: { 'Retry-After': '1' } };
  }
}

const swapped = { ...noopImages.HasAll, commands: [...noopImages.SaysSome.commands, '/opt/own'] };

const lastResorts = {
  none: [],
  ephemeral: [{ ephemeralContainer: { image: 'docker.io/local/busybox:1' } }],
  swap: [{ imageSwap: swapped }],
  deadline: [{ deadline: true }],
  evict: [{ evict: true }],
  delete: [{ delete: true }],
};

export function writtenPolicy({ swap, lastResort }: Round): object {
  return {
    apiVersion: 'sidecar-sweeper.dev/v1',
    kind: 'SweepPolicy',
    ...(swap && { imageSwap: noopImages[swap] }),
    lastResort: lastResorts[lastResort],
  };
}

function policyOf({ rule }: Scenario, round: Round, namespace: string): Policy {
  const flags = { namespaces: [namespace], minAge: 0, uncleanExit: rule, lastResort: [] };
  return resolvePolicy(flags, policyIn(JSON.stringify(writtenPolicy(round))));
}
