import type { EmulatorClock } from '../../clock.ts';

export interface Timings {
  /** From the pod's assignment to its running sandbox. */
  readonly createSandbox: number;
  /** From a container's end until the kubelet notices: it polls the runtime about once a second. */
  readonly noticeExit: number;
  /** From the status with a terminated container to the status with the pod's final phase. */
  readonly settlePhase: number;
  /** From the status with a terminated container to its first restart. */
  readonly firstRestart: number;
  /** From the final phase of a deleted pod to its removal. */
  readonly removePod: number;
}

/** As recorded on a real node: noticeExit 0.2 to 1.1 s, settlePhase 1.1 to 1.3 s, firstRestart 0.15 s, removePod 0.5 to 0.8 s. */
export const recordedTimings: Timings = {
  createSandbox: 200,
  noticeExit: 300,
  settlePhase: 1_150,
  firstRestart: 150,
  removePod: 600,
};

export class Alarms {
  readonly #cancels = new Set<() => void>();

  constructor(private readonly clock: EmulatorClock) {}

  after(milliseconds: number, act: () => void): void {
    const cancel = this.clock.after(milliseconds, () => {
      this.#cancels.delete(cancel);
      act();
    });
    this.#cancels.add(cancel);
  }

  cancel(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}
