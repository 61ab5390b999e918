import { type Command, InvalidArgumentError, Option } from 'commander';
import { exampleImage, imageReference } from '../model/image.ts';
import type { PodName } from '../model/pod.ts';
import { exampleSelector, isLabelSelector, namespaceName, podName, type Shard } from '../model/scope.ts';
import { type CommandName, describeFlag, type Flag, isOn, type Value } from '../policy/flag.ts';
import { longestTimer, type Millis, parseDuration } from '../util/time.ts';
import { UsageError } from '../util/usage-error.ts';
import { type FlagsOf, flagGroups } from './flags.ts';

/**
 * Adds the flags of a command. The result reads those that were given, and throws a UsageError if two of them exclude each other.
 */
export function addFlags<C extends CommandName>(command: Command, name: C): () => FlagsOf<C> {
  const added = Object.entries(flagGroups).flatMap(([group, rows]) =>
    Object.entries<Flag>(rows).flatMap(([key, row]) => {
      if (!isOn(row, name)) return [];
      const option = toOption(row, name).helpGroup(`${group}:`);
      command.addOption(option);
      return [[key, { row, option }] as const];
    }),
  );
  return () => {
    const given = new Map(
      added.flatMap(([key, { option }]) => {
        const value: unknown = command.getOptionValue(option.attributeName());
        return value === undefined ? [] : [[key, value]];
      }),
    );
    const flagOf = new Map(added.map(([key, { option }]) => [key, option.long]));
    for (const [key, { row }] of added) {
      if (row.excludes === undefined || !given.has(key) || !given.has(row.excludes)) continue;
      throw new UsageError(
        `${flagOf.get(key)} and ${flagOf.get(row.excludes)} are mutually exclusive; use one of them`,
      );
    }
    return Object.fromEntries(given) as FlagsOf<C>;
  };
}

function toOption(row: Flag, name: CommandName): Option {
  const { means, byDefault, choices } = describeFlag(row, name);
  const option = new Option(row.flags, byDefault === undefined ? means : `${means} (default: ${byDefault})`);
  // To commander, `--no-lock` would set `lock` to false.
  option.negate = false;
  if (choices.length > 0) option.choices(choices);
  const { value } = row;
  return value === undefined || value.kind === 'Choice'
    ? option
    : option.argParser((text, before) => readValue(value, text, before));
}

/** Reads the value of a flag, which may be repeated. Throws InvalidArgumentError. */
function readValue(
  value: Exclude<Value, { readonly kind: 'Choice' }>,
  text: string,
  before: unknown,
): unknown {
  switch (value.kind) {
    case 'Text':
      return text;
    case 'User':
      return checked(text, text.trim() !== '', 'Use the name of a user.');
    case 'File':
      // An empty one is a variable that a script did not set.
      return checked(text, text !== '', 'Name a file.');
    case 'Image':
      return checked(text, imageReference.test(text), `Write an image such as ${exampleImage}.`);
    case 'Shard':
      return shard(text);
    case 'Namespace':
      return namespace(text);
    case 'Namespaces':
      return [...new Set([...list(before), ...text.split(',').map((name) => namespace(name.trim()))])];
    case 'Selector':
      // An empty selector would select everything.
      checked(text, text.trim() !== '', 'Name labels, such as app=report, or omit the flag.');
      return checked(text, isLabelSelector(text), `Write a label selector such as ${exampleSelector}.`);
    case 'Duration':
      return duration(text);
    case 'Timer':
      return timer(text);
    case 'Timeout':
      return timer(/^\d+$/.test(text) ? `${text}s` : text);
    case 'Number':
      return wholeNumber(text, value.least, value.most);
    case 'Choices':
      checked(text, value.of.includes(text), `Allowed choices are ${value.of.join(', ')}.`);
      return [...list(before), text];
  }
}

function checked(text: string, isValid: boolean, advice: string): string {
  if (!isValid) throw new InvalidArgumentError(advice);
  return text;
}

function list(before: unknown): readonly unknown[] {
  return Array.isArray(before) ? before : [];
}

function namespace(name: string): string {
  return checked(name, namespaceName.test(name), 'It is not a valid namespace name.');
}

function duration(text: string): Millis {
  const parsed = parseDuration(text);
  if (parsed === undefined) throw new InvalidArgumentError('Use a duration such as 90s, 5m or 1h30m.');
  return parsed;
}

function timer(text: string): Millis {
  const parsed = duration(text);
  if (parsed <= 0 || parsed > longestTimer) throw new InvalidArgumentError('Use a duration from 1ms to 24d.');
  return parsed;
}

function wholeNumber(text: string, least: number, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new InvalidArgumentError(`Use a whole number from ${least} to ${most}.`);
}

const mostShards = 1000;

function shard(text: string): Shard {
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || of === undefined || index >= of || of > mostShards) {
    throw new InvalidArgumentError(
      `Use i/n with i from 0 to n-1, such as 0/3, 1/3 and 2/3; n is at most ${mostShards}.`,
    );
  }
  return { index, of };
}

const podKinds: readonly string[] = ['pod', 'pods', 'po'];

const example = 'such as billing/report-x2k9p, or -n billing report-x2k9p';

/**
 * The pods that these words name: `<namespace>/<pod>`, and `<pod>` or `pod/<pod>` in the namespace of -n, or else of the context,
 * for which the namespace is empty. Throws UsageError.
 */
export function readPods(words: readonly string[], namespaces: readonly string[] = []): readonly PodName[] {
  return words.map((word) => {
    const { namespace, name } = splitPod(word, namespaces);
    if (namespace !== '' && !namespaceName.test(namespace))
      throw new UsageError(`'${namespace}' is not a valid namespace name`);
    if (!podName.test(name)) throw new UsageError(`'${name}' is not a valid pod name`);
    return { namespace, name };
  });
}

function splitPod(word: string, namespaces: readonly string[]): PodName {
  const [first = '', second, ...more] = word.split('/');
  const hasNamespace = second !== undefined && !podKinds.includes(first);
  const name = second ?? first;
  if (more.length > 0 || name === '' || first === '') {
    throw new UsageError(`'${word}' names no pod; name it with its namespace, ${example}`);
  }
  if (hasNamespace) return { namespace: first, name };
  const [namespace = '', ...others] = namespaces;
  if (others.length > 0) {
    throw new UsageError(`'${word}' may be in any of ${namespaces.join(', ')}; name its own, ${example}`);
  }
  return { namespace, name };
}
