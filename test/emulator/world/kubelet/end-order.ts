import type { ContainerStatus } from '../objects.ts';
import type { Role } from './container-status.ts';

/**
 * Which running containers of an ending pod are stopped now: all but the native sidecars, and when those have
 * ended, the sidecars one by one, the last started first.
 */
export function endOrder<T extends { readonly role: Role; readonly status: ContainerStatus }>(
  containers: readonly T[],
): T[] {
  const running = containers.filter(({ status }) => status.state.running);
  const served = running.filter(({ role }) => role !== 'sidecar');
  return served.length > 0 ? served : running.slice(-1);
}
