import type { Container, Pod } from '../objects.ts';

const FIRST_BACK_OFF = 10;
const LONGEST_BACK_OFF = 300;

/** Whether a container restarts after this exit code. Its own policy takes precedence over the pod's. */
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
 * The seconds before the next restart: 0 the first time, then 10, 20, 40 ... 300. Running for twice the
 * longest wait resets them.
 */
export function nextBackOff(previous: number | undefined, ranForSeconds: number): number {
  if (previous === undefined || ranForSeconds > 2 * LONGEST_BACK_OFF) return 0;
  return previous === 0 ? FIRST_BACK_OFF : Math.min(previous * 2, LONGEST_BACK_OFF);
}

/** The seconds before the next attempt to pull an image: 10, 20, 40 ... 300. */
export function nextPullBackOff(previous: number | undefined): number {
  return previous === undefined ? FIRST_BACK_OFF : Math.min(previous * 2, LONGEST_BACK_OFF);
}
