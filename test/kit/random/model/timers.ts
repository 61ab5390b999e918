import type { SteppedClock } from '../../emulator/index.ts';

/**
 * Lets the timers of this process go by a clock that is stepped, so that a request that hangs until its timeout takes no real
 * time. Returns a function that undoes it.
 */
export function timersBy(clock: SteppedClock): () => void {
  const { setTimeout, clearTimeout } = globalThis;
  const begin = (callback: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) =>
    clock.after(milliseconds, () => callback(...given));
  const end = (timer: unknown) => {
    // Those that began before are real ones.
    if (typeof timer === 'function') timer();
    else clearTimeout(timer as NodeJS.Timeout | undefined);
  };
  Object.assign(globalThis, { setTimeout: begin, clearTimeout: end });
  return () => void Object.assign(globalThis, { setTimeout, clearTimeout });
}
