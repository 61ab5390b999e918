import { setTimeout } from 'node:timers/promises';

/** Waits for something that real processes bring about; gives up quietly, for the assertion after it to say what is missing. */
export async function until(isSo: () => boolean | Promise<boolean>, longest: number): Promise<void> {
  const end = performance.now() + longest;
  while (!(await isSo()) && performance.now() < end) await setTimeout(50);
}
