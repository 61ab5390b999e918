import type { Clock } from '../../src/ports.ts';
import type { SteppedClock } from '../emulator/index.ts';

/** Adapts a stepped clock to the product's interface. */
export function clockOf(stepped: SteppedClock): Clock {
  return {
    now: () => stepped.now().getTime(),
    sleep: (time, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const cancel = stepped.after(time, () => {
          // Thousands would stay on a signal that is never aborted, and each new one is compared with them all.
          signal.removeEventListener('abort', wake);
          resolve();
        });
        const wake = () => {
          cancel();
          resolve();
        };
        signal.addEventListener('abort', wake, { once: true });
      }),
  };
}
