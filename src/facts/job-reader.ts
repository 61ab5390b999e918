import { needs } from '../methods/permissions.ts';
import type { JobView, ListedJob } from '../model/job.ts';
import { jobKey, type Owner } from '../model/pod.ts';
import type { Cluster } from '../model/ports.ts';
import type { JobReading, PageToken } from '../model/reading.ts';
import type { Warning } from '../model/warning.ts';
import type { Emit } from '../plan/sweep-event.ts';
import { createSlots, type Slots } from '../util/concurrency.ts';
import { createAsker, readByList } from './readers.ts';

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

export function unreadableIn(message: string, namespace: string): Warning {
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
