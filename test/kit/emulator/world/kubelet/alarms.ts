import type { EmulatorClock } from '../../clock.ts';

/** A group of timers that can be cancelled together. */
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
