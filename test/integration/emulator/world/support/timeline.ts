import type { Pod } from '../../../../emulator/world/objects.ts';
import type { TimelineEntry } from './recording.ts';

/** A pod's status as the recordings' timelines have it: those of image swaps also name the images. */
export function timelineEntry(status: Pod['status'], ofSwap: boolean): TimelineEntry {
  return {
    phase: status.phase,
    containers: (status.containerStatuses ?? []).map(({ name, state, lastState, restartCount, image }) => ({
      name,
      ...(ofSwap ? { image, restartCount } : {}),
      state: Object.keys(state)[0] ?? 'none',
      ...(state.terminated
        ? { exitCode: state.terminated.exitCode, reason: state.terminated.reason ?? '' }
        : {}),
      restartCount,
      ...(ofSwap && lastState.terminated ? { lastExitCode: lastState.terminated.exitCode } : {}),
    })),
  };
}
