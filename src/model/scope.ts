import { ownValue } from './annotations.ts';
import type { MalformedPod, PodName, PodRef, PodView } from './pod.ts';

/** Which pods to examine. An empty list of namespaces means all. */
export interface Scope {
  readonly namespaces: readonly string[];
  /** Left out of all namespaces. */
  readonly excludeNamespaces?: readonly string[];
  /** Only namespaces with these labels. */
  readonly namespaceSelector?: string | undefined;
  readonly labelSelector: string | undefined;
  /** Whether to examine Pending pods too, whose sidecars may never have started. */
  readonly includePending?: boolean;
  readonly shard?: Shard | undefined;
  /** Only these pods, which are read one by one instead of listed; all that they hold is judged as usual. */
  readonly pods?: readonly PodName[] | undefined;
}

/** One of several parts of a cluster's pods, counted from 0. A hash of its uid puts a pod into a part. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

export interface RunInfo {
  readonly id: string;
  readonly version: string;
  readonly dryRun: boolean;
  readonly context: string;
  readonly server: string;
  /** The operator's name for the cluster. */
  readonly clusterName?: string;
}

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-label-names */
export const namespaceName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names */
export const podName = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

export const exampleSelector = "app=report,tier!=web or 'app in (report,mail)'";

/** White space as Go defines it, and a word up to the next separator. */
const space = '[ \\t\\r\\n]*';
const word = '[^ \\t\\r\\n=!(),<>]+';

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
const name = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const domain = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** One requirement, and the comma after it. */
const part = new RegExp(
  `${space}(?:!${space}(?<absent>${word})|(?<present>${word})(?:${[
    `${space}(?<operator>==?|!=|[<>])${space}(?<value>${word})?`,
    `[ \\t\\r\\n]+(?<set>(?:not)?in)${space}\\((?<values>[^()=!<>]*)\\)`,
    '',
  ].join('|')}))${space}(?<end>,|$)`,
  'y',
);

/** A selector's requirement on one label, in Kubernetes' own names. */
type Requirement =
  | { readonly kind: 'Exists' | 'DoesNotExist'; readonly key: string }
  | { readonly kind: 'In' | 'NotIn'; readonly key: string; readonly values: readonly string[] }
  | { readonly kind: 'GreaterThan' | 'LessThan'; readonly key: string };

/** Whether a server can parse a label selector, so that a typing error is not reported as a failed request. */
export function isLabelSelector(selector: string): boolean {
  return parseLabelSelector(selector) !== undefined;
}

/** Whether labels match a selector, as the API server reads it. One that cannot be parsed is left to the server. */
export function matchesLabels(selector: string, labels: Readonly<Record<string, string>>): boolean {
  const requirements = parseLabelSelector(selector) ?? [];
  return requirements.every((one) => isMet(one, ownValue(labels, one.key)));
}

function isMet(requirement: Requirement, label: string | undefined): boolean {
  switch (requirement.kind) {
    case 'Exists':
      return label !== undefined;
    case 'DoesNotExist':
      return label === undefined;
    case 'In':
      return label !== undefined && requirement.values.includes(label);
    case 'NotIn':
      return label === undefined || !requirement.values.includes(label);
    case 'GreaterThan':
    case 'LessThan':
      // Left to the server, whose integers have 64 bits.
      return true;
  }
}

/** Everything that a selector requires; undefined if no server can parse it. k8s.io/apimachinery/pkg/labels/selector.go */
function parseLabelSelector(selector: string): readonly Requirement[] | undefined {
  if (selector.trim() === '') return [];
  const requirements: Requirement[] = [];
  part.lastIndex = 0;
  for (;;) {
    const groups = part.exec(selector)?.groups;
    const requirement = groups && toRequirement(groups);
    if (!requirement) return undefined;
    requirements.push(requirement);
    if (groups['end'] === '') return requirements;
  }
}

function toRequirement(groups: Readonly<Record<string, string>>): Requirement | undefined {
  const { absent, present, operator, value = '', set, values = value } = groups;
  const key = absent ?? present ?? '';
  if (!isKey(key)) return undefined;
  if (absent !== undefined) return { kind: 'DoesNotExist', key };
  if (operator === '<' || operator === '>') {
    return /^\d+$/.test(value) ? { kind: operator === '<' ? 'LessThan' : 'GreaterThan', key } : undefined;
  }
  if (operator === undefined && set === undefined) return { kind: 'Exists', key };
  const each = values.split(',').map((one) => one.trim());
  const isNegative = operator === '!=' || set === 'notin';
  return each.every(isValue) ? { kind: isNegative ? 'NotIn' : 'In', key, values: each } : undefined;
}

function isKey(key: string): boolean {
  const [last = '', prefix, ...more] = key.split('/').reverse();
  return name.test(last) && (prefix === undefined || domain.test(prefix)) && more.length === 0;
}

function isValue(value: string): boolean {
  return value === '' || name.test(value);
}

/** By 32-bit FNV-1a, the same in every version: shards that are swept at different times have no pod in common. */
export function shardOf(uid: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < uid.length; index++) {
    hash = Math.imul(hash ^ uid.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % shards;
}

interface Listed {
  readonly pods: readonly PodView[];
  readonly malformed: readonly MalformedPod[];
  readonly atWork: readonly PodRef[];
}

/** The part of a list that belongs to this shard, and how many items do not. Without shards, all do. */
export function takeShard(
  { pods, malformed, atWork }: Listed,
  shard: Shard | undefined,
): Required<Listed> & { readonly otherShards: number } {
  if (!shard) return { pods, malformed, atWork, otherShards: 0 };
  const isOurs = (key: string) => shardOf(key, shard.of) === shard.index;
  // All pods of one owner: each of them counts against the retries of the same Job.
  const ourPods = pods.filter(({ ref, owner }) => isOurs(owner?.uid ?? ref.uid));
  // Malformed items may lack a uid, and only one shard must report each.
  const ourMalformed = malformed.filter(({ namespace, name }) => isOurs(`${namespace}/${name}`));
  const ourAtWork = atWork.filter(({ uid }) => isOurs(uid));
  const all = pods.length + malformed.length + atWork.length;
  const otherShards = all - ourPods.length - ourMalformed.length - ourAtWork.length;
  return { pods: ourPods, malformed: ourMalformed, atWork: ourAtWork, otherShards };
}
