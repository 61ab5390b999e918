import type { Container, Pod } from '../objects.ts';

const FIRST_BACK_OFF = 10;
const LONGEST_BACK_OFF = 300;

/** Whether a container that ended with this code is started again. A container's own policy goes before the pod's. */
export function restartsAfter(
  container: Container,
  podPolicy: Pod['spec']['restartPolicy'],
  exitCode: number,
) {
  for (const { exitCodes } of container.restartPolicyRules ?? []) {
    if (!exitCodes) continue;
    const listed = exitCodes.values.includes(exitCode);
    if (listed === (exitCodes.operator === 'In')) return true;
  }
  const policy = container.restartPolicy ?? podPolicy;
  switch (policy) {
    case 'Always':
      return true;
    case 'OnFailure':
      return exitCode !== 0;
    case 'Never':
      return false;
  }
}

/**
 * The seconds to wait before the next restart: none the first time, then 10, 20, 40 ... 300. A container that
 * ran for twice the longest wait starts over.
 */
export function nextBackOff(previous: number | undefined, ranForSeconds: number): number {
  if (previous === undefined || ranForSeconds > 2 * LONGEST_BACK_OFF) return 0;
  return previous === 0 ? FIRST_BACK_OFF : Math.min(previous * 2, LONGEST_BACK_OFF);
}

/** The seconds until an image is asked for again: 10, 20, 40 ... 300. */
export function nextPullBackOff(previous: number | undefined): number {
  return previous === undefined ? FIRST_BACK_OFF : Math.min(previous * 2, LONGEST_BACK_OFF);
}
