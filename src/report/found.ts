import type { PodName } from '../model/pod.ts';
import type { Exclusion } from '../model/verdict.ts';
import type { Warning } from '../model/warning.ts';
import { groupsOf } from '../util/groups.ts';
import { formatDuration } from '../util/time.ts';
import { elapsed, ifAny, many, number } from './format.ts';
import { byAge, type Extent, namesOf, worst } from './groups.ts';
import type { Scan, WaitingPodReport } from './scan-schema.ts';
import { describeHang, describeReasons, describeVerdict, pageOf, type ReasonName } from './texts/reasons.ts';
import { describeLeftOut, warned } from './texts/warnings.ts';

/** The common part of a scan, an advice and a sweep. */
export type Found = Omit<Scan, 'apiVersion' | 'kind' | 'candidates'>;

/** Sentences about everything found besides stuck pods, one for each cause. */
export function notesOnFound(found: Found, extent: Extent): readonly string[] {
  const { undecided, neverStarted, notStartedAgain, hanging, warnings, asOf } = found;
  const onWaiting = (kind: keyof typeof whyWaiting, pods: readonly WaitingPodReport[]) =>
    describeAlike(describeVerdict({ kind }), pods.toSorted(byAge), extent, ({ waiting, mainsEndedAt }) => ({
      why: waiting.map(whyWaiting[kind]).join(', '),
      since: elapsed(mainsEndedAt, asOf),
      page: kind,
    }));
  const longest = hanging.toSorted((a, b) => (a.since < b.since ? -1 : 1));
  return [
    ...describeWarnings(warnings, extent),
    ...describeAlike('cannot be judged', undecided, extent, ({ problem }) => ({
      why: problem,
      page: 'Undecided',
    })),
    ...onWaiting('NeverStarted', neverStarted),
    ...onWaiting('NotStartedAgain', notStartedAgain),
    ...describeAlike('hanging', longest, extent, ({ hang, since }) => ({
      why: describeHang(hang),
      since: elapsed(since, asOf),
      page: hang.kind,
    })),
  ];
}

type Waiting = WaitingPodReport['waiting'][number];

const whyWaiting = {
  NeverStarted: ({ name, image, reason }: Waiting) => `${name} (${image}) is waiting: ${reason}`,
  NotStartedAgain: ({ name, image, reason }: Waiting) =>
    `${name} has ended, and ${image} does not start: ${reason}`,
} as const;

/** `12 pods hanging, for up to 3h: why: jobs/a, jobs/b, jobs/c and 9 more; see page`. */
function describeAlike<T extends PodName>(
  what: string,
  pods: readonly T[],
  extent: Extent,
  tell: (pod: T) => { readonly why: string; readonly since?: string; readonly page: ReasonName },
): readonly string[] {
  const groups = groupsOf(pods, (pod) => tell(pod).why).toSorted((a, b) => b.length - a.length);
  const { shown, more } = worst(groups, extent);
  const lines = shown.map((group) => {
    const { why, since, page } = tell(group[0]);
    const age = since ? `, for ${group.length > 1 ? 'up to ' : ''}${since}` : '';
    return `${many(group.length, 'pod')} ${what}${age}: ${why}: ${namesOf(group, extent)}; see ${pageOf(page)}`;
  });
  return more > 0 ? [...lines, `and ${more} more kinds of pods ${what} (-o wide)`] : lines;
}

/** The first of each kind. */
function describeWarnings(warnings: readonly Warning[], extent: Extent): readonly string[] {
  return groupsOf(warnings, ({ kind }) => kind).flatMap((group) => {
    const { shown, more } = worst(group, extent, 3);
    const texts = shown.map(warned);
    return more > 0 ? [...texts, `warning: and ${more} more like that (-o wide)`] : texts;
  });
}

export function notesOnLeft(
  { totals: { excluded, excludedBecause, leftOut } }: Pick<Found, 'totals'>,
  ask: string,
): readonly string[] {
  const alone = `${many(excluded, 'pod')} left alone${describeReasons(excludedBecause)}; ${ask}`;
  return [...describeLeftOut(leftOut), ...ifAny(excluded, alone)];
}

/** How many pods were looked at, and how many of them are stuck; if there are none, where and since when they would be. */
export function describeFound(found: Found, stuck: number, owners = ''): string {
  const { unread, hanging, scope, totals } = found;
  const { listed, otherShards } = totals;
  const elsewhere = scope.namespaces.length === 0 || scope.pods ? '' : '; -A looks in all namespaces';
  const areAllListed = unread.every(({ what }) => what !== undefined);
  if (listed === 0) {
    const isUnread = unread.some(({ what, problem }) => what !== 'Namespace' || problem === 'NotFound');
    return isUnread ? 'No pods could be listed.' : `No pod ${whereOf(found)} could be stuck${elsewhere}.`;
  }
  const shards = otherShards > 0 ? ` (${many(otherShards, 'pod')} for other shards)` : '';
  const looked = `${many(listed, 'pod')} listed${shards}${areAllListed ? '' : ' (not all could be)'}`;
  const otherwise = hanging.length > 0 ? `, ${number(hanging.length)} hanging for another reason` : '';
  if (stuck > 0) return `${looked}, ${number(stuck)} stuck${owners}${otherwise}.`;
  const { TooYoung: young = 0 } = totals.excludedBecause;
  const have = young === 1 ? 'has' : 'have';
  const soon = young > 0 ? `; ${number(young)} ${have} been stuck for less (--min-age 1s shows them)` : '';
  const isOpen = mayBeStuck.some((reason) => totals.excludedBecause[reason]);
  const none = areAllListed ? `No ${isOpen ? 'other ' : ''}pod` : 'None of these';
  return `${looked}, none stuck${otherwise}. ${none} has been stuck for ${formatDuration(scope.minAgeMs)} or more${soon}${elsewhere}.`;
}

/** Reasons to leave a pod alone that say nothing about whether it is stuck. */
const mayBeStuck: readonly Exclusion['kind'][] = [
  'OptedOut',
  'NamespaceOptedOut',
  'NamespaceUnreadable',
  'NodeNotReady',
];

function whereOf({ cluster, scope }: Found): string {
  const { namespaces, labelSelector, namespaceSelector } = scope;
  const labels = labelSelector === undefined ? '' : `with labels ${labelSelector} `;
  const places =
    namespaces.length === 0
      ? 'in any namespace'
      : `in namespace${namespaces.length > 1 ? 's' : ''} ${namespaces.join(', ')}`;
  const ofNamespaces = namespaceSelector === undefined ? '' : ` with labels ${namespaceSelector}`;
  return `${labels}${places}${ofNamespaces} of context ${cluster.context}`;
}
