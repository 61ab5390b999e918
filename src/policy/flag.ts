import type { Shard } from '../model/scope.ts';
import { formatDuration } from '../util/time.ts';

/** A field of the policy file that is not a flag, because it stays the same from run to run. */
export interface Field {
  /** The kind of its value; missing for true or false. */
  readonly value?: Value | { readonly kind: 'Name' | 'Url' | 'Percent' };
  readonly means: string;
  readonly default?: string | number | boolean;
  /** The default in words, if it is not a plain value. */
  readonly otherwise?: string;
}

/** A row is the source of a flag, its help, its field of policies, and tables in the docs (`npm run schema`). */
export interface Flag extends Field {
  /** As in help: `-n, --namespace <namespace>`. */
  readonly flags: string;
  readonly value?: Value;
  /** The commands that have it; missing if only a sweep has it. */
  readonly on?: readonly CommandName[];
  /** True for a field with the name of the row; otherwise the name of the field that the flag stands for. */
  readonly field?: true | string;
  /** The flag that cannot be used together with it. */
  readonly excludes?: string;
  /** An addition for docs/reference/flags.md, in Markdown. */
  readonly docs?: string;
  /** Differences on single commands. */
  readonly where?: {
    readonly [C in CommandName]?: {
      readonly means?: string;
      readonly otherwise?: string;
      readonly choices?: readonly string[];
    };
  };
}

export type Flags = Readonly<Record<string, Flag>>;
export type PolicyFields = Readonly<Record<string, Field>>;

export type CommandName =
  | 'sweep'
  | 'scan'
  | 'explain'
  | 'advise'
  | 'check-access'
  | 'profiles'
  | 'report'
  | 'report merge'
  | 'validate'
  | 'schema'
  | 'completion';

export type Value =
  | { readonly kind: 'Text' | 'File' | 'Image' | 'Shard' }
  | { readonly kind: 'Namespace' | 'Namespaces' | 'Selector' }
  /** A timer is from 1ms to 24d. A timeout is a timer, and a number without a unit is in seconds, as in kubectl. */
  | { readonly kind: 'Duration' | 'Timer' | 'Timeout' }
  | { readonly kind: 'Number'; readonly least: number; readonly most: number }
  | { readonly kind: 'Choice'; readonly of: readonly string[] }
  /** The flag may be repeated. */
  | { readonly kind: 'Choices'; readonly of: readonly string[] };

/** The type that a value is read as. */
type ReadAs<V> = V extends { readonly kind: infer K; readonly of: readonly (infer T)[] }
  ? K extends 'Choices'
    ? readonly T[]
    : T
  : V extends { readonly kind: 'Duration' | 'Timer' | 'Timeout' | 'Number' | 'Percent' }
    ? number
    : V extends { readonly kind: 'Namespaces' }
      ? readonly string[]
      : V extends { readonly kind: 'Shard' }
        ? Shard
        : string;

export type Given<T extends PolicyFields> = {
  readonly [K in keyof T]?: (T[K] extends { readonly value: infer V } ? ReadAs<V> : boolean) | undefined;
};

export function defaultsOf<T extends PolicyFields>(table: T) {
  type Set = { [K in keyof T]: T[K] extends { readonly default: unknown } ? K : never }[keyof T];
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, row]) => (row.default === undefined ? [] : [[name, row.default]])),
  ) as { readonly [K in Set]: NonNullable<Given<T>[K]> };
}

/** The default of a row in words; undefined if there is none, or nothing to say about it. */
export function defaultText({ default: byDefault, otherwise, value }: Field): string | undefined {
  if (otherwise !== undefined) return otherwise;
  if (byDefault === undefined || byDefault === false) return undefined;
  const isTime = value?.kind === 'Duration' || value?.kind === 'Timer' || value?.kind === 'Timeout';
  return isTime ? formatDuration(Number(byDefault)) : String(byDefault);
}

/** A flag of a command, as help and docs describe it. */
export function describeFlag(flag: Flag, command: CommandName) {
  const { value } = flag;
  const { means, otherwise = defaultText(flag), choices } = { means: flag.means, ...flag.where?.[command] };
  const isRepeated = value?.kind === 'Namespaces' || value?.kind === 'Choices';
  return {
    means: isRepeated ? `${means}; may be repeated` : means,
    byDefault: otherwise,
    choices: choices ?? (value && 'of' in value ? value.of : []),
  };
}

export function isOn({ on = ['sweep'] }: Flag, command: CommandName): boolean {
  return on.includes(command);
}
