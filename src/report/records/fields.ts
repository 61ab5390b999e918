import type { ContainerOutcome, PodOutcome } from '../../model/outcome.ts';
import type { PodName } from '../../model/pod.ts';
import type { Warning } from '../../model/warning.ts';
import type { PodReport, SweepReport } from '../schema.ts';

/** The list of a report that each kind of record comes from. The last record is the Summary, with the rest of the report. */
export const listOfKind = {
  Unread: 'unread',
  Undecided: 'undecided',
  Excluded: 'excluded',
  NeverStarted: 'neverStarted',
  NotStartedAgain: 'notStartedAgain',
  Hanging: 'hanging',
  Pod: 'pods',
  Warning: 'warnings',
} as const;

export type ListKind = keyof typeof listOfKind;
export const listKinds = Object.keys(listOfKind) as readonly ListKind[];

/**
 * The fields by which records and log lines are searched. Each is one value, never an object, so that no index takes one type for
 * another. Where OpenTelemetry has a name it is that one (https://opentelemetry.io/docs/specs/semconv/registry/attributes/k8s/);
 * all others have their names in the report. docs/report.md lists them.
 */
export type Fields = Readonly<Record<string, unknown>>;

export function about({ namespace, name }: PodName, message: string): string {
  return `${namespace}/${name}: ${message}`;
}

export function podFields({ namespace, name, uid }: PodName & { readonly uid?: string }): Fields {
  return { 'k8s.namespace.name': namespace, 'k8s.pod.name': name, 'k8s.pod.uid': uid };
}

export function clusterFields({ name, uid }: Pick<SweepReport['cluster'], 'name' | 'uid'>): Fields {
  return { 'k8s.cluster.name': name, 'k8s.cluster.uid': uid };
}

/** Empty for owners of kinds that OpenTelemetry has no name for. */
export function ownerFields(owner: PodReport['owner']): Fields {
  const kind = owner?.kind.toLowerCase() ?? '';
  return ['job', 'replicaset', 'statefulset', 'daemonset'].includes(kind)
    ? { [`k8s.${kind}.name`]: owner?.name }
    : {};
}

/** What tells outcomes of sidecars apart that are not said in the same words: messages may name the pod. */
export function kindOf(outcome: ContainerOutcome): string {
  const { outcome: kind, reason = '' } = wordOf(outcome);
  return `${kind} ${reason} ${'exitCode' in outcome ? outcome.exitCode : ''}`;
}

/** An outcome and its reason as one word each. For a sidecar whose step was blocked, these say `Blocked` and why. */
export function wordOf(outcome: PodOutcome | ContainerOutcome): {
  readonly outcome: string;
  readonly reason?: string;
} {
  if (outcome.kind === 'StillRunning') {
    const { because } = outcome;
    return because.kind === 'Blocked'
      ? { outcome: 'Blocked', reason: because.reason }
      : { outcome: outcome.kind, reason: because.kind };
  }
  if (!('reason' in outcome)) return { outcome: outcome.kind };
  const { kind, reason } = outcome;
  return { outcome: kind, reason: typeof reason === 'string' ? reason : reason.kind };
}

const places = { namespace: 'k8s.namespace.name', name: 'k8s.pod.name', job: 'k8s.job.name' } as const;

export function warningFields(warning: Warning): Fields {
  const all: Fields = { ...warning };
  const placed = Object.entries(places).filter(([key]) => all[key] !== undefined);
  return { warning: warning.kind, ...Object.fromEntries(placed.map(([key, name]) => [name, all[key]])) };
}
