import { type Command, InvalidArgumentError, Option } from 'commander';
import type { OpenCluster } from '../kube/cluster.ts';
import { exampleImage, imageReference } from '../model/image.ts';
import type { PodName } from '../model/pod.ts';
import { exampleSelector, isLabelSelector, namespaceName, podName, type Shard } from '../model/scope.ts';
import { type CommandName, describeFlag, type Flag, isOn, type Value } from '../policy/flag.ts';
import { distinct } from '../util/groups.ts';
import { longestTimer, type Millis, parseDuration } from '../util/time.ts';
import { UsageError } from '../util/usage-error.ts';
import { flagGroups, type GivenFlags } from './flags.ts';

/** Commander keys the values of the flags by the names of their rows. */
export function addFlags(command: Command, name: CommandName): void {
  for (const [group, rows] of Object.entries(flagGroups)) {
    for (const [key, row] of Object.entries<Flag>(rows)) {
      if (isOn(row, name)) command.addOption(toOption(key, row, name).helpGroup(`${group}:`));
    }
  }
}

function toOption(key: string, row: Flag, name: CommandName): Option {
  const { means, byDefault, choices } = describeFlag(row, name);
  const option = new Option(row.flags, byDefault === undefined ? means : `${means} (default: ${byDefault})`);
  // To commander, `--no-lock` would set `lock` to false.
  Object.assign(option, { attributeName: () => key, negate: false });
  if (row.excludes !== undefined) option.conflicts(row.excludes);
  if (choices.length > 0) option.choices(choices);
  const { value } = row;
  return value === undefined || value.kind === 'Choice'
    ? option
    : option.argParser((text, before) => readValue(value, text, before));
}

function readValue(
  value: Exclude<Value, { readonly kind: 'Choice' }>,
  text: string,
  before: unknown,
): unknown {
  const list = Array.isArray(before) ? before : [];
  switch (value.kind) {
    // An empty value is a variable that a script did not set.
    case 'Text':
      return checked(text, text.trim() !== '', 'Give it a value, or omit the flag.');
    case 'File':
      return checked(text, text !== '', 'Name a file.');
    case 'Image':
      return checked(text, imageReference.test(text), `Write an image such as ${exampleImage}.`);
    case 'Shard':
      return shard(text);
    case 'Namespace':
      return namespace(text);
    case 'Namespaces':
      return [...new Set([...list, ...text.split(',').map((name) => namespace(name.trim()))])];
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
    case 'Number': {
      const isIn = /^\d+$/.test(text) && Number(text) >= value.least && Number(text) <= value.most;
      return Number(checked(text, isIn, `Use a whole number from ${value.least} to ${value.most}.`));
    }
    case 'Choices':
      return [...list, checked(text, value.of.includes(text), `Allowed choices are ${value.of.join(', ')}.`)];
  }
}

function checked(text: string, isValid: boolean, advice: string): string {
  if (!isValid) throw new InvalidArgumentError(advice);
  return text;
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
  checked(text, parsed > 0 && parsed <= longestTimer, 'Use a duration from 1ms to 24d.');
  return parsed;
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

const example = 'such as billing/report-x2k9p, or -n billing report-x2k9p';

/** Reads `<namespace>/<pod>`, `<pod>` and `pod/<pod>`; the namespace is empty if it is that of the context. */
export function readPods(
  words: readonly string[],
  flags: Pick<GivenFlags, 'namespaces' | 'allNamespaces'> = {},
): readonly PodName[] {
  const { namespaces = [], allNamespaces = false } = flags;
  return words.map((word) => {
    const [first = '', second, ...more] = word.split('/');
    const name = second ?? first;
    if (more.length > 0 || name === '' || first === '') {
      throw new UsageError(`'${word}' is not a pod's name; write it with its namespace, ${example}`);
    }
    const hasNamespace = second !== undefined && !['pod', 'pods', 'po'].includes(first);
    if (!hasNamespace && (allNamespaces || namespaces.length > 1)) {
      const where = allNamespaces ? 'in any namespace' : `in any of ${namespaces.join(', ')}`;
      throw new UsageError(`'${word}' may be ${where}; write it with its namespace, ${example}`);
    }
    const namespace = hasNamespace ? first : (namespaces[0] ?? '');
    if (namespace !== '' && !namespaceName.test(namespace))
      throw new UsageError(`'${namespace}' is not a valid namespace name`);
    if (!podName.test(name)) throw new UsageError(`'${name}' is not a valid pod name`);
    return { namespace, name };
  });
}

/** Pods without a namespace are in that of the context; a pod that was named twice counts once. */
export function withNamespaces(pods: readonly PodName[], { namespace }: Pick<OpenCluster, 'namespace'>) {
  return distinct(pods.map((pod) => (pod.namespace === '' ? { ...pod, namespace } : pod)));
}
