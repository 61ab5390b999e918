import type { Command } from 'commander';
import { groups } from '../help.ts';
import { namespace } from './scope.ts';

export interface LockFlags {
  /** The namespace of the Lease; false if none is taken. */
  readonly lock?: string | false;
}

/** Where the manifests install the sweeper. */
export const usualNamespace = 'sidecar-sweeper';

export function addLockFlags(command: Command): Command {
  return command
    .optionsGroup(groups.safety)
    .option(
      '--lock <namespace>',
      `prevent concurrent sweeps by a Lease in this namespace (default: the pod's namespace, else ${usualNamespace})`,
      namespace,
    )
    .option('--no-lock', 'sweep even if another sweep holds the Lease');
}
