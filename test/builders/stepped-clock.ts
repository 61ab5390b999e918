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
