import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from '../policy/duration.ts';
import type { Millis } from '../types.ts';
import { version } from '../version.ts';

export interface CliOptions {
  readonly namespaces: readonly string[];
  readonly labelSelector: string | undefined;
  readonly context: string | undefined;
  readonly kubeconfig: string | undefined;
  readonly minAge: Millis;
  readonly concurrency: number;
  readonly deadline: Millis | undefined;
  readonly requestTimeout: Millis;
  readonly dryRun: boolean;
  readonly output: 'json' | 'table' | undefined;
  readonly logLevel: LogLevel | undefined;
}

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** What argv asks for. `Help` is text for stdout, `Wrong` one line for stderr. */
export type Parsed =
  | { readonly kind: 'Sweep'; readonly options: CliOptions }
  | { readonly kind: 'Help'; readonly text: string }
  | { readonly kind: 'Wrong'; readonly message: string };

export function parseArguments(argv: readonly string[]): Parsed {
  let printed = '';
  const program = createProgram().configureOutput({
    writeOut: (text) => {
      printed += text;
    },
    writeErr: () => undefined,
  });
  try {
    program.parse([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'Help', text: printed };
    if (error.code === 'commander.excessArguments') {
      return {
        kind: 'Wrong',
        message: `unknown command '${program.args[0]}'; to sweep a namespace, name it with -n`,
      };
    }
    return { kind: 'Wrong', message: oneLine(error.message) };
  }
  const flags = program.opts<Flags>();
  if (flags.allNamespaces && flags.namespace) {
    return {
      kind: 'Wrong',
      message: '--all-namespaces and --namespace exclude each other; give one of them',
    };
  }
  return {
    kind: 'Sweep',
    options: {
      namespaces: [...new Set(flags.namespace ?? [])],
      labelSelector: flags.selector,
      context: flags.context,
      kubeconfig: flags.kubeconfig,
      minAge: flags.minAge,
      concurrency: flags.concurrency,
      deadline: flags.deadline,
      requestTimeout: flags.requestTimeout,
      dryRun: flags.dryRun ?? false,
      output: flags.output,
      logLevel: flags.logLevel,
    },
  };
}

interface Flags {
  readonly namespace?: readonly string[];
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly minAge: Millis;
  readonly concurrency: number;
  readonly deadline?: Millis;
  readonly requestTimeout: Millis;
  readonly dryRun?: boolean;
  readonly output?: 'json' | 'table';
  readonly logLevel?: LogLevel;
}

function createProgram(): Command {
  return new Command('sidecar-sweeper')
    .description('Ends the sidecars that keep finished pods running, and proves that they ended.')
    .usage('[flags]')
    .version(version, '-V, --version')
    .allowExcessArguments(false)
    .exitOverride()
    .addHelpText('after', examples)
    .option('-n, --namespace <name>', 'sweep this namespace; may be repeated', collectNamespaces)
    .option('-A, --all-namespaces', 'sweep all namespaces, which is the default')
    .option('-l, --selector <selector>', 'only pods with these labels, as in kubectl')
    .addOption(
      new Option('--min-age <duration>', 'how long the last main container must have ended')
        .argParser(duration)
        .default(300_000, '5m'),
    )
    .option('--dry-run', 'show what would be done and send nothing but reads')
    .option('--concurrency <number>', 'requests in flight at a time', wholeNumber(1, 1000), 20)
    .option('--deadline <duration>', 'end the sweep after this time, report included', positiveDuration)
    .option('--context <name>', 'the kubeconfig context to use')
    .option('--kubeconfig <file>', 'the kubeconfig to use (default: KUBECONFIG, ~/.kube/config, the pod)')
    .addOption(
      new Option('--request-timeout <duration>', 'how long one request may take')
        .argParser(requestTimeout)
        .default(30_000, '30s'),
    )
    .addOption(
      new Option('-o, --output <format>', 'default: table on a terminal, else json').choices([
        'json',
        'table',
      ]),
    )
    .addOption(
      new Option('--log-level <level>', 'what to log on stderr (default: info; error on a terminal)').choices(
        logLevels,
      ),
    );
}

const examples = `
Examples:
  sidecar-sweeper --dry-run                     what would be done, in all namespaces
  sidecar-sweeper -n jobs -n etl --min-age 30m  sweep two namespaces, half an hour after the work
  sidecar-sweeper -A -o json | jq .totals       the report for machines

Exit codes:
  0  all resolved, or nothing to do      3  the cluster could not be read
  1  internal error                      4  some pods are still stuck
  2  wrong usage or configuration        5  stopped early, by --deadline or a signal`;

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

function positiveDuration(value: string): Millis {
  const parsed = duration(value);
  if (parsed <= 0 || parsed > longestTimer)
    throw new InvalidArgumentError('Write a duration from 1ms to 24d.');
  return parsed;
}

/** The longest time that a timer of Node can hold. */
const longestTimer: Millis = 2 ** 31 - 1;

/** As in kubectl, a number without a unit is seconds. */
function requestTimeout(value: string): Millis {
  return positiveDuration(/^\d+$/.test(value) ? `${value}s` : value);
}

function wholeNumber(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most)) {
      throw new InvalidArgumentError(`Write a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}

/** Commander puts its suggestion on a line of its own. */
function oneLine(message: string): string {
  return message
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
    .trim();
}
