import { type Command, InvalidArgumentError, Option } from 'commander';
import { exampleSelector, isLabelSelector, namespaceName } from '../../model/scope.ts';
import { defaults } from '../../policy/defaults.ts';
import { formatDuration, type Millis } from '../../util/time.ts';
import { UsageError } from '../../util/usage-error.ts';
import { groups } from '../help.ts';
import { duration } from './values.ts';

/** Which pods to examine, and when they count as stuck. */
export interface ScopeFlags extends NamespaceFlags {
  readonly includePending?: boolean;
  readonly minAge?: Millis;
}

/** Which namespaces to look at, and which pods in them. */
export interface NamespaceFlags {
  readonly namespace?: readonly string[];
  readonly allNamespaces?: boolean;
  readonly excludeNamespace?: readonly string[];
  readonly namespaceSelector?: string;
  readonly selector?: string;
}

export function addScopeFlags(command: Command): Command {
  const scoped = addNamespaceFlags(command).option(
    '--include-pending',
    'also find pods whose sidecar never started',
  );
  return addMinAgeFlag(scoped);
}

export function addNamespaceFlags(command: Command): Command {
  return command
    .optionsGroup(groups.scope)
    .option('-n, --namespace <namespace>', 'look only in this namespace; may be repeated', collectNamespaces)
    .option('-A, --all-namespaces', 'look in all namespaces (the default)')
    .option('--exclude-namespace <namespace>', 'leave this namespace out; may be repeated', collectNamespaces)
    .option('--namespace-selector <selector>', 'look only in namespaces with these labels', labels)
    .option('-l, --selector <selector>', 'look only at pods with these labels, as in kubectl', labels);
}

export function addMinAgeFlag(command: Command): Command {
  const meaning = `leave pods alone whose last main container ended more recently (default: ${formatDuration(defaults.minAge)})`;
  return command
    .optionsGroup(groups.scope)
    .addOption(new Option('--min-age <duration>', meaning).argParser(duration));
}

/** The namespaces that the flags name; empty means all. Throws UsageError. */
export function namespacesOf({ namespace, allNamespaces }: NamespaceFlags): readonly string[] {
  if (allNamespaces && namespace) {
    throw new UsageError('--all-namespaces and --namespace are mutually exclusive; use one of them');
  }
  return [...new Set(namespace ?? [])];
}

function collectNamespaces(value: string, before: readonly string[] = []): readonly string[] {
  const names = value.split(',').map((name) => name.trim());
  return [...before, ...names.map(namespace)];
}

/** An empty selector selects everything, but is a variable that a script did not set. Throws InvalidArgumentError. */
function labels(selector: string): string {
  if (selector.trim() === '') {
    throw new InvalidArgumentError('Name labels, such as app=report, or omit the flag.');
  }
  if (isLabelSelector(selector)) return selector;
  throw new InvalidArgumentError(`Write a label selector such as ${exampleSelector}.`);
}

/** Reads the name of a namespace. Throws InvalidArgumentError. */
export function namespace(name: string): string {
  if (namespaceName.test(name)) return name;
  throw new InvalidArgumentError('It is not a valid namespace name.');
}
