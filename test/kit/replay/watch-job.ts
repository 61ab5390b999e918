import { isDeepStrictEqual } from 'node:util';
import type { Job, Pod, Store } from '../emulator/index.ts';
import type { JobMoment } from './recording.ts';

/** Records the states of a Job and its pods from now on, like the recorder. */
export function watchJob(store: Store, { metadata }: Job) {
  const moments: JobMoment[] = [];
  const look = () => {
    const job = store.get<Job>('jobs', metadata.namespace, metadata.name);
    const pods = store
      .list<Pod>('pods', metadata.namespace)
      .filter((pod) => pod.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid));
    if (!job) return;
    const moment = momentOf(job, pods);
    if (!isDeepStrictEqual(moment, moments.at(-1))) moments.push(moment);
  };
  look();
  const stop = store.subscribe(look);
  return { moments, stop };
}

function momentOf({ status }: Job, pods: readonly Pod[]): JobMoment {
  const phases = new Map<string, number>();
  for (const { metadata, status } of pods) {
    const phase = metadata.deletionTimestamp ? `${status.phase}/deleting` : status.phase;
    phases.set(phase, (phases.get(phase) ?? 0) + 1);
  }
  const { active, succeeded, failed } = status;
  const conditions = (status.conditions ?? [])
    .filter(({ type }) => type === 'Complete' || type === 'Failed')
    .map(({ type, reason }) => (type === 'Complete' ? type : `${type}:${reason}`));
  return {
    pods: Object.fromEntries(phases),
    restarts: pods.filter(({ status }) => status.phase === 'Running').reduce(addRestarts, 0),
    job: {
      ...(active ? { active } : {}),
      ...(succeeded ? { succeeded } : {}),
      ...(failed ? { failed } : {}),
      ...(conditions.length > 0 ? { conditions } : {}),
    },
  };
}

function addRestarts(sum: number, { status }: Pod): number {
  return (status.containerStatuses ?? []).reduce((total, { restartCount }) => total + restartCount, sum);
}
