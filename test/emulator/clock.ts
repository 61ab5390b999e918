/** Time as the emulator sees it, so that tests can run 30 seconds of grace in a moment. */
export interface EmulatorClock {
  now(): Date;
  /** Calls back once after so many milliseconds of this clock; returns the way to cancel. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Real time, or real time made `speed` times faster. */
export function emulatorClock(speed = 1, start = Date.now()): EmulatorClock {
  const zero = performance.now();
  return {
    now: () => new Date(start + (performance.now() - zero) * speed),
    after(milliseconds, callback) {
      const timer = setTimeout(callback, milliseconds / speed);
      return () => clearTimeout(timer);
    },
  };
}
