import { readFileSync } from 'node:fs';
import type { Shard } from '../model/scope.ts';
import { type PolicyFile, readPolicy } from '../policy/file.ts';
import { type Policy, resolvePolicy } from '../policy/policy.ts';
import { UsageError, unreadable } from '../util/usage-error.ts';
import type { BrakeFlags } from './flags/brake.ts';
import type { CapFlags } from './flags/caps.ts';
import type { PolicyFileFlags } from './flags/policy.ts';
import { namespacesOf, type ScopeFlags } from './flags/scope.ts';

/** The policy of a run, from its flags, the file of --policy and the defaults. Throws UsageError. */
export function loadPolicy(
  flags: ScopeFlags & PolicyFileFlags & CapFlags & BrakeFlags,
  shard?: Shard,
): Policy {
  return resolvePolicy(
    {
      namespaces: namespacesOf(flags),
      allNamespaces: flags.allNamespaces,
      excludeNamespaces: flags.excludeNamespace,
      namespaceSelector: flags.namespaceSelector,
      shard,
      includePending: flags.includePending,
      labelSelector: flags.selector,
      minAge: flags.minAge,
      annotationCommands: flags.annotationCommands,
      uncleanExit: flags.uncleanExit,
      lastResort: flags.lastResort ?? [],
      noopImage: flags.noopImage,
      maxPods: flags.maxPods,
      maxPodsPerNamespace: flags.maxPodsPerNamespace,
      maxPodsPerNode: flags.maxPodsPerNode,
      brakePods: flags.brakePods,
      brakeShare: flags.brakeShare,
      noopPrograms: flags.noopPrograms,
      raiseBackoffLimit: flags.raiseBackoffLimit,
      keepLogs: flags.keepLogs,
      maxGrace: flags.maxGrace,
    },
    flags.policy === undefined ? undefined : loadPolicyFile(flags.policy),
  );
}

/** The policy in a file. Throws UsageError. */
export function loadPolicyFile(file: string): PolicyFile {
  if (file === '-') throw new UsageError('--policy needs a file; only validate reads a policy from stdin');
  const read = readPolicy(readText(file));
  if (read.kind === 'Policy') return read.policy;
  const [first, ...others] = read.problems;
  const more = others.length > 0 ? ` (and ${others.length} more; validate lists them)` : '';
  throw new UsageError(`${file}:${first?.line}: ${first?.message}${more}`);
}

/** The text of a file. Throws UsageError. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}
