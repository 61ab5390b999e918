import { setImmediate } from 'node:timers/promises';

/** The emulator's time source, with which tests can skip a grace period of 30 seconds. */
export interface EmulatorClock {
  now(): Date;
  /** Calls back once after this many milliseconds of this clock. Returns a function that cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
}

export interface PacedClock extends EmulatorClock {
  /** Changes the speed, also of pending calls. */
  pace(speed: number): void;
}

export function emulatorClock(speed = 1, start = Date.now()): PacedClock {
  let pace = { speed, since: performance.now(), time: start };
  const pending = new Map<Alarm, NodeJS.Timeout>();
  const now = () => pace.time + (performance.now() - pace.since) * pace.speed;

  function arm(alarm: Alarm): void {
    const fire = () => {
      pending.delete(alarm);
      alarm.callback();
    };
    clearTimeout(pending.get(alarm));
    pending.set(alarm, setTimeout(fire, (alarm.due - now()) / pace.speed));
  }

  return {
    now: () => new Date(now()),
    after(milliseconds, callback) {
      const alarm = { due: now() + milliseconds, callback };
      arm(alarm);
      return () => {
        clearTimeout(pending.get(alarm));
        pending.delete(alarm);
      };
    },
    pace(speed) {
      pace = { speed, since: performance.now(), time: now() };
      for (const alarm of [...pending.keys()]) arm(alarm);
    },
  };
}

/** A clock that stands still until a test advances it. */
export interface SteppedClock extends EmulatorClock {
  /** Advances the time, and calls every due callback at its own time. */
  advance(milliseconds: number): Promise<void>;
}

interface Alarm {
  readonly due: number;
  readonly callback: () => void;
}

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

/** After all alarms due at the same time or earlier: first set, first called. */
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

/** Lets all pending promises run until they wait for a timer or I/O. */
async function settle(): Promise<void> {
  await setImmediate();
}

/** Real time that can jump ahead, to make a recent end look old. Jumps do not fire timers early. */
export interface ForwardClock extends EmulatorClock {
  forward(milliseconds: number): void;
}

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
