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
 * The fields by which records and log lines are searched, never objects, so that no index takes one type for
 * another. Named as in the report, or by OpenTelemetry: https://opentelemetry.io/docs/specs/semconv/registry/attributes/k8s/
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

/** Distinguishes outcomes of sidecars by their kinds, not by their words: messages may name the pod. */
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

export function warningFields(warning: Warning): Fields {
  const { kind, namespace, name, job }: Partial<Record<string, unknown>> = { ...warning };
  return { warning: kind, 'k8s.namespace.name': namespace, 'k8s.pod.name': name, 'k8s.job.name': job };
}
