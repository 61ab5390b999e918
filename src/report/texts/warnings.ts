import { describeGrant, needs, withGrant } from '../../methods/permissions.ts';
import type { Problem } from '../../model/reading.ts';
import type { Warning } from '../../model/warning.ts';
import type { SweepEvent } from '../../plan/sweep-event.ts';
import { sentences, someOf } from '../../util/text.ts';
import { ifAny, many } from '../format.ts';
import type { SweepReport } from '../schema.ts';
import { describeHarm } from './outcomes.ts';

export const describeWarning = sentences<Warning>({
  ListInconsistent:
    'the list of pods expired while it was being read, so pods that changed meanwhile may be missing or out of date',
  JobsUnreadable: (warning) =>
    `cannot read everything about the Jobs in ${warning.namespaces.join(', ')}, so it may be unknown which containers were injected, what the Jobs did and how many more failures they allow: ${warning.message}`,
  InPortions: (warning) =>
    `${many(warning.pods, 'stuck pod')} did not fit into memory with the others: the pods that waste most come first, these follow if time allows, and the next sweep does the rest`,
  NodesUnreadable: (warning) =>
    `cannot read nodes, so pods on nodes that are not ready are not recognised: ${warning.message}`,
  Unlocked: (warning) =>
    `another sweep may run at the same time: ${warning.message}; if that does not matter, use --no-lock`,
  NoPermission: (warning) =>
    `this account may not use ${warning.method} in ${someOf(warning.namespaces)}: it needs ${warning.needs}; check-access prints the rule`,
  Braked: describeBrake,
  BackoffLimitRaised: (warning) =>
    `${warning.namespace}/${warning.job}: ${warning.unconfirmed ? 'may have raised' : 'raised'} the backoffLimit of this Job from ${warning.from} to ${warning.to}, to allow an image swap; it stays raised`,
  NotRemembered: () =>
    'the next sweep will not know what this one learnt about how sidecars end: this sweep took no Lease, or could not write the Lease sidecar-sweeper-learnt',
  ServerUnverified: (warning) =>
    `the certificate of ${warning.server} is not checked, so it may be an impostor: use certificate-authority instead of insecure-skip-tls-verify`,
  JobHarmed: (warning) =>
    `${warning.namespace}/${warning.name}: its mains succeeded, but because of ${warning.earlier ? 'an earlier' : 'this'} sweep ${harmOf(warning)}; see explain --reason Harm`,
  JobMayBeHarmed: ({ namespace, name, job, harm }) =>
    `${namespace}/${name}: what was sent may still end its sidecar after this sweep; with a code other than 0, ${mayBecome[harm]} (Job ${job})`,
  PodHarmed: (warning) =>
    `${warning.namespace}/${warning.name}: its mains succeeded, but because of this sweep it has failed, and its platform or its owner may count the work as failed, or run it again; see explain --reason Harm`,
});

const mayBecome = {
  RunsAgain: 'its Job would run the work again',
  IndexFailed: 'its index would fail',
  JobFailed: 'its Job would fail',
} as const;

function harmOf({ harm: kind, job, expected }: Extract<Warning, { readonly kind: 'JobHarmed' }>): string {
  return `${expected ? 'a sidecar exited with a code other than 0, so ' : ''}its Job ${job} ${describeHarm({ kind, expected })}`;
}

export function warned(warning: Warning): string {
  return `warning: ${describeWarning(warning)}`;
}

type Braked = Extract<Warning, { readonly kind: 'Braked' }>;

function describeBrake({ pods, listed, limit, most, rule, byRule }: Braked): string {
  const found = `a plan for ${pods} of ${many(listed, 'pod')} listed is not sent`;
  const because = rule === undefined ? '' : `; the rule ${rule} matches in ${byRule} of them`;
  const [unit, needed] = limit === 'brakePods' ? ['', pods] : [' %', Math.ceil((100 * pods) / listed)];
  return `${found}: the limit is ${most}${unit}${because}; if the plan is right, set ${limit}: ${needed} in the policy`;
}

export function describeUnread({ namespace, problem, what }: Unread): string {
  const { kind, message } = problem;
  if (what !== 'Namespace') {
    const why = `${message}${(!problem.isForeign && problemAdvice[kind]) || ''}`;
    const where = namespace === undefined ? 'all namespaces' : `namespace ${namespace}`;
    return what === 'Pod' ? why : `cannot list pods in ${where}: ${why}`;
  }
  if (kind === 'NotFound') return message;
  return namespace === undefined
    ? `cannot list the namespaces to select from, so no pod is examined: ${withGrant(problem, needs.namespaces.bulk.rules)}`
    : `cannot read namespace ${namespace}, so its pods are left alone, because its owner may have opted out: ${withGrant(problem, needs.namespaces.rules)}`;
}

/** Whether a shard or a record is missing from the input of `report merge`. */
export function isGap({ problem }: SweepReport['unread'][number]): boolean {
  return problem === 'ShardMissing' || problem === 'RecordsMissing';
}

type Unread = Omit<Extract<SweepEvent, { readonly kind: 'ReadFailed' }>, 'kind'>;

/** Why a request failed that every account may make. */
export function withLoginAdvice({ kind, message }: Problem): string {
  return kind === 'Unauthorized' ? `${message}${problemAdvice.Unauthorized}` : message;
}

const problemAdvice: Partial<Record<Problem['kind'], string>> = {
  Unauthorized: '; log in again, or choose another context with --context',
  Forbidden: `; name namespaces that you may read with -n, or ${describeGrant(needs.pods.rules)}`,
};

/** How many warnings were left out of a report; empty if none. */
export function describeLeftOut({ warnings }: SweepReport['totals']['leftOut']): readonly string[] {
  return ifAny(warnings, `left out, because there are too many: ${many(warnings, 'warning')}`);
}
