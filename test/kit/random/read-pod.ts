import type { Job, Pod, Store } from '../emulator/index.ts';

export function statusOf({ status }: Pod, container: string) {
  return status.containerStatuses?.find(({ name }) => name === container);
}

export function mainOf(pod: Pod) {
  return statusOf(pod, 'main');
}

export function isSidecar({ name }: { readonly name: string }): boolean {
  return name !== 'main';
}

/** Whether its main has ended for good. */
export function hasEndedMain(pod: Pod): boolean {
  const code = mainOf(pod)?.state.terminated?.exitCode;
  return code === 0 || (code !== undefined && pod.spec.restartPolicy === 'Never');
}

/** Whether a sweep ought to find it: its main has ended for good, and a sidecar is running. */
export function isStuck(pod: Pod): boolean {
  const { metadata, status } = pod;
  if (metadata.deletionTimestamp || status.phase !== 'Running') return false;
  return (
    hasEndedMain(pod) && (status.containerStatuses ?? []).some((one) => isSidecar(one) && one.state.running)
  );
}

/** The Job that owns a pod, if it is one of Kubernetes' own. */
export function jobOf(store: Store, { metadata }: Pod): Job | undefined {
  const [owner] = metadata.ownerReferences ?? [];
  const job = owner && store.get<Job>('jobs', metadata.namespace, owner.name);
  return job?.metadata.uid === owner?.uid ? job : undefined;
}

const over = ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet'];

/** When it was decided that a Job is over; undefined if it is not. */
export function overSince({ status }: Job): number | undefined {
  const times = (status.conditions ?? []).flatMap(({ type, status: is, lastTransitionTime }) =>
    over.includes(type) && is === 'True' ? [Date.parse(lastTransitionTime ?? '')] : [],
  );
  return times.length > 0 ? Math.min(...times) : undefined;
}
