import { defaultsOf, type Flags, type PolicyFields } from './flag.ts';

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
    otherwise: 'that of the context',
  },
  allNamespaces: {
    flags: '-A, --all-namespaces',
    on: onCluster,
    means: 'look in all namespaces, even if the policy names some',
    excludes: 'namespaces',
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
    means: 'also look at Pending pods, such as those whose sidecar never started',
  },
  minAge: {
    flags: '--min-age <duration>',
    value: { kind: 'Duration' },
    on: onCluster,
    means: 'leave alone pods whose last main container ended more recently than this',
    field: true,
    default: 300_000,
    docs: "by the API server's clock",
  },
  shard: {
    flags: '--shard <i/n>',
    value: { kind: 'Shard' },
    means: 'sweep only shard i of n, counted from 0; pods of one owner are in the same shard',
    excludes: 'shards',
    docs: '[what is split](../install.md#shards); `report merge` merges the reports of all shards',
  },
  shards: {
    flags: '--shards <n>',
    value: { kind: 'Number', least: 1, most: 1000 },
    means: 'sweep only shard JOB_COMPLETION_INDEX of n, in an Indexed Job',
  },
} as const satisfies Flags;

export const endingFlags = {
  policy: {
    flags: '--policy <file>',
    value: { kind: 'File' },
    on: [...onCluster, 'profiles'],
    means:
      'read this SweepPolicy file, which says what stays the same from run to run; flags take precedence',
    docs: '[your own sidecars, rules and limits](../policy.md)',
    where: { profiles: { means: 'include the changes that this policy makes' } },
  },
  lastResort: {
    flags: '--last-resort <method>',
    value: { kind: 'Choices', of: ['image-swap', 'deadline', 'evict', 'delete'] },
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
      "swap a sidecar's image for this one before any step whose result is uncertain, or as --last-resort image-swap",
    field: 'imageSwap',
    docs: '[the image swap](../how-it-works.md#the-image-swap)',
  },
} as const satisfies Flags;

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
} as const satisfies Flags;

export const usualBrakePods = 1_000;

/** Fields of the policy file that have no flag. */
export const fileFields = {
  excludeNamespaces: { value: { kind: 'Namespaces' }, means: 'leave these namespaces out' },
  namespaceSelector: {
    value: { kind: 'Selector' },
    means: 'look only in namespaces with these labels; needs list on namespaces',
  },
  annotationCommands: {
    value: { kind: 'Choice', of: ['off', 'allowlist', 'any'] },
    means:
      "accept kill commands and steps from pods' annotations: none (off), those on the allowlist (allowlist), or all (any)",
    default: 'allowlist',
  },
  raiseBackoffLimit: {
    means:
      'raise the backoffLimit of a Job that would otherwise fail because it counts an image swap as a restart',
    default: false,
  },
  keepLogs: {
    value: { kind: 'Number', least: 0, most: 500 },
    means:
      "before a sidecar's image is swapped, keep up to this many of the last lines of its log in the report",
    default: 0,
    otherwise: 'none',
  },
  maxGrace: {
    value: { kind: 'Timer' },
    means: 'wait no longer than this for one pod, over all its steps; the next sweep continues',
    // It fits into the --deadline of the manifests, 8 minutes.
    default: 360_000,
  },
  maxPodsPerNamespace: { value: maximum, means: 'act on no more pods than this in each namespace' },
  maxPodsPerNode: { value: maximum, means: 'act on no more pods than this on each node' },
  brakePods: {
    value: { kind: 'Number', least: 0, most },
    means: 'send nothing if the sweep would act on more pods than this',
    otherwise: `${usualBrakePods}, or the maximum number of pods if that is more`,
  },
  brakeShare: {
    value: { kind: 'Percent' },
    means:
      'send nothing if the plan is for 20 pods or more, and for more than this percentage of the pods listed',
    // When no Job is working, every pod that is listed may be stuck.
    default: 100,
  },
  events: {
    means:
      'write a Kubernetes Event for up to 200 pods that were handled, and for every Job that was harmed; a warning is not repeated while it exists',
    default: false,
  },
  clusterName: {
    value: { kind: 'Name' },
    means:
      "the cluster's name in reports, records and metrics; in a pod, the context is the same in every cluster",
  },
  pushgatewayUrl: { value: { kind: 'Url' }, means: 'push metrics to this Prometheus Pushgateway' },
  terminationMessage: {
    value: { kind: 'File' },
    means:
      'write a digest of the report to this file; in a pod, use /dev/termination-log, so that `kubectl describe` shows it',
  },
} as const satisfies PolicyFields;

/** The flags that decide about judging and planning; those about the run are in `cli/flags.ts`. */
export const policyFlags = { ...scopeFlags, ...endingFlags, ...limitFlags };

/** The fields of the policy file that have a plain value. */
export const fields = { ...fieldsOf(policyFlags), ...fileFields };
export type Fields = typeof fields;

/** The values of fields that neither a flag nor the file sets. Times are in milliseconds. */
export const defaults = defaultsOf({ ...policyFlags, ...fileFields });

function fieldsOf<T extends Flags>(table: T) {
  type Shared = { [K in keyof T]: T[K] extends { readonly field: true } ? K : never }[keyof T];
  return Object.fromEntries(Object.entries(table).filter(([, row]) => row.field === true)) as Pick<T, Shared>;
}
