import { defaultsOf, type Flags } from './flag.ts';

/** The commands that read a cluster. */
export const onCluster = ['sweep', 'scan', 'explain', 'advise', 'check-access'] as const;
/** The commands that plan how to end sidecars. */
const onPlan = ['sweep', 'explain', 'check-access'] as const;

export const scopeFlags = {
  namespaces: {
    flags: '-n, --namespace <namespace>',
    value: { kind: 'Namespaces' },
    on: onCluster,
    means: 'look only in these namespaces',
    field: true,
    otherwise: 'all',
  },
  allNamespaces: {
    flags: '-A, --all-namespaces',
    on: onCluster,
    means: 'look in all namespaces, even if the policy names some',
    excludes: 'namespaces',
  },
  excludeNamespaces: {
    flags: '--exclude-namespace <namespace>',
    value: { kind: 'Namespaces' },
    on: onCluster,
    means: 'leave these namespaces out',
    field: true,
  },
  namespaceSelector: {
    flags: '--namespace-selector <selector>',
    value: { kind: 'Selector' },
    on: onCluster,
    means: 'look only in namespaces with these labels; needs list on namespaces',
    field: true,
  },
  labelSelector: {
    flags: '-l, --selector <selector>',
    value: { kind: 'Selector' },
    on: onCluster,
    means: 'look only at pods with these labels, as in kubectl',
    field: true,
  },
  includePending: {
    flags: '--include-pending',
    on: ['sweep', 'scan', 'advise', 'check-access'],
    means: 'also find pods whose sidecar never started',
  },
  minAge: {
    flags: '--min-age <duration>',
    value: { kind: 'Duration' },
    on: onCluster,
    means: 'leave pods alone whose last main container ended more recently than this',
    field: true,
    default: 300_000,
    docs: "by the API server's clock",
  },
  shard: {
    flags: '--shard <i/n>',
    value: { kind: 'Shard' },
    means: 'sweep only part i of n, counted from 0; pods of one owner are in the same part',
    excludes: 'shards',
    docs: '[what is split](../install.md#shards); `report merge` merges the reports of all parts',
  },
  shards: {
    flags: '--shards <n>',
    value: { kind: 'Number', least: 1, most: 1000 },
    means: 'sweep only part JOB_COMPLETION_INDEX of n, in an Indexed Job',
  },
} as const satisfies Flags;

export const endingFlags = {
  policy: {
    flags: '--policy <file>',
    value: { kind: 'File' },
    on: [...onCluster, 'profiles'],
    means: 'read this SweepPolicy file; flags take precedence over it',
    docs: '[your own sidecars, rules and limits](../policy.md)',
    where: { profiles: { means: 'include the changes that this policy makes' } },
  },
  annotationCommands: {
    flags: '--annotation-commands <mode>',
    value: { kind: 'Choice', of: ['off', 'allowlist', 'any'] },
    on: onPlan,
    means: "run none of the kill commands in pods' annotations, those on the policy's allowlist, or any",
    field: true,
    default: 'allowlist',
  },
  lastResort: {
    flags: '--last-resort <method>',
    value: { kind: 'Choices', of: ['image-swap', 'deadline', 'evict', 'delete'] as readonly string[] },
    on: onPlan,
    means: 'do this if a sidecar outlives every gentler step, in order of preference',
    field: 'lastResort',
    docs: '`image-swap` needs `--noop-image`; a policy file can also use `ephemeralContainer`',
  },
  noopImage: {
    flags: '--noop-image <image>',
    value: { kind: 'Image' },
    on: onPlan,
    means:
      "swap a sidecar's image for this one before any step whose end is uncertain, or as --last-resort image-swap",
    field: 'imageSwap',
    docs: '[the image swap](../how-it-works.md#the-image-swap)',
  },
  noopPrograms: {
    flags: '--noop-programs <programs>',
    value: { kind: 'Programs' },
    on: onPlan,
    means: "say which programs that image has: shipped for this project's image, or a comma-separated list",
    field: 'imageSwap',
    docs: 'a swap of any other program has an unknown exit code',
  },
  raiseBackoffLimit: {
    flags: '--raise-backoff-limit',
    on: onPlan,
    means:
      'raise the backoffLimit of a Job that would otherwise fail, because it counts an image swap as a restart',
    field: true,
    default: false,
    docs: '[it stays raised](../policy.md#raising-the-limit)',
  },
  keepLogs: {
    flags: '--keep-logs <lines>',
    value: { kind: 'Number', least: 0, most: 500 },
    on: onPlan,
    means: "keep this many of the last lines of a sidecar's log in the report before its image is swapped",
    field: true,
    default: 0,
    otherwise: 'none',
    docs: '[why](../how-it-works.md#the-image-swap); needs `get` on `pods/log`',
  },
  maxGrace: {
    flags: '--max-grace <duration>',
    value: { kind: 'Timer' },
    on: onPlan,
    means: 'wait for one pod no longer than this, in all its steps together; the next sweep goes on',
    field: true,
    // It fits into the --deadline of the manifests, 8 minutes.
    default: 360_000,
    docs: '[how](../policy.md#the-longest-wait)',
  },
} as const satisfies Flags;

export const usualBrakePods = 1_000;

/** The most pods that a limit can be set to. */
const most = 1_000_000;
const maximum = { kind: 'Number', least: 1, most } as const;

export const limitFlags = {
  uncleanExit: {
    flags: '--unclean-exit <mode>',
    value: { kind: 'Choice', of: ['allow', 'forbid'] },
    on: onPlan,
    means:
      'if a sidecar may exit with a non-zero code and finished work would then run again or fail, send nothing (forbid) or go on (allow)',
    field: true,
    default: 'forbid',
    docs: '[what that means](../how-it-works.md#finished-work-does-not-run-again)',
  },
  maxPods: {
    flags: '--max-pods <number>',
    value: maximum,
    means: 'act on no more pods than this; the next sweep takes the others',
    field: true,
    docs: '[which pods go first](../policy.md#caps-and-the-brake)',
  },
  maxPodsPerNamespace: {
    flags: '--max-pods-per-namespace <number>',
    value: maximum,
    means: 'act on no more pods than this in each namespace',
    field: true,
  },
  maxPodsPerNode: {
    flags: '--max-pods-per-node <number>',
    value: maximum,
    means: 'act on no more pods than this on each node',
    field: true,
  },
  brakePods: {
    flags: '--brake-pods <number>',
    value: { kind: 'Number', least: 0, most },
    means: 'send nothing if the sweep would act on more pods than this',
    field: true,
    otherwise: `${usualBrakePods}, or the maximum number of pods if that is more`,
    docs: '[why](../policy.md#caps-and-the-brake)',
  },
  brakeShare: {
    flags: '--brake-share <percent>',
    value: { kind: 'Percent' },
    means: 'send nothing if the plan is for 20 pods or more, and for more than this share of the pods listed',
    field: true,
    // Between two nights, all pods that are running may be stuck.
    default: 100,
    docs: '[why](../policy.md#caps-and-the-brake)',
  },
} as const satisfies Flags;

/** The flags that decide about judging and planning; those about the run are in `cli/flags.ts`. */
export const policyFlags = { ...scopeFlags, ...endingFlags, ...limitFlags };

/** The fields of the policy file that flags set as well. */
export const fields = fieldsOf(policyFlags);
export type Fields = typeof fields;

/** The values of fields that neither a flag nor the file sets. Times are in milliseconds. */
export const defaults = defaultsOf(policyFlags);

function fieldsOf<T extends Flags>(table: T) {
  type Field = { [K in keyof T]: T[K] extends { readonly field: true } ? K : never }[keyof T];
  return Object.fromEntries(Object.entries(table).filter(([, row]) => row.field === true)) as Pick<T, Field>;
}
