import { readFileSync } from 'node:fs';
import { ConfigError } from '../kube/config-error.ts';
import { type PolicyFile, readPolicy } from '../policy/file.ts';
import { IncompleteFlags, resolvePolicy } from '../policy/policy.ts';
import type { Policy, Shard } from '../types.ts';
import { namespacesOf, type PolicyFileFlags, type ScopeFlags } from './flags.ts';

/** The policy of a run: defaults, the file of --policy, flags. Throws ConfigError. */
export function loadPolicy(flags: ScopeFlags & PolicyFileFlags, shard?: Shard): Policy {
  try {
    return resolvePolicy(
      {
        namespaces: namespacesOf(flags),
        shard,
        includePending: flags.includePending,
        labelSelector: flags.selector,
        minAge: flags.minAge,
        annotationCommands: flags.annotationCommands,
        uncleanExit: flags.uncleanExit,
        lastResort: flags.lastResort ?? [],
        noopImage: flags.noopImage,
      },
      flags.policy === undefined ? undefined : loadPolicyFile(flags.policy),
    );
  } catch (error) {
    if (error instanceof IncompleteFlags) throw new ConfigError(error.message);
    throw error;
  }
}

/** The policy of a file. Throws ConfigError. */
export function loadPolicyFile(file: string): PolicyFile {
  const read = readPolicy(readText(file));
  if (read.kind === 'Policy') return read.policy;
  const [first, ...others] = read.problems;
  const more = others.length > 0 ? ` (and ${others.length} more: sidecar-sweeper validate ${file})` : '';
  throw new ConfigError(`${file}:${first?.line}: ${first?.message}${more}`);
}

/** The text of a file. Throws ConfigError. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new ConfigError(`${file} cannot be read (${code})`);
  }
}
