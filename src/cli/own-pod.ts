import { hostname } from 'node:os';
import type { Facts } from '../vocabulary.ts';
import type { Surroundings } from './surroundings.ts';

/** The pod that this process runs in, if the downward API was asked to tell it. */
export function ownPod(env: Surroundings['env']): Facts['self'] {
  const namespace = env['POD_NAMESPACE'];
  const name = env['POD_NAME'];
  return namespace && name ? { namespace, name } : undefined;
}

/** Who runs here, for others to read. */
export function whoRuns(env: Surroundings['env']): string {
  return ownPod(env)?.name ?? hostname();
}
