import type { EmulatorClock } from '../../clock.ts';
import type { Job } from '../objects.ts';
import type { Store } from '../store.ts';

/** Deletes Jobs `ttlSecondsAfterFinished` after they ended. Returns a function that stops it. */
export function deleteFinishedJobs(store: Store, clock: EmulatorClock): () => void {
  const timers = new Map<string, () => void>();
  const cancel = (uid: string) => {
    timers.get(uid)?.();
    timers.delete(uid);
  };
  const unsubscribe = store.subscribe(({ type, resource, object }) => {
    if (resource !== 'jobs') return;
    const { uid, name, namespace } = object.metadata;
    cancel(uid);
    const at = type === 'DELETED' ? undefined : expiry(object as Job);
    if (at === undefined) return;
    const wait = Math.max(0, at - clock.now().getTime());
    timers.set(
      uid,
      clock.after(wait, () => {
        timers.delete(uid);
        if (store.get('jobs', namespace, name)?.metadata.uid === uid) store.delete('jobs', namespace, name);
      }),
    );
  });
  return () => {
    unsubscribe();
    for (const uid of [...timers.keys()]) cancel(uid);
  };
}

function expiry({ spec, status }: Job): number | undefined {
  const ended = status.conditions?.find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
  if (spec.ttlSecondsAfterFinished === undefined || !ended?.lastTransitionTime) return undefined;
  return Date.parse(ended.lastTransitionTime) + spec.ttlSecondsAfterFinished * 1000;
}
