import type { EmulatorClock } from '../../clock.ts';
import type { Pod } from '../objects.ts';
import type { PodFailure } from './pod-status.ts';

/** The failure of a pod that exceeded its activeDeadlineSeconds. */
export const DEADLINE_EXCEEDED: PodFailure = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/** A pod's activeDeadlineSeconds, counted from its startTime. It can be set or lowered while the pod runs. */
export class Deadline {
  #cancel: (() => void) | undefined;

  constructor(
    private readonly clock: EmulatorClock,
    private readonly exceeded: () => void,
  ) {}

  arm({ spec, status }: Pod): void {
    this.cancel();
    if (spec.activeDeadlineSeconds === undefined || !status.startTime) return;
    const end = Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1000;
    this.#cancel = this.clock.after(Math.max(0, end - this.clock.now().getTime()), this.exceeded);
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
