import { UsageError } from '../usage-error.ts';
import type { AnnotationCommands, Millis, Policy, Profile, Shard, UncleanExit } from '../vocabulary.ts';
import { shippedAllowlist } from './allowlist.ts';
import { catalogue } from './catalogue.ts';
import type { PolicyFile } from './file.ts';
import { type StepSpec, stepSpec } from './steps.ts';

/** What the command line says; it wins over the file. */
export interface PolicyFlags {
  readonly namespaces: readonly string[];
  readonly shard?: Shard | undefined;
  readonly includePending?: boolean | undefined;
  readonly labelSelector?: string | undefined;
  readonly minAge?: Millis | undefined;
  readonly annotationCommands?: 'off' | 'allowlist' | 'any' | undefined;
  readonly uncleanExit?: UncleanExit | undefined;
  readonly lastResort: readonly LastResortName[];
  readonly noopImage?: string | undefined;
}

export const lastResortNames = ['image-swap', 'deadline', 'evict', 'delete'] as const;
export type LastResortName = (typeof lastResortNames)[number];

const defaultMinAge: Millis = 300_000;

/** The defaults, changed by a policy file, changed by flags. Throws UsageError. */
export function resolvePolicy(flags: PolicyFlags, file: PolicyFile | undefined): Policy {
  return {
    scope: {
      namespaces: flags.namespaces.length > 0 ? flags.namespaces : (file?.namespaces ?? []),
      labelSelector: flags.labelSelector ?? file?.labelSelector,
      shard: flags.shard,
      includePending: flags.includePending ?? false,
    },
    minAge: flags.minAge ?? file?.minAge ?? defaultMinAge,
    rules: file?.rules ?? [],
    catalogue: changedCatalogue(file),
    annotationCommands: annotationCommands(
      flags.annotationCommands ?? file?.annotationCommands ?? 'allowlist',
      file?.allowedCommands ?? [],
    ),
    uncleanExit: flags.uncleanExit ?? file?.uncleanExit ?? 'canary',
    lastResort:
      flags.lastResort.length > 0
        ? flags.lastResort.map((name) => lastResortStep(name, flags.noopImage))
        : (file?.lastResort ?? []),
  };
}

/** What a policy adds comes first, because the first profile that fits is taken. */
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

function lastResortStep(name: LastResortName, image: string | undefined): StepSpec {
  switch (name) {
    case 'image-swap':
      if (image === undefined) throw new UsageError('--last-resort image-swap needs --noop-image');
      return stepSpec.parse({ imageSwap: { image } });
    case 'deadline':
    case 'evict':
    case 'delete':
      return stepSpec.parse({ [name]: true });
  }
}
