import { shippedAllowlist } from '../methods/allowlist.ts';
import { type StepSpec, stepSpec } from '../methods/index.ts';
import type { NoopImage } from '../model/image.ts';
import type { Scope } from '../model/scope.ts';
import type { AnnotationCommands } from '../model/step.ts';
import { UsageError } from '../util/usage-error.ts';
import { catalogue } from './catalogue.ts';
import type { Given } from './flag.ts';
import { defaults, type Fields, fields, type policyFlags, usualBrakePods } from './flags.ts';
import type { PolicyFile } from './policy-file.ts';
import type { Profile } from './profile.ts';
import type { Rule } from './rules.ts';

export type PolicyFlags = Given<typeof policyFlags>;

/** The value of each plain field. */
type Settings = {
  readonly [K in keyof Fields]: K extends keyof typeof defaults ? (typeof defaults)[K] : Given<Fields>[K];
};

/** The fields that become another field of a policy; it has all others as they are. */
type Changed =
  | ('namespaces' | 'excludeNamespaces' | 'namespaceSelector' | 'labelSelector')
  | ('annotationCommands' | 'brakePods');

/** An operator's decisions about judging, planning and the outputs besides the report. */
export interface Policy extends Omit<Settings, Changed> {
  readonly scope: Scope;
  /** The first rule that matches a container decides. */
  readonly rules: readonly Rule[];
  readonly catalogue: readonly Profile[];
  readonly annotationCommands: AnnotationCommands;
  readonly lastResort: readonly StepSpec[];
  /** A plan for more pods than this is not trusted, and nothing is sent. */
  readonly brakePods: number;
  /** The image swap, if it is allowed before any step whose result is uncertain. */
  readonly swap: StepSpec | undefined;
  /** The images that a sweep puts in the place of sidecars. */
  readonly noopImages: readonly string[];
}

/** Merges flags, policy file and defaults, in this order of precedence. Throws UsageError. */
export function resolvePolicy(
  flags: PolicyFlags & Pick<Scope, 'pods'>,
  file: PolicyFile | undefined,
): Policy {
  const { shard, includePending = false, pods } = flags;
  // Flags that say where to look replace all that the file says about it.
  const saysWhere = flags.allNamespaces || isGiven(flags.namespaces) || pods !== undefined;
  const where = saysWhere && { namespaces: undefined, namespaceSelector: undefined };
  const {
    namespaces = [],
    excludeNamespaces = [],
    namespaceSelector,
    labelSelector,
    annotationCommands,
    brakePods,
    ...settings
  } = settle(flags, { ...file, ...where });
  const noop = noopOf(flags, file);
  const lastResort = isGiven(flags.lastResort)
    ? flags.lastResort.map((name) => lastResortStep(name, noop))
    : (file?.lastResort ?? []);
  // A swap that is the last resort is not also an earlier step.
  const swap =
    noop && !flags.lastResort?.includes('image-swap') ? stepSpec.parse({ imageSwap: noop }) : undefined;
  const profiles = changedCatalogue(file);
  return {
    ...settings,
    scope: {
      namespaces: withoutExcluded(namespaces, excludeNamespaces),
      excludeNamespaces,
      namespaceSelector,
      labelSelector,
      shard,
      includePending,
      ...(pods && { pods, labelSelector: undefined, includePending: true }),
    },
    rules: file?.rules ?? [],
    catalogue: profiles,
    annotationCommands: commandsOf(annotationCommands, file?.allowedCommands ?? []),
    lastResort,
    // An operator who lets a sweep act on more pods expects as many.
    brakePods: brakePods ?? Math.max(usualBrakePods, settings.maxPods ?? 0),
    swap,
    noopImages: [...(swap ? [swap] : []), ...lastResort, ...profiles.flatMap(({ steps }) => steps)].flatMap(
      (spec) => (spec.method === 'ImageSwap' ? spec.imageSwap.image : []),
    ),
  };
}

function settle(flags: PolicyFlags, file: Partial<PolicyFile>): Settings {
  const names = Object.keys(fields) as readonly (keyof Fields)[];
  const given: Given<Fields> = flags;
  const set = names.map((name) => [name, isGiven(given[name]) ? given[name] : file[name]] as const);
  return { ...defaults, ...Object.fromEntries(set.filter(([, value]) => value !== undefined)) } as Settings;
}

/** An empty list says nothing. */
function isGiven<T>(value: T | undefined): value is T {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function withoutExcluded(named: readonly string[], excluded: readonly string[]): readonly string[] {
  const namespaces = named.filter((name) => !excluded.includes(name));
  if (named.length > namespaces.length && namespaces.length === 0) {
    throw new UsageError(`no namespace is left: ${named.join(', ')} is named and excluded`);
  }
  return namespaces;
}

/** The profiles of the policy come first, because the first profile that matches is used. */
export function changedCatalogue(file: PolicyFile | undefined): readonly Profile[] {
  const changed = file?.profiles ?? [];
  const gone = new Set([...(file?.removeProfiles ?? []), ...changed.map(({ name }) => name)]);
  return [...changed, ...catalogue.filter(({ name }) => !gone.has(name))];
}

function commandsOf(
  mode: Settings['annotationCommands'],
  added: readonly (readonly string[])[],
): AnnotationCommands {
  if (mode === 'allowlist') return { kind: 'Allowlist', patterns: [...shippedAllowlist, ...added] };
  return { kind: mode === 'off' ? 'Off' : 'Any' };
}

function lastResortStep(name: NonNullable<PolicyFlags['lastResort']>[number], noop: NoopImage | undefined) {
  if (name !== 'image-swap') return stepSpec.parse({ [name]: true });
  if (!noop) throw new UsageError('--last-resort image-swap needs --noop-image');
  return stepSpec.parse({ imageSwap: noop });
}

/** The no-op image of the flag, else that of the file. What the file says of one image, it does not say of another. */
function noopOf({ noopImage: image }: PolicyFlags, file: PolicyFile | undefined): NoopImage | undefined {
  return image === undefined || image === file?.imageSwap?.image ? file?.imageSwap : { image };
}
