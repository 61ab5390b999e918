import type { Millis } from '../../duration.ts';
import { integer, isRecord } from '../json.ts';

/**
 * How long a container may run until its startup probe has passed or the kubelet has killed it: the probe begins up to a period
 * late, may fail as often as it is allowed, each time after its timeout, and the container has its grace period.
 * https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/
 */
export function startupLimit(probe: unknown, grace: Millis): Millis | undefined {
  if (!isRecord(probe)) return undefined;
  // The API server takes 0 for unset as well.
  const seconds = (field: string, byDefault: number) => integer(probe[field]) || byDefault;
  const each = Math.max(seconds('periodSeconds', 10), seconds('timeoutSeconds', 1));
  const probing = seconds('initialDelaySeconds', 0) + (seconds('failureThreshold', 3) + 1) * each;
  return probing * 1000 + Math.max(grace, seconds('terminationGracePeriodSeconds', 0) * 1000);
}
