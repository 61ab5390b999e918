import { onAbort } from '../../src/util/concurrency.ts';
import type { Clock } from '../../src/util/time.ts';
import type { SteppedClock } from '../kit/emulator/index.ts';

export function clockOf(stepped: SteppedClock): Clock {
  return {
    now: () => stepped.now().getTime(),
    sleep: (time, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const leave = onAbort(signal, () => {
          cancel();
          resolve();
        });
        const cancel = stepped.after(time, () => {
          leave();
          resolve();
        });
      }),
  };
}

/** Lets time pass, so many milliseconds at a time, until the work is done. */
export async function whileTimePasses<T>(time: SteppedClock, work: Promise<T>, step: number): Promise<T> {
  let isDone = false;
  const note = () => {
    isDone = true;
  };
  work.then(note, note);
  for (let steps = 0; !isDone; steps++) {
    if (steps > 1_000_000) throw new Error('it waits for ever');
    await time.advance(step);
  }
  return work;
}
