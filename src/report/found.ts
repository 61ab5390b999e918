import type { PodName } from '../model/pod.ts';
import type { Remark } from '../model/verdict.ts';
import type { Warning } from '../model/warning.ts';
import { formatDuration } from '../util/time.ts';
import { elapsed, many, number } from './format.ts';
import { byAge, type Extent, groupsOf, namesOf, worst } from './groups.ts';
import type { SweepReport, WaitingPodReport } from './schema.ts';
import {
  describeHang,
  describeReasons,
  describeRemark,
  describeVerdict,
  pageOf,
  type ReasonName,
} from './texts/reasons.ts';
import { describeLeftOut, describeWarning } from './texts/warnings.ts';

/** What a scan, an advice and a sweep have in common: what was found in the pods of the scope. */
export interface Found
  extends Pick<
      SweepReport,
      'unread' | 'undecided' | 'neverStarted' | 'notStartedAgain' | 'hanging' | 'warnings'
    >,
    Pick<SweepReport['totals'], 'listed' | 'leftOut' | 'excluded' | 'excludedBecause'> {
  readonly cluster: Pick<SweepReport['cluster'], 'context'>;
  readonly scope: SweepReport['scope'];
  readonly asOf?: string | undefined;
  readonly otherShards?: number;
}

/** What was found besides stuck pods, in sentences: one for all that is alike. */
export function notesOnFound(found: Found, extent: Extent): readonly string[] {
  const { undecided, neverStarted, notStartedAgain, hanging, warnings, asOf } = found;
  const onWaiting = (kind: keyof typeof whyWaiting, pods: readonly WaitingPodReport[]) =>
    describeAlike(pods.toSorted(byAge), extent, {
      kind: describeVerdict({ kind }),
      why: ({ waiting }) => waiting.map(whyWaiting[kind]).join(', '),
      since: ({ mainsEndedAt }) => elapsed(mainsEndedAt, asOf),
      page: () => kind,
    });
  return [
    ...describeWarnings(warnings, extent),
    ...describeAlike(undecided, extent, {
      kind: 'cannot be judged',
      why: ({ problem }) => problem,
      page: () => 'Undecided',
    }),
    ...onWaiting('NeverStarted', neverStarted),
    ...onWaiting('NotStartedAgain', notStartedAgain),
    ...describeAlike(
      hanging.toSorted((a, b) => (a.since < b.since ? -1 : 1)),
      extent,
      {
        kind: 'hanging',
        why: ({ hang }) => describeHang(hang),
        since: ({ since }) => elapsed(since, asOf),
        page: ({ hang }) => hang.kind,
      },
    ),
  ];
}

type Waiting = WaitingPodReport['waiting'][number];

const whyWaiting = {
  NeverStarted: ({ name, image, reason }: Waiting) => `${name} (${image}) is waiting: ${reason}`,
  NotStartedAgain: ({ name, image, reason }: Waiting) =>
    `${name} has ended, and ${image} does not start: ${reason}`,
} as const;

/** What is odd about pods, but keeps no sweep from working. */
export function notesOnRemarks(
  pods: readonly (PodName & { readonly remarks: readonly Remark[] })[],
  extent: Extent,
): readonly string[] {
  const all = pods.flatMap(({ namespace, name, remarks }) =>
    remarks.map((remark) => ({ namespace, name, text: describeRemark(remark) })),
  );
  return describeAlike(all, extent, { kind: 'with a remark', why: ({ text }) => text });
}

interface Words<T> {
  /** What the pods are, after their number. */
  readonly kind: string;
  why(pod: T): string;
  since?(pod: T): string;
  page?(pod: T): ReasonName;
}

/** `12 pods hanging, for up to 3h: why: jobs/a, jobs/b, jobs/c and 9 more; see page`. */
function describeAlike<T extends PodName>(
  pods: readonly T[],
  extent: Extent,
  { kind, why, since, page }: Words<T>,
): readonly string[] {
  const groups = groupsOf(pods, why).toSorted((a, b) => b.length - a.length);
  const { shown, more } = worst(groups, extent);
  const lines = shown.map((group) => {
    const [first] = group;
    const age = since ? `, for ${group.length > 1 ? 'up to ' : ''}${since(first)}` : '';
    const see = page ? `; see ${pageOf(page(first))}` : '';
    return `${many(group.length, 'pod')} ${kind}${age}: ${why(first)}: ${namesOf(group, extent)}${see}`;
  });
  return more > 0 ? [...lines, `and ${more} more kinds of pods ${kind} (-o wide)`] : lines;
}

/** The first of each kind. What is blocked stands in the table of stuck pods as well. */
function describeWarnings(warnings: readonly Warning[], extent: Extent): readonly string[] {
  const groups = groupsOf(
    warnings.filter(({ kind }) => kind !== 'Blocked'),
    ({ kind }) => kind,
  );
  return groups.flatMap((group) => {
    const { shown, more } = worst(group, extent, 3);
    const texts = shown.map((warning) => `warning: ${describeWarning(warning)}`);
    return more > 0 ? [...texts, `warning: and ${more} more like that (-o wide)`] : texts;
  });
}

/** How many pods were left alone for each reason, and what has no room in the report. */
export function notesOnLeft({ excluded, excludedBecause, leftOut }: Found, ask: string): readonly string[] {
  const alone =
    excluded === 0 ? [] : [`${many(excluded, 'pod')} left alone${describeReasons(excludedBecause)}; ${ask}`];
  return [...describeLeftOut(leftOut), ...alone];
}

/** How many pods were looked at, and how many of them are stuck; if there are none, where and since when they would be. */
export function describeFound(found: Found, stuck: number, owners = ''): string {
  const { listed, otherShards = 0, unread, hanging, scope } = found;
  const isMissing = unread.some(({ what, problem }) => what === 'Namespace' && problem === 'NotFound');
  // The message about each pod that was named says all that there is to say.
  if (listed === 0 && unread.length > 0 && unread.every(({ what }) => what === 'Pod'))
    return 'No pod was read.';
  const areAllListed = unread.every(({ what }) => what !== undefined);
  if (listed === 0)
    return areAllListed && !isMissing
      ? `No pod ${whereOf(found)} could be stuck${elsewhereIn(scope)}.`
      : `No pods could be listed${isMissing ? elsewhereIn(scope) : ''}.`;
  const elsewhere = otherShards > 0 ? ` (${many(otherShards, 'pod')} for other shards)` : '';
  const others = areAllListed ? '' : ' (not all could be)';
  const otherwise = hanging.length > 0 ? `, ${number(hanging.length)} hanging for another reason` : '';
  const young = found.excludedBecause['TooYoung'] ?? 0;
  const soon =
    young > 0
      ? `; ${number(young)} ${young === 1 ? 'has' : 'have'} been stuck for less (--min-age 1s shows them)`
      : '';
  const isOptedOut = ['OptedOut', 'NamespaceOptedOut'].some(
    (reason) => (found.excludedBecause[reason] ?? 0) > 0,
  );
  const says =
    stuck > 0
      ? `${number(stuck)} stuck${owners}${otherwise}.`
      : `none stuck${otherwise}. No ${isOptedOut ? 'other ' : ''}pod has been stuck for ${formatDuration(scope.minAgeMs)} or more${soon}${elsewhereIn(scope)}.`;
  return `${many(listed, 'pod')} listed${elsewhere}${others}, ${says}`;
}

function elsewhereIn({ namespaces }: Found['scope']): string {
  return namespaces.length === 0 ? '' : '; -A looks in all namespaces';
}

function whereOf({ cluster, scope }: Found): string {
  const { namespaces, labelSelector, namespaceSelector } = scope;
  const labelled = (selector: string | undefined) =>
    selector === undefined ? '' : ` with labels ${selector}`;
  const places =
    namespaces.length === 0
      ? 'in any namespace'
      : `in namespace${namespaces.length > 1 ? 's' : ''} ${namespaces.join(', ')}`;
  return `${labelled(labelSelector).trim()} ${places}${labelled(namespaceSelector)} of context ${cluster.context}`.trim();
}
