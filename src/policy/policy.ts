import { shippedAllowlist } from '../methods/allowlist.ts';
import { imageSwap } from '../methods/image-swap.ts';
import { methods, type StepSpec, stepSpec } from '../methods/index.ts';
import type { NoopPrograms } from '../model/image.ts';
import type { Scope, Shard } from '../model/scope.ts';
import type { AnnotationCommands, UncleanExit } from '../model/step.ts';
import type { Millis } from '../util/time.ts';
import { UsageError } from '../util/usage-error.ts';
import { catalogue } from './catalogue.ts';
import { defaults } from './defaults.ts';
import type { PolicyFile } from './file.ts';
import type { Profile } from './profile.ts';
import type { Rule } from './rules.ts';

/** A plan for more pods than this is not trusted, and nothing is sent. */
export interface Brake {
  readonly pods: number;
  /** In percent of the pods listed. */
  readonly share: number;
}

/** How many pods a sweep acts on at most; undefined is any number. The others are left for the next sweep. */
export interface Caps {
  readonly run: number | undefined;
  readonly namespace: number | undefined;
  readonly node: number | undefined;
}

/** What an operator decides about judging and planning. */
export interface Policy {
  readonly scope: Scope;
  /** How long ago the last main must have ended. */
  readonly minAge: Millis;
  /** Which containers are mains or sidecars; the first rule that matches decides. */
  readonly rules: readonly Rule[];
  readonly catalogue: readonly Profile[];
  readonly annotationCommands: AnnotationCommands;
  readonly uncleanExit: UncleanExit;
  /** Steps for pods whose sidecars outlive every gentler step, in this order. Empty by default. */
  readonly lastResort: readonly StepSpec[];
  readonly caps: Caps;
  readonly brake: Brake;
  /** The image swap, if it is allowed before any step whose end is uncertain. */
  readonly swap: StepSpec | undefined;
  /** Whether the backoffLimit of a Job may be raised before an image swap, which it counts as a restart. */
  readonly raiseBackoffLimit: boolean;
  /** How many of the last lines of a sidecar's log are kept in the report before its image is swapped; 0 keeps none. */
  readonly keepLogs: number;
  /** How long a sweep waits for one pod at most, in all its steps together. */
  readonly maxGrace: Millis;
}

/** The flags of the command line, which take precedence over the policy file. */
export interface PolicyFlags {
  readonly namespaces: readonly string[];
  /** All namespaces, even if the file names some; those that it excludes stay excluded. */
  readonly allNamespaces?: boolean | undefined;
  readonly excludeNamespaces?: readonly string[] | undefined;
  readonly namespaceSelector?: string | undefined;
  readonly shard?: Shard | undefined;
  readonly includePending?: boolean | undefined;
  readonly labelSelector?: string | undefined;
  readonly minAge?: Millis | undefined;
  readonly annotationCommands?: 'off' | 'allowlist' | 'any' | undefined;
  readonly uncleanExit?: UncleanExit | undefined;
  readonly lastResort: readonly string[];
  readonly noopImage?: string | undefined;
  readonly maxPods?: number | undefined;
  readonly maxPodsPerNamespace?: number | undefined;
  readonly maxPodsPerNode?: number | undefined;
  readonly brakePods?: number | undefined;
  readonly brakeShare?: number | undefined;
  readonly noopPrograms?: NoopPrograms | undefined;
  readonly raiseBackoffLimit?: boolean | undefined;
  readonly keepLogs?: number | undefined;
  readonly maxGrace?: Millis | undefined;
}

/** Merges flags, policy file and defaults, in this order of precedence. Throws UsageError. */
export function resolvePolicy(flags: PolicyFlags, file: PolicyFile | undefined): Policy {
  const caps: Caps = {
    run: flags.maxPods ?? file?.maxPods,
    namespace: flags.maxPodsPerNamespace ?? file?.maxPodsPerNamespace,
    node: flags.maxPodsPerNode ?? file?.maxPodsPerNode,
  };
  return {
    scope: {
      ...namespacesOf(flags, file),
      labelSelector: flags.labelSelector ?? file?.labelSelector,
      shard: flags.shard,
      includePending: flags.includePending ?? false,
    },
    minAge: flags.minAge ?? file?.minAge ?? defaults.minAge,
    rules: file?.rules ?? [],
    catalogue: changedCatalogue(file),
    annotationCommands: annotationCommands(
      flags.annotationCommands ?? file?.annotationCommands ?? defaults.annotationCommands,
      file?.allowedCommands ?? [],
    ),
    uncleanExit: flags.uncleanExit ?? file?.uncleanExit ?? defaults.uncleanExit,
    lastResort:
      flags.lastResort.length > 0
        ? flags.lastResort.map((name) => lastResortStep(name, flags))
        : (file?.lastResort ?? []),
    caps,
    brake: {
      // A higher cap means that as many stuck pods are expected.
      pods: flags.brakePods ?? file?.brakePods ?? Math.max(defaults.brakePods, caps.run ?? 0),
      share: flags.brakeShare ?? file?.brakeShare ?? defaults.brakeShare,
    },
    swap: swapOf(flags, file),
    raiseBackoffLimit: flags.raiseBackoffLimit ?? file?.raiseBackoffLimit ?? false,
    keepLogs: flags.keepLogs ?? file?.keepLogs ?? defaults.keepLogs,
    maxGrace: flags.maxGrace ?? file?.maxGrace ?? defaults.maxGrace,
  };
}

/** Flags that select namespaces replace the selection of the file. Throws UsageError. */
function namespacesOf(
  flags: PolicyFlags,
  file: PolicyFile | undefined,
): Pick<Scope, 'namespaces' | 'excludeNamespaces' | 'namespaceSelector'> {
  const isChosen =
    flags.allNamespaces || flags.namespaces.length > 0 || flags.namespaceSelector !== undefined;
  const chosen = isChosen ? flags : file;
  const named = chosen?.namespaces ?? [];
  const excludeNamespaces = flags.excludeNamespaces ?? file?.excludeNamespaces ?? [];
  const namespaces = named.filter((name) => !excludeNamespaces.includes(name));
  if (named.length > namespaces.length && namespaces.length === 0) {
    throw new UsageError(`no namespace is left: ${named.join(', ')} is named and excluded`);
  }
  return { namespaces, excludeNamespaces, namespaceSelector: chosen?.namespaceSelector };
}

/** The profiles of the policy come first, because the first profile that matches is used. */
export function changedCatalogue(file: PolicyFile | undefined): readonly Profile[] {
  const changed = file?.profiles ?? [];
  const gone = new Set([...(file?.removeProfiles ?? []), ...changed.map(({ name }) => name)]);
  return [...changed, ...catalogue.filter(({ name }) => !gone.has(name))];
}

function annotationCommands(
  mode: 'off' | 'allowlist' | 'any',
  added: readonly (readonly string[])[],
): AnnotationCommands {
  switch (mode) {
    case 'off':
      return { kind: 'Off' };
    case 'allowlist':
      return { kind: 'Allowlist', patterns: [...shippedAllowlist, ...added] };
    case 'any':
      return { kind: 'Any' };
  }
}

function lastResortStep(name: string, { noopImage, noopPrograms }: PolicyFlags): StepSpec {
  const method = methods.find(({ flag }) => flag === name);
  if (!method?.fromFlag) throw new UsageError(`--last-resort cannot be ${name}`);
  return stepSpec.parse(method.fromFlag({ noopImage, noopPrograms }));
}

/** A swap that is a last resort is not tried earlier. */
function swapOf(flags: PolicyFlags, file: PolicyFile | undefined): StepSpec | undefined {
  if (flags.lastResort.includes(imageSwap.flag)) return undefined;
  if (flags.noopImage !== undefined) return lastResortStep(imageSwap.flag, flags);
  if (flags.noopPrograms !== undefined) throw new UsageError('--noop-programs needs --noop-image');
  return file?.imageSwap && stepSpec.parse({ imageSwap: file.imageSwap });
}

/** The images that a sweep with this policy puts in the place of sidecars. */
export function noopImages({ swap, lastResort }: Pick<Policy, 'swap' | 'lastResort'>): readonly string[] {
  return [...(swap ? [swap] : []), ...lastResort].flatMap((spec) =>
    spec.method === 'ImageSwap' ? spec.imageSwap.image : [],
  );
}
