import { setImmediate } from 'node:timers/promises';

/** The emulator's time source, with which tests can skip a grace period of 30 seconds. */
export interface EmulatorClock {
  now(): Date;
  after(milliseconds: number, callback: () => void): () => void;
}

export interface RunningClock extends EmulatorClock {
  /** Changes the speed, also of pending calls. */
  pace(speed: number): void;
  /** Jumps ahead, which makes a recent end look old. Pending calls come no earlier. */
  forward(milliseconds: number): void;
}

export function emulatorClock(speed = 1): RunningClock {
  let pace = { speed, since: performance.now(), time: Date.now() };
  const pending = new Map<Alarm, NodeJS.Timeout>();
  const now = () => pace.time + (performance.now() - pace.since) * pace.speed;

  function arm(alarm: Alarm): void {
    const fire = () => {
      pending.delete(alarm);
      alarm.callback();
    };
    clearTimeout(pending.get(alarm));
    pending.set(alarm, setTimeout(fire, Math.max(0, (alarm.due - now()) / pace.speed)));
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
    forward(milliseconds) {
      pace = { ...pace, time: pace.time + milliseconds };
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
    const [first] = alarms;
    return first && first.due <= until ? alarms.shift() : undefined;
  }

  return {
    now: () => new Date(now),
    after(milliseconds, callback) {
      const alarm = { due: now + Math.max(0, milliseconds), callback };
      // After all that are due at the same time or earlier: first set, first called.
      alarms.splice(alarms.findLastIndex(({ due }) => due <= alarm.due) + 1, 0, alarm);
      return () => {
        const index = alarms.indexOf(alarm);
        if (index >= 0) alarms.splice(index, 1);
      };
    },
    async advance(milliseconds) {
      const target = now + milliseconds;
      // Lets all pending promises run until they wait for a timer or I/O.
      await setImmediate();
      for (let alarm = takeDue(target); alarm; alarm = takeDue(target)) {
        now = Math.max(now, alarm.due);
        alarm.callback();
        await setImmediate();
      }
      now = target;
    },
  };
}
