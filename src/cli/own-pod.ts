import { hostname } from 'node:os';
import type { Facts } from '../model/reading.ts';
import type { Surroundings } from './surroundings.ts';

/** The pod that this process runs in, if the downward API sets POD_NAMESPACE and POD_NAME. */
export function ownPod(env: Surroundings['env']): Facts['self'] {
  const namespace = env['POD_NAMESPACE'];
  const name = env['POD_NAME'];
  return namespace && name ? { namespace, name } : undefined;
}

/** A name for this process that people recognise: its pod, or else its host. */
export function whoRuns(env: Surroundings['env']): string {
  return ownPod(env)?.name ?? hostname();
}
