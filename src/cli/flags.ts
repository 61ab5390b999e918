import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../duration.ts';
import { type LastResortName, lastResortNames } from '../policy/policy.ts';
import { UsageError } from '../usage-error.ts';
import type { Millis, UncleanExit } from '../vocabulary.ts';

/** Which cluster, and as whom. */
export interface ConnectionFlags {
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly requestTimeout: Millis;
}

export function addConnectionFlags(command: Command): Command {
  return command
    .option('--context <name>', 'the kubeconfig context to use')
    .option('--kubeconfig <file>', 'the kubeconfig to use (default: KUBECONFIG, ~/.kube/config, the pod)')
    .addOption(
      new Option('--request-timeout <duration>', 'how long one request may take')
        .argParser(requestTimeout)
        .default(30_000, '30s'),
    );
}

/** Which pods, and when they count as stuck. */
export interface ScopeFlags {
  readonly namespace?: readonly string[];
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly includePending?: boolean;
  readonly minAge?: Millis;
}

/** What the policy says beyond the scope. */
export interface PolicyFileFlags {
  readonly policy?: string;
  readonly annotationCommands?: 'off' | 'allowlist' | 'any';
  readonly uncleanExit?: UncleanExit;
  readonly lastResort?: readonly LastResortName[];
  readonly noopImage?: string;
}

export function addPolicyFlags(command: Command): Command {
  return addPolicyFileFlag(command)
    .addOption(
      new Option(
        '--annotation-commands <mode>',
        "run kill commands of pods' annotations (default: allowlist)",
      ).choices(['off', 'allowlist', 'any']),
    )
    .addOption(
      new Option(
        '--unclean-exit <rule>',
        'where a sidecar might end unclean and finished work run again (default: canary)',
      ).choices(['canary', 'allow', 'forbid']),
    )
    .addOption(
      new Option(
        '--last-resort <method>',
        'what to do when a sidecar outlives every gentler step; may be repeated, in this order',
      )
        .choices(lastResortNames)
        .argParser(collectLastResort),
    )
    .option('--noop-image <image>', 'the image that --last-resort image-swap puts in place');
}

export function addPolicyFileFlag(command: Command): Command {
  return command.option('--policy <file>', 'a SweepPolicy; flags win over it');
}

function collectLastResort(value: string, before: readonly LastResortName[] = []): readonly LastResortName[] {
  const name = lastResortNames.find((one) => one === value);
  if (name === undefined)
    throw new InvalidArgumentError(`Allowed choices are ${lastResortNames.join(', ')}.`);
  return [...before, name];
}

export function addScopeFlags(command: Command): Command {
  const scoped = command
    .option('-n, --namespace <name>', 'only this namespace; may be repeated', collectNamespaces)
    .option('-A, --all-namespaces', 'all namespaces, which is the default')
    .option('-l, --selector <selector>', 'only pods with these labels, as in kubectl')
    .option('--include-pending', 'also look for pods whose sidecar never came to run');
  return addMinAgeFlag(scoped);
}

export function addMinAgeFlag(command: Command): Command {
  return command.addOption(
    new Option(
      '--min-age <duration>',
      'how long the last main container must have ended (default: 5m)',
    ).argParser(duration),
  );
}

/** The namespaces that were named; none means all. */
export function namespacesOf({ namespace, allNamespaces }: ScopeFlags): readonly string[] {
  if (allNamespaces && namespace) {
    throw new UsageError('--all-namespaces and --namespace exclude each other; give one of them');
  }
  return [...new Set(namespace ?? [])];
}

export interface OutputFlags {
  readonly output?: 'json' | 'table';
}

export function addOutputFlags(command: Command): Command {
  return command.addOption(
    new Option('-o, --output <format>', 'default: table on a terminal, else json').choices(['json', 'table']),
  );
}

function collectNamespaces(value: string, before: readonly string[] = []): readonly string[] {
  const names = value.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) {
      throw new InvalidArgumentError('It is not the name of a namespace.');
    }
  }
  return [...before, ...names];
}

function duration(value: string): Millis {
  const parsed = parseDuration(value);
  if (parsed === undefined) throw new InvalidArgumentError('Write a duration such as 90s, 5m or 1h30m.');
  return parsed;
}

/** A time that a timer of Node can hold. */
export function positiveDuration(value: string): Millis {
  const parsed = duration(value);
  if (parsed <= 0 || parsed > longestTimer)
    throw new InvalidArgumentError('Write a duration from 1ms to 24d.');
  return parsed;
}

const longestTimer: Millis = 2 ** 31 - 1;

/** As in kubectl, a number without a unit is seconds. */
function requestTimeout(value: string): Millis {
  return positiveDuration(/^\d+$/.test(value) ? `${value}s` : value);
}

export function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most)) {
      throw new InvalidArgumentError(`Write a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}
