import { setImmediate } from 'node:timers/promises';

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

/** A clock that stands still until a test moves it. */
export interface SteppedClock extends EmulatorClock {
  /** Moves time on, calling back whatever becomes due in between, each at its own moment. */
  advance(milliseconds: number): Promise<void>;
}

interface Alarm {
  readonly due: number;
  readonly callback: () => void;
}

/** Time that only moves when it is told to: nothing in such a test waits for real seconds. */
export function steppedClock(start = Date.parse('2026-11-21T03:34:11Z')): SteppedClock {
  let now = start;
  const alarms: Alarm[] = [];

  function takeDue(until: number): Alarm | undefined {
    const first = alarms[0];
    return first && first.due <= until ? alarms.shift() : undefined;
  }

  return {
    now: () => new Date(now),
    after(milliseconds, callback) {
      const alarm = { due: now + Math.max(0, milliseconds), callback };
      alarms.splice(placeFor(alarms, alarm.due), 0, alarm);
      return () => {
        const index = alarms.indexOf(alarm);
        if (index >= 0) alarms.splice(index, 1);
      };
    },
    async advance(milliseconds) {
      const target = now + milliseconds;
      await settle();
      for (let alarm = takeDue(target); alarm; alarm = takeDue(target)) {
        now = Math.max(now, alarm.due);
        alarm.callback();
        await settle();
      }
      now = target;
    },
  };
}

/** After all alarms that are due at the same time or earlier: first set, first called. */
function placeFor(alarms: readonly Alarm[], due: number): number {
  let low = 0;
  let high = alarms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((alarms[middle]?.due ?? Number.POSITIVE_INFINITY) <= due) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Lets every promise that is already resolvable run to its next wait. */
async function settle(): Promise<void> {
  await setImmediate();
}

/** Real time that can be put forward: what has ended just now has ended long ago. Nothing that waits is called earlier. */
export interface ForwardClock extends EmulatorClock {
  forward(milliseconds: number): void;
}

/** Starts as real time. */
export function forwardClock(): ForwardClock {
  const real = emulatorClock();
  let ahead = 0;
  return {
    now: () => new Date(real.now().getTime() + ahead),
    after: real.after,
    forward(milliseconds) {
      ahead += milliseconds;
    },
  };
}
