import { needs } from '../methods/permissions.ts';
import type { FailureRule, JobView, ListedJob } from '../model/job.ts';
import { failedPodsOf } from '../model/job-reaction.ts';
import { jobKey, jobOf, type Owner, type PodView } from '../model/pod.ts';
import type { Cluster } from '../model/ports.ts';
import type { FailedEnd, JobFacts, JobReading, ListReading, PageToken } from '../model/reading.ts';
import { restartsDue } from '../model/restarts.ts';
import { ranAnother, startError } from '../model/swap.ts';
import type { Candidate } from '../model/verdict.ts';
import type { Warning } from '../model/warning.ts';
import type { Emit } from '../plan/sweep-event.ts';
import { createSlots, type Slots } from '../util/concurrency.ts';
import type { Millis } from '../util/time.ts';
import { createAsker, type ReadOptions, readByList } from './readers.ts';

/** Reads Jobs. Warns once for each namespace if that fails, and does not ask again after a Forbidden. */
export interface JobReader {
  read(namespace: string, owner: Owner, abort: AbortSignal): Promise<JobReading>;
  /** The facts about Jobs, by their keys: many new ones of a namespace are read by a list, if that is allowed, otherwise one by one. */
  readAll(owned: readonly OwnedJob[], abort: AbortSignal): Promise<JobReadings>;
  /** Forgets what was read, to free its memory: a later plan reads each Job anew. */
  forget(): void;
  /** A Job as it is from now on, together with the others of its namespace that are asked for until a slot is free. */
  readSoon(owned: OwnedJob, abort: AbortSignal): Promise<JobReading>;
}

export interface OwnedJob {
  readonly namespace: string;
  readonly owner: Owner;
}

type JobReadings = ReadonlyMap<string, JobReading>;

interface Batch {
  readonly owned: OwnedJob[];
  readonly readings: Promise<JobReadings>;
}

/** A page of 100 Jobs takes more than a megabyte while it is read. */
const listsAtOnce = 2;

function unreadableIn(message: string, namespace: string): Warning {
  return { kind: 'JobsUnreadable', namespaces: [namespace], message };
}

/** One reader serves a whole sweep, so that no request is repeated after a refusal. */
export function createJobReader(
  cluster: Pick<Cluster, 'readJob' | 'listJobs'>,
  emit: Emit,
  slots: Slots,
): JobReader {
  const ask = createAsker<JobReading>(emit, needs.jobs.rules, unreadableIn);
  const unlisted = new Set<string>();
  const views = new Map<string, JobView>();
  const batches = new Map<string, Batch>();
  const lists = createSlots(listsAtOnce);

  const read: JobReader['read'] = (namespace, owner, abort) =>
    ask(() => cluster.readJob(namespace, owner, abort), namespace);

  async function list(
    namespace: string,
    wanted: ReadonlySet<string>,
    known: Map<string, JobView>,
    abort: AbortSignal,
  ) {
    if (unlisted.has(namespace)) return;
    const readPage = async (token: PageToken) => {
      const page = await slots(() => cluster.listJobs(namespace, token, abort));
      if (page.kind === 'Unreadable') unlisted.add(namespace);
      return page;
    };
    const take = ({ job, ...listed }: ListedJob) => {
      const key = jobKey(namespace, listed);
      if (!wanted.has(key)) return 'Other';
      known.set(key, job);
      return 'Wanted';
    };
    await lists(() => readByList(wanted.size, readPage, take));
  }

  async function readAll(
    owned: readonly OwnedJob[],
    abort: AbortSignal,
    known = views,
  ): Promise<JobReadings> {
    const byKey = new Map(owned.map((one) => [jobKey(one.namespace, one.owner), one]));
    const unknown = new Map<string, Set<string>>();
    for (const [key, { namespace }] of byKey) {
      if (known.has(key)) continue;
      unknown.set(namespace, (unknown.get(namespace) ?? new Set()).add(key));
    }
    await Promise.all([...unknown].map(([namespace, keys]) => list(namespace, keys, known, abort)));
    const readings = [...byKey].map(async ([key, one]): Promise<[string, JobReading]> => {
      const job = known.get(key);
      if (job) return [key, { kind: 'Present', job }];
      const reading = await slots(() => read(one.namespace, one.owner, abort));
      if (reading.kind === 'Present') known.set(key, reading.job);
      return [key, reading];
    });
    return new Map(await Promise.all(readings));
  }

  function beginBatch(namespace: string, abort: AbortSignal): Batch {
    const owned: OwnedJob[] = [];
    const isFree = slots(async () => void batches.delete(namespace));
    // A request of an earlier batch may be answered only now, with a Job as it was before.
    const readings = isFree.then(() => readAll(owned, abort, new Map()));
    const batch = { owned, readings };
    batches.set(namespace, batch);
    return batch;
  }

  return {
    read,
    readAll,
    forget: () => views.clear(),
    async readSoon(one, abort) {
      const { namespace, owner } = one;
      const { owned, readings } = batches.get(namespace) ?? beginBatch(namespace, abort);
      owned.push(one);
      return (await readings).get(jobKey(namespace, owner)) ?? { kind: 'Gone' };
    },
  };
}

interface JobFactsOptions extends ReadOptions<'listJobPods' | 'listFailedPods'> {
  readonly jobs: Pick<JobReader, 'readAll'>;
}

/** The facts about the Jobs that own candidates, by their keys; each Job is read once. */
export async function gatherJobFacts(
  candidates: readonly Candidate[],
  { jobs, cluster, slots, emit, stop }: JobFactsOptions,
): Promise<ReadonlyMap<string, JobFacts>> {
  const owned = new Map<
    string,
    OwnedJob & { readonly isCountingRestarts: boolean; readonly candidates: number }
  >();
  for (const { pod } of candidates) {
    const owner = jobOf(pod);
    const { namespace } = pod.ref;
    const isCountingRestarts = pod.restartPolicy === 'OnFailure';
    if (!owner) continue;
    const key = jobKey(namespace, owner);
    const candidates = (owned.get(key)?.candidates ?? 0) + 1;
    owned.set(key, { namespace, owner, isCountingRestarts, candidates });
  }
  const readings = await jobs.readAll([...owned.values()], stop);
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
  const failedPodsOfJob = async (key: string, job: JobView, { namespace }: OwnedJob) => {
    if (job.failedPods === 0 && !job.failureRules.some(mayIgnoreOwnEnd)) return [];
    const list = () => cluster.listFailedPods(namespace, stop);
    const all = failedIn.get(namespace) ?? read(namespace, list).then((pods) => pods && byJob(pods));
    failedIn.set(namespace, all);
    const byKey = await all;
    return byKey && (byKey.get(key) ?? []);
  };
  const known = [...owned].map(async ([key, one]): Promise<readonly [string, JobFacts]> => {
    const reading = readings.get(key);
    if (reading?.kind === 'Gone') return [key, reading];
    if (reading?.kind !== 'Present') return [key, { kind: 'Unreadable' }];
    const { namespace, owner, isCountingRestarts, candidates } = one;
    const [failed, pods] = await Promise.all([
      failedPodsOfJob(key, reading.job, one),
      isCountingRestarts ? read(namespace, () => cluster.listJobPods(namespace, owner, stop)) : [],
    ]);
    if (!failed || !pods) return [key, { kind: 'Unreadable' }];
    const job = { ...reading.job, failedPods: failedPodsOf(reading.job, failed) };
    // An eviction, the shutdown of a node or a deadline ends containers differently from any step, so their exit codes say nothing about steps.
    const byItself = failed.filter(({ disrupted }) => !disrupted);
    const restarts = restartsOf(pods);
    const restartsAtWork = restartsOf(pods.filter(isAtWork));
    const failures = byItself.map(endsIn);
    return [key, { kind: 'Known', job, candidates, restarts, restartsAtWork, failures }];
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
 * Whether a rule may keep a pod that failed by itself out of the Job's counter (recorded: job-failure-policy-ignores). Most rules
 * that ignore failures are about disruptions, which say nothing about steps.
 */
function mayIgnoreOwnEnd({ action, on }: FailureRule): boolean {
  if (action !== 'Ignore') return false;
  return (
    on.kind !== 'PodConditions' ||
    on.patterns.some(({ type, status }) => type !== 'DisruptionTarget' || status !== 'True')
  );
}

function byJob(pods: readonly PodView[]): ReadonlyMap<string, readonly PodView[]> {
  const byKey = new Map<string, PodView[]>();
  for (const pod of pods) {
    const owner = jobOf(pod);
    const key = owner ? jobKey(pod.ref.namespace, owner) : '';
    const group = byKey.get(key) ?? [];
    group.push(pod);
    byKey.set(key, group);
  }
  return byKey;
}

/** One that failed, and whose last image is not that of its spec, was swapped for an image that could not be started. */
function endsIn({ containers }: PodView): ReadonlyMap<string, FailedEnd> {
  return new Map(
    containers.flatMap((one) => {
      if (one.state.kind !== 'Terminated') return [];
      const { exitCode, finishedAt } = one.state;
      return [
        [one.name, { exitCode: exitCode !== 0 && ranAnother(one) ? startError : exitCode, finishedAt }],
      ];
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

/** Reads the Job of a pod; undefined if it has none. */
export async function readCounts(
  pod: PodView,
  jobs: Pick<JobReader, 'read'>,
  cluster: Pick<Cluster, 'listJobPods'>,
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
  const restarts = pods.items.map((one) => [one.ref.uid, one.restarts + restartsDue(one)] as const);
  return { at, reading, restarts: new Map(restarts) };
}
