import type { EmulatorClock } from '../../clock.ts';
import { defaultJob, type JobManifest } from '../defaults.ts';
import { isOver } from '../job/conditions.ts';
import type { CronJob, Job } from '../objects.ts';
import { rfc3339, type Store } from '../store.ts';
import { nextTime } from './schedule.ts';

/** Starts the Jobs of CronJobs on schedule. Returns a function that stops it. */
export function runCronJobs(store: Store, clock: EmulatorClock): () => void {
  const timers = new Map<string, () => void>();
  const arm = ({ metadata, spec }: CronJob) => {
    timers.get(metadata.uid)?.();
    timers.delete(metadata.uid);
    const now = clock.now().getTime();
    const at = spec.suspend ? undefined : nextTime(spec.schedule, now);
    if (at === undefined) return;
    const due = () => {
      const current = store.get<CronJob>('cronjobs', metadata.namespace, metadata.name);
      if (current?.metadata.uid !== metadata.uid) return;
      start(store, current, at, clock.now());
      arm(current);
    };
    timers.set(metadata.uid, clock.after(at - now, due));
  };
  const unsubscribe = store.subscribe(({ type, resource, object, previous }) => {
    if (resource === 'jobs' && previous && type === 'MODIFIED')
      noteEnd(store, object as Job, previous as Job);
    if (resource !== 'cronjobs') return;
    if (type === 'DELETED') timers.get(object.metadata.uid)?.();
    else if (object['spec'] !== previous?.['spec']) arm(object as CronJob);
  });
  return () => {
    unsubscribe();
    for (const cancel of timers.values()) cancel();
  };
}

function start(store: Store, cronJob: CronJob, at: number, now: Date): void {
  const { name, namespace } = cronJob.metadata;
  const active = jobsOf(store, cronJob).filter((job) => !isOver(job));
  switch (cronJob.spec.concurrencyPolicy ?? 'Allow') {
    case 'Forbid':
      if (active.length > 0) return;
      break;
    case 'Replace':
      for (const { metadata } of active) store.delete('jobs', metadata.namespace, metadata.name);
      break;
    case 'Allow':
      break;
  }
  // The name is the scheduled minute since 1970, so that no Job is started twice.
  const job = `${name}-${at / 60_000}`;
  if (store.get('jobs', namespace, job)) return;
  store.create('jobs', defaultJob(jobOf(cronJob, job, at)));
  writeStatus(store, cronJob, { lastScheduleTime: rfc3339(now) });
}

function jobOf({ metadata, spec }: CronJob, name: string, at: number): JobManifest {
  const template = spec.jobTemplate;
  return {
    metadata: {
      ...template.metadata,
      name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      annotations: {
        ...template.metadata?.annotations,
        'batch.kubernetes.io/cronjob-scheduled-timestamp': rfc3339(new Date(at)),
      },
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: template.spec,
  };
}

/** Updates the status, and deletes all but the last Jobs that ended: three that succeeded, one that failed. */
function noteEnd(store: Store, job: Job, before: Job): void {
  const owner = job.metadata.ownerReferences?.find(({ kind }) => kind === 'CronJob');
  const cronJob = owner && store.get<CronJob>('cronjobs', job.metadata.namespace, owner.name);
  if (!cronJob || !isOver(job) || isOver(before)) return;
  const { completionTime } = job.status;
  writeStatus(store, cronJob, completionTime ? { lastSuccessfulTime: completionTime } : {});
  const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = cronJob.spec;
  const over = jobsOf(store, cronJob).filter(isOver);
  const succeeded = over.filter(({ status }) => status.completionTime);
  const failed = over.filter(({ status }) => !status.completionTime);
  const surplus = [
    ...succeeded.slice(0, Math.max(0, succeeded.length - successfulJobsHistoryLimit)),
    ...failed.slice(0, Math.max(0, failed.length - failedJobsHistoryLimit)),
  ];
  for (const { metadata } of surplus) store.delete('jobs', metadata.namespace, metadata.name);
}

/** Oldest first. */
function jobsOf(store: Store, { metadata }: CronJob): Job[] {
  return store
    .list<Job>('jobs', metadata.namespace)
    .filter((job) => job.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid))
    .sort((one, other) => (one.metadata.creationTimestamp < other.metadata.creationTimestamp ? -1 : 1));
}

function writeStatus(store: Store, cronJob: CronJob, more: object): void {
  const { namespace, name } = cronJob.metadata;
  const active = jobsOf(store, cronJob)
    .filter((job) => !isOver(job))
    .map(({ apiVersion, kind, metadata }) => ({
      apiVersion,
      kind,
      name: metadata.name,
      namespace: metadata.namespace,
      uid: metadata.uid,
    }));
  store.update<CronJob>('cronjobs', namespace, name, (current) => {
    const { active: _before, ...status } = current.status ?? {};
    return { ...current, status: { ...status, ...more, ...(active.length > 0 ? { active } : {}) } };
  });
}
