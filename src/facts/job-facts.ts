import { needs } from '../methods/permissions.ts';
import type { FailureRule, JobView } from '../model/job.ts';
import { failedPodsOf } from '../model/job-reaction.ts';
import { jobKey, jobOf, type PodView } from '../model/pod.ts';
import type { Cluster } from '../model/ports.ts';
import type { FailedEnd, JobFacts, JobReading, ListReading } from '../model/reading.ts';
import { restartsDue } from '../model/restarts.ts';
import { isSwapped, startError } from '../model/swap.ts';
import type { Candidate } from '../model/verdict.ts';
import { groupsOf } from '../util/groups.ts';
import type { Millis } from '../util/time.ts';
import { type JobReader, unreadableIn } from './job-reader.ts';
import { createAsker, type ReadOptions } from './readers.ts';

interface JobFactsOptions extends ReadOptions<'listJobPods' | 'listFailedPods'> {
  readonly jobs: Pick<JobReader, 'readAll'>;
  readonly noopImages: readonly string[];
}

/** The facts about the Jobs that own candidates, by their keys; each Job is read once. */
export async function gatherJobFacts(
  candidates: readonly Candidate[],
  { jobs, noopImages, cluster, slots, emit, stop }: JobFactsOptions,
): Promise<ReadonlyMap<string, JobFacts>> {
  const owned = candidates.flatMap(({ pod, mains }) => {
    const owner = jobOf(pod);
    const isCountingRestarts = pod.restartPolicy === 'OnFailure';
    const isFinished = mains.every(({ exitCode }) => exitCode === 0);
    return owner ? [{ namespace: pod.ref.namespace, owner, isCountingRestarts, isFinished }] : [];
  });
  const groups = groupsOf(owned, ({ namespace, owner }) => jobKey(namespace, owner));
  const readings = await jobs.readAll(
    groups.map(([one]) => one),
    stop,
  );
  const ask = createAsker<ListReading<PodView>>(emit, needs.pods.rules, (message, namespace) =>
    unreadableIn(`their pods cannot be listed: ${message}`, namespace),
  );
  /** Undefined, after a warning, if the pods cannot be listed: it is then assumed that an unclean end may fail the Job. */
  const read = async (namespace: string, list: () => Promise<ListReading<PodView>>) => {
    const reading = await slots(() => ask(list, namespace));
    return reading.kind === 'Read' ? reading.items : undefined;
  };
  /** The failed pods of the Jobs of a namespace: a Job is never harmed twice in the same way. */
  const failedIn = new Map<string, Promise<ReadonlyMap<string, readonly PodView[]> | undefined>>();
  const failedPodsOfJob = async (key: string, job: JobView, namespace: string) => {
    if (job.failedPods === 0 && !job.failureRules.some(mayIgnoreOwnEnd)) return [];
    const list = () => cluster.listFailedPods(namespace, stop);
    const all = failedIn.get(namespace) ?? read(namespace, list).then((pods) => pods && byJob(pods));
    failedIn.set(namespace, all);
    const byKey = await all;
    return byKey && (byKey.get(key) ?? []);
  };
  const known = groups.map(async (same): Promise<readonly [string, JobFacts]> => {
    const { namespace, owner, isCountingRestarts } = same[0];
    const key = jobKey(namespace, owner);
    const reading = readings.get(key);
    if (reading?.kind === 'Gone') return [key, reading];
    if (reading?.kind !== 'Present') return [key, { kind: 'Unreadable' }];
    const [failed, pods] = await Promise.all([
      failedPodsOfJob(key, reading.job, namespace),
      isCountingRestarts ? read(namespace, () => cluster.listJobPods(namespace, owner, stop)) : [],
    ]);
    if (!failed || !pods) return [key, { kind: 'Unreadable' }];
    const job = { ...reading.job, failedPods: failedPodsOf(reading.job, failed) };
    // An eviction, the shutdown of a node or a deadline ends containers differently from any step, so their exit codes say nothing about steps.
    const byItself = failed.filter(({ disrupted }) => !disrupted);
    const restarts = restartsOf(pods);
    const restartsAtWork = restartsOf(pods.filter(isAtWork));
    const failures = byItself.map((pod) => endsIn(pod, noopImages));
    const finished = same.filter(({ isFinished }) => isFinished).length;
    const failing = same.length - finished;
    return [key, { kind: 'Known', job, finished, failing, restarts, restartsAtWork, failures }];
  });
  return new Map(await Promise.all(known));
}

function isAtWork({ containers }: PodView): boolean {
  return containers.every(({ state }) => state.kind !== 'Terminated');
}

function restartsOf(pods: readonly PodView[]): number {
  return pods.reduce((sum, pod) => sum + pod.restarts, 0);
}

/**
 * Whether a rule may keep a pod that failed by itself out of the Job's counter (recorded: job-failure-policy-ignores). Most rules that
 * ignore failures are about disruptions, which say nothing about steps.
 */
function mayIgnoreOwnEnd({ action, on }: FailureRule): boolean {
  if (action !== 'Ignore') return false;
  return (
    on.kind !== 'PodConditions' ||
    on.patterns.some(({ type, status }) => type !== 'DisruptionTarget' || status !== 'True')
  );
}

function byJob(pods: readonly PodView[]): ReadonlyMap<string, readonly PodView[]> {
  const keyOf = (pod: PodView) => {
    const owner = jobOf(pod);
    return owner ? jobKey(pod.ref.namespace, owner) : '';
  };
  return new Map(groupsOf(pods, keyOf).map((same) => [keyOf(same[0]), same]));
}

/** One that failed, and has a no-op image that it never ran, was swapped for an image that could not be started. */
function endsIn({ containers }: PodView, noopImages: readonly string[]): ReadonlyMap<string, FailedEnd> {
  return new Map(
    containers.flatMap((one) => {
      if (one.state.kind !== 'Terminated') return [];
      const { exitCode, finishedAt } = one.state;
      const isUnstarted = exitCode !== 0 && isSwapped(one, noopImages);
      return [[one.name, { exitCode: isUnstarted ? startError : exitCode, finishedAt }]];
    }),
  );
}

/** A Job as it was read just before a step, with what counts against its backoffLimit. */
export interface JobCounts {
  readonly at: Millis;
  readonly reading: JobReading;
  /** Restarts of its pods that have not ended, by uid, those that are due included. Only read under OnFailure. */
  readonly restarts: ReadonlyMap<string, number>;
}

export async function readCounts(
  pod: PodView,
  jobs: Pick<JobReader, 'read'>,
  cluster: Pick<Cluster, 'listJobPods'>,
  noopImages: readonly string[],
  at: Millis,
  abort: AbortSignal,
): Promise<JobCounts | undefined> {
  const owner = jobOf(pod);
  if (!owner) return undefined;
  const { namespace } = pod.ref;
  const reading = await jobs.read(namespace, owner, abort);
  const isCounting = reading.kind === 'Present' && pod.restartPolicy === 'OnFailure';
  if (!isCounting) return { at, reading, restarts: new Map() };
  const pods = await cluster.listJobPods(namespace, owner, abort);
  if (pods.kind === 'Unreadable') return { at, reading: pods, restarts: new Map() };
  const restarts = pods.items.map(
    (one) => [one.ref.uid, one.restarts + restartsDue(one, noopImages)] as const,
  );
  return { at, reading, restarts: new Map(restarts) };
}
