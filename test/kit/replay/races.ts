import type { Exchange, Frame } from './recording.ts';

/*
 * A process that signals PID 1 of its own PID namespace races with the end of that namespace. It exits 0
 * first, or dies with all others. Both happened on a real node, too. Only these two results count as equal.
 */

const success = '{"metadata":{},"status":"Success"}';
/** The second form is that of a kubelet that answers v4 itself. */
const killed =
  /^\{"metadata":\{\},"status":"Failure","message":"command terminated with non-zero exit code: (command terminated with|error executing command \[[^"\]]+\],) exit code 137","reason":"NonZeroExitCode","details":\{"causes":\[\{"reason":"ExitCode","message":"137"\}\]\}\}$/;

/** Normalises the status of the exec that ended its container: the last step of such a recording. */
export function killedOrNot(steps: readonly Exchange[]): Exchange[] {
  const either = (frame: Frame): Frame =>
    frame.text === success || killed.test(frame.text) ? { ...frame, text: '<Success, or killed>' } : frame;
  return steps.map((step, index) =>
    index === steps.length - 1 && step.frames ? { ...step, frames: step.frames.map(either) } : step,
  );
}

/** Normalises the status of an ephemeral container that ended its target. */
export function endedWithItsTarget(status: unknown): unknown {
  const { state, ...rest } = status as { state: { terminated?: { exitCode: number; reason: string } } };
  const { exitCode, reason, ...terminated } = state.terminated ?? {};
  const either = (exitCode === 0 && reason === 'Completed') || (exitCode === 137 && reason === 'Error');
  return either ? { ...rest, state: { terminated, end: '<Completed, or killed>' } } : status;
}
