import type { Command } from 'commander';
import { UsageError } from '../../util/usage-error.ts';
import { groups } from '../help.ts';
import { namespace } from './scope.ts';

export interface LockFlags {
  /** The namespace of the Lease; false if none is taken. */
  readonly lock?: string | false;
}

/** Where the manifests install the sweeper. */
export const usualNamespace = 'sidecar-sweeper';

export function addLockFlags(command: Command): Command {
  return refuseBoth(command)
    .optionsGroup(groups.safety)
    .option(
      '--lock <namespace>',
      `prevent concurrent sweeps by a Lease in this namespace (default: the pod's namespace, else ${usualNamespace})`,
      namespace,
    )
    .option('--no-lock', 'sweep even if another sweep holds the Lease');
}

/** To commander both are one option, of which the last one counts. */
function refuseBoth(command: Command): Command {
  const given = new Set<string>();
  for (const flag of ['lock', 'no-lock']) {
    command.on(`option:${flag}`, () => {
      if (given.add(flag).size === 1) return;
      throw new UsageError('--lock and --no-lock are mutually exclusive; use one of them');
    });
  }
  return command;
}
