import { isDeepStrictEqual } from 'node:util';
import type { EmulatorClock } from '../../clock.ts';
import { defaultPod, type PodManifest } from '../defaults.ts';
import type { Job, Pod } from '../objects.ts';
import { deletePod } from '../pods.ts';
import { rfc3339, type Store, type StoreEvent } from '../store.ts';
import {
  addFailures,
  type Failures,
  jobPod,
  NO_FAILURES,
  openIndexes,
  released,
  retryDelay,
} from './pods.ts';
import { failureAnnotations, failuresUpTo } from './policies.ts';
import {
  countedStatus,
  countPods,
  isOver,
  type JobVerdict,
  judgeJob,
  type PodCount,
  verdictSoFar,
  withActiveFailed,
  withoutHeld,
  withSuspension,
  withVerdict,
} from './status.ts';

/** The controller batches the pod events of a Job for a second before it syncs. */
const POD_BATCH = 1_000;

const OWN_NAME = 'kubernetes.io/job-controller';

export class JobController {
  readonly #podsOf = new Map<string, Set<string>>();
  readonly #failures = new Map<string, Failures>();
  readonly #due = new Map<string, { at: number; cancel: () => void }>();
  readonly #expiring = new Set<string>();
  readonly #unsubscribe: () => void;

  constructor(
    private readonly store: Store,
    private readonly clock: EmulatorClock,
    private readonly admit: (manifest: PodManifest) => PodManifest = (manifest) => manifest,
  ) {
    this.#unsubscribe = store.subscribe((event) => this.#hear(event));
  }

  stop(): void {
    this.#unsubscribe();
    for (const { cancel } of this.#due.values()) cancel();
  }

  #hear({ type, resource, object, previous }: StoreEvent): void {
    const { namespace, name, uid } = object.metadata;
    if (resource === 'jobs') {
      if (type === 'DELETED') this.#collect(uid);
      else if (isOver(object as Job)) this.#expire(object as Job);
      else if (object['spec'] !== previous?.['spec']) this.#lookAt(`${namespace}/${name}`, 0);
    }
    if (resource !== 'pods') return;
    const owner = object.metadata.ownerReferences?.find(
      ({ kind, controller }) => kind === 'Job' && controller,
    );
    if (!owner) return;
    const pods = this.#podsOf.get(owner.uid) ?? new Set();
    this.#podsOf.set(owner.uid, pods);
    if (type === 'DELETED') pods.delete(`${namespace}/${name}`);
    else pods.add(`${namespace}/${name}`);
    this.#lookAt(`${namespace}/${owner.name}`, POD_BATCH);
  }

  #lookAt(key: string, delay: number): void {
    const at = this.clock.now().getTime() + delay;
    const planned = this.#due.get(key);
    if (planned && planned.at <= at) return;
    planned?.cancel();
    const cancel = this.clock.after(delay, () => {
      this.#due.delete(key);
      this.#sync(key);
    });
    this.#due.set(key, { at, cancel });
  }

  #sync(key: string): void {
    const job = this.store.getByKey<Job>('jobs', key);
    if (!job || isOver(job) || (job.spec.managedBy ?? OWN_NAME) !== OWN_NAME) return;
    if (!job.status.startTime && !job.spec.suspend) {
      this.#write(job, (status) => ({ startTime: rfc3339(this.clock.now()), ...status }));
      this.#sync(key);
      return;
    }

    const count = countPods(job, this.#pods(job.metadata.uid));
    const counted = countedStatus(job, count);
    const verdict = verdictSoFar(job) ?? judgeJob(job, counted, count, this.clock.now());
    if (verdict) {
      this.#finish(job, count, verdict);
      return;
    }
    this.#track(job, count);
    if (job.spec.suspend) for (const pod of count.active) this.#withdraw(pod);
    const added = job.spec.suspend ? [] : this.#fill(key, { ...job, status: counted }, count);
    const status = countedStatus(job, { ...count, active: [...count.active, ...added] });
    this.#write(job, () => withSuspension(status, job.spec.suspend ?? false, this.clock.now()));
    this.#armDeadline(key, job);
  }

  /** Records ended pods as uncounted, then removes their finalizer, so that a controller crash loses none. */
  #track(job: Job, { succeeded, failed, ignored }: PodCount): void {
    const failures = this.#failures.get(job.metadata.uid) ?? NO_FAILURES;
    // Those that a rule ignores delay their replacements as well.
    this.#failures.set(job.metadata.uid, addFailures(failures, succeeded, [...failed, ...ignored]));
    const uids = Object.entries({ succeeded, failed })
      .filter(([, pods]) => pods.length > 0)
      .map(([ending, pods]) => [ending, pods.map(({ metadata }) => metadata.uid)] as const);
    if (uids.length > 0) {
      const uncountedTerminatedPods = Object.fromEntries(uids);
      this.#write(job, (status) => ({ ...status, uncountedTerminatedPods }));
    }
    for (const pod of [...succeeded, ...failed, ...ignored]) this.#release(pod);
  }

  /** Creates missing pods once the retry delay is over, and deletes surplus ones. */
  #fill(key: string, job: Job, { active, terminating, held, failedIndexes = [] }: PodCount): Pod[] {
    const { parallelism = 1, completions, completionMode, podReplacementPolicy } = job.spec;
    const occupied = podReplacementPolicy === 'Failed' ? [...active, ...terminating] : active;
    const succeeded = job.status.succeeded ?? 0;
    // A Job without `completions` starts no more pods once one has succeeded, and leaves alone those that run.
    if (completions === undefined && succeeded > 0) return [];
    const left = completions === undefined ? parallelism : completions - succeeded - failedIndexes.length;
    const missing = Math.min(parallelism, left) - occupied.length;
    for (const pod of missing < 0 ? active.slice(missing) : []) this.#withdraw(pod);
    if (missing <= 0) return [];

    const next: readonly (number | undefined)[] =
      completionMode === 'Indexed' ? openIndexes(job, occupied) : Array(missing).fill(undefined);
    return this.#readyToStart(key, job, next.slice(0, missing), held).map((index) => {
      const annotations = index === undefined ? {} : failureAnnotations(job, held.get(index));
      return this.store.create<Pod>('pods', defaultPod(this.admit(jobPod(job, index, annotations))));
    });
  }

  /**
   * What may start now: after a failure, the Job waits, or the index if it has a limit of its own. No later index takes
   * the place of one that waits.
   */
  #readyToStart(
    key: string,
    job: Job,
    indexes: readonly (number | undefined)[],
    held: PodCount['held'],
  ): (number | undefined)[] {
    const { backoffLimitPerIndex } = job.spec;
    const delayOf = (index: number | undefined) => {
      const last = index === undefined ? undefined : held.get(index);
      const ofIndex = last ? failuresUpTo(last) : NO_FAILURES;
      const ofJob = this.#failures.get(job.metadata.uid) ?? NO_FAILURES;
      return retryDelay(backoffLimitPerIndex === undefined ? ofJob : ofIndex, this.clock.now().getTime());
    };
    const delays = indexes.map(delayOf).filter((delay) => delay > 0);
    if (delays.length > 0) this.#lookAt(key, Math.min(...delays));
    return indexes.filter((index) => delayOf(index) === 0);
  }

  /**
   * Deletes the active pods. Those of a Job that fails count as failed at once, however they end; those of a
   * Job that is complete without them do not count.
   */
  #finish(job: Job, found: PodCount, verdict: JobVerdict): void {
    const count = withoutHeld(job, found);
    const fails = verdict.kind === 'Failed';
    for (const pod of count.active) fails ? this.#delete(pod) : this.#withdraw(pod);
    const rest = fails ? withActiveFailed(count) : count;
    this.#track(job, rest);
    const done = rest.active.length === 0 && rest.terminating.length === 0;
    const counted = countedStatus(job, rest);
    this.#write(job, () => withVerdict(counted, verdict, done, this.clock.now()));
  }

  #armDeadline(key: string, { spec, status }: Job): void {
    if (spec.activeDeadlineSeconds === undefined || !status.startTime) return;
    const end = Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1000;
    this.#lookAt(key, Math.max(0, end - this.clock.now().getTime()));
  }

  /** As the controller for ttlSecondsAfterFinished does. */
  #expire({ metadata: { namespace, name, uid }, spec: { ttlSecondsAfterFinished } }: Job): void {
    if (typeof ttlSecondsAfterFinished !== 'number' || this.#expiring.has(uid)) return;
    this.#expiring.add(uid);
    this.clock.after(ttlSecondsAfterFinished * 1000, () => {
      if (this.store.get('jobs', namespace, name)?.metadata.uid === uid)
        this.store.delete('jobs', namespace, name);
    });
  }

  #collect(jobUid: string): void {
    for (const pod of this.#pods(jobUid)) {
      this.#release(pod);
      this.#delete(pod);
    }
    this.#podsOf.delete(jobUid);
    this.#failures.delete(jobUid);
  }

  #pods(jobUid: string): Pod[] {
    return [...(this.#podsOf.get(jobUid) ?? [])]
      .map((key) => this.store.getByKey<Pod>('pods', key))
      .filter((pod) => pod !== undefined);
  }

  #delete({ metadata: { namespace = '', name } }: Pod): void {
    if (this.store.get('pods', namespace, name)) deletePod(this.store, this.clock, namespace, name);
  }

  /** Deletes a pod that nobody needs; however it ends, the Job does not count it. */
  #withdraw(pod: Pod): void {
    this.#release(pod);
    this.#delete(pod);
  }

  #release({ metadata: { namespace, name } }: Pod): void {
    if (this.store.get('pods', namespace, name)) this.store.update('pods', namespace, name, released);
  }

  #write(job: Job, change: (status: Job['status']) => Job['status']): void {
    const { namespace, name } = job.metadata;
    this.store.update<Job>('jobs', namespace, name, (current) => {
      const status = change(current.status);
      return isDeepStrictEqual(status, current.status) ? current : { ...current, status };
    });
  }
}
