import { setTimeout } from 'node:timers/promises';

/** Polls a condition on real processes. After the timeout it returns, so that the next assertion can fail. */
export async function until(isSo: () => boolean | Promise<boolean>, longest = 60_000): Promise<void> {
  const end = performance.now() + longest;
  while (!(await isSo()) && performance.now() < end) await setTimeout(50);
}
