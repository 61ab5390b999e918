import { type Command, InvalidArgumentError, Option } from 'commander';
import { defaults } from '../../defaults.ts';
import { formatDuration, type Millis } from '../../duration.ts';
import { UsageError } from '../../usage-error.ts';
import { duration } from './values.ts';

/** Which pods to examine, and when they count as stuck. */
export interface ScopeFlags {
  readonly namespace?: readonly string[];
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly includePending?: boolean;
  readonly minAge?: Millis;
}

export function addScopeFlags(command: Command): Command {
  const scoped = command
    .option('-n, --namespace <name>', 'only this namespace; may be repeated', collectNamespaces)
    .option('-A, --all-namespaces', 'all namespaces (the default)')
    .option('-l, --selector <selector>', 'only pods with these labels, as in kubectl')
    .option('--include-pending', 'also find pods whose sidecar never started');
  return addMinAgeFlag(scoped);
}

export function addMinAgeFlag(command: Command): Command {
  const meaning = `how long ago the last main container must have ended (default: ${formatDuration(defaults.minAge)})`;
  return command.addOption(new Option('--min-age <duration>', meaning).argParser(duration));
}

/** The namespaces that the flags name; empty means all. Throws UsageError. */
export function namespacesOf({ namespace, allNamespaces }: ScopeFlags): readonly string[] {
  if (allNamespaces && namespace) {
    throw new UsageError('--all-namespaces and --namespace are mutually exclusive; use one of them');
  }
  return [...new Set(namespace ?? [])];
}

function collectNamespaces(value: string, before: readonly string[] = []): readonly string[] {
  const names = value.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) {
      throw new InvalidArgumentError('It is not a valid namespace name.');
    }
  }
  return [...before, ...names];
}
