import type { ContainerStatus } from '../objects.ts';
import type { Role } from './container-status.ts';

/**
 * The containers of an ending pod to stop now: first all but the native sidecars, then the sidecars one by
 * one in reverse order of their start.
 */
export function endOrder<T extends { readonly role: Role; readonly status: ContainerStatus }>(
  containers: readonly T[],
): T[] {
  const running = containers.filter(({ status }) => status.state.running);
  const served = running.filter(({ role }) => role !== 'sidecar');
  return served.length > 0 ? served : running.slice(-1);
}
