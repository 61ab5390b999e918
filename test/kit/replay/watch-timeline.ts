import { isDeepStrictEqual } from 'node:util';
import type { Pod, Store } from '../emulator/index.ts';
import type { Moment } from './recording.ts';

/** Recordings have two forms of timelines: with the pod's name, or with images and last exit codes. */
export type MomentForm = 'Named' | 'WithImages';

/** Records the states of a pod from now on, like the recorder. */
export function watchTimeline(store: Store, pod: Pod, form: MomentForm) {
  const moments: Moment[] = [momentOf(pod, form)];
  const stop = store.subscribe(({ resource, type, object }) => {
    if (resource !== 'pods' || object.metadata.uid !== pod.metadata.uid) return;
    const moment: Moment = type === 'DELETED' ? { gone: true } : momentOf(object as Pod, form);
    if (!isDeepStrictEqual(moment, moments.at(-1))) moments.push(moment);
  });
  return { moments, stop };
}

function momentOf({ metadata, status }: Pod, form: MomentForm): Moment {
  const containers = (status.containerStatuses ?? []).map(
    ({ name, image, state, lastState, restartCount }) => {
      const [kind = ''] = Object.keys(state);
      const { terminated, waiting } = state;
      const last = form === 'WithImages' ? lastState.terminated : undefined;
      return {
        name,
        ...(form === 'WithImages' ? { image } : {}),
        state: kind,
        ...(terminated ? { exitCode: terminated.exitCode, reason: terminated.reason } : {}),
        ...(waiting ? { reason: waiting.reason } : {}),
        ...(last ? { lastExitCode: last.exitCode } : {}),
        restartCount,
      };
    },
  );
  return {
    ...(form === 'Named' ? { pod: metadata.name } : {}),
    phase: status.phase,
    ...(metadata.deletionTimestamp ? { deleting: true as const } : {}),
    containers,
  };
}
