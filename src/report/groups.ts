import type { PodName } from '../model/pod.ts';
import type { Cell, Column, Look } from './columns.ts';
import { count, countKinds } from './counts.ts';
import { elapsed, formatCpu, formatMemory, hasNone, sumOf } from './format.ts';
import type { PodReport } from './schema.ts';
import type { Block } from './view.ts';

/** What is shown of many: the worst kinds, and examples of each, or all of them one by one. */
export interface Extent {
  readonly all: boolean;
}

const mostGroups = 12;
const mostExamples = 3;

/** Items that are alike, in the order in which their groups are met. */
export function groupsOf<T>(
  items: Iterable<T>,
  keyOf: (item: T) => string,
): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups.values()];
}

/** `jobs/a, jobs/b, jobs/c and 17 more`. */
export function namesOf(pods: readonly PodName[], { all }: Extent): string {
  const names = [...new Set(pods.map(({ namespace, name }) => `${namespace}/${name}`))];
  const shown = all ? names : names.slice(0, mostExamples);
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** As much of a list as is shown, and how many more there are. */
export function worst<T>(items: readonly T[], { all }: Extent, most = mostGroups) {
  const shown = all ? items : items.slice(0, most);
  return { shown, more: items.length - shown.length };
}

/** One sidecar of a stuck pod: a row for itself, or one of a group. */
export interface StuckSidecar {
  readonly pod: PodName &
    Pick<PodReport, 'mainsEndedAt' | 'owner' | 'node'> &
    Partial<Pick<PodReport, 'requests'>>;
  readonly name: string;
  readonly image: string;
  /** What is done about it, or why nothing is. */
  readonly what: Cell;
  /** What that means for its pod and its Job. */
  readonly after?: Cell;
  /** What tells its kind apart if `what` does not; messages may name the pod. */
  readonly kind?: string;
  /** Shown only for itself, with -o wide. */
  readonly other?: string;
}

interface Titles {
  readonly what: string;
  readonly after?: string;
  readonly other?: string;
}

/** Stuck sidecars: one row for all that are alike, the worst first, or one for each. */
export function stuckTable(
  sidecars: readonly StuckSidecar[],
  titles: Titles,
  asOf: string | undefined,
  extent: Extent,
): Block {
  return extent.all ? tableOfEach(sidecars, titles, asOf) : tableOfGroups(sidecars, titles, asOf, extent);
}

function tableOfGroups(
  sidecars: readonly StuckSidecar[],
  titles: Titles,
  asOf: string | undefined,
  extent: Extent,
): Block {
  const groups = groupsOf(sidecars, ({ name, image, what, after = '', kind = textOf(what) }) =>
    JSON.stringify([name, image, kind, textOf(after)]),
  ).toSorted((a, b) => urgency(b[0]) - urgency(a[0]) || b.length - a.length);
  const { shown, more } = worst(groups, extent);
  const columns: readonly Column[] = [
    { title: 'PODS' },
    { title: 'SIDECAR', isName: true },
    { title: 'IMAGE', worth: 5 },
    { title: titles.what, worth: 8, isProse: true },
    ...(titles.after === undefined ? [] : [{ title: titles.after, worth: 7 }]),
    { title: 'STUCK FOR', worth: 6 },
    { title: 'OWNER', worth: 4 },
    { title: 'CPU', worth: 3 },
    { title: 'MEMORY', worth: 2 },
    { title: 'FOR EXAMPLE', worth: 1, isProse: true },
  ];
  const rows = shown.map((group): readonly Cell[] => {
    const [{ name, image, what, after = '' }] = group;
    const pods = [...new Set(group.map(({ pod }) => pod))].toSorted(byAge);
    const reserved = sumOf(pods.flatMap(({ requests }) => requests ?? []));
    return [
      String(pods.length),
      name,
      image,
      what,
      ...(titles.after === undefined ? [] : [after]),
      elapsed(pods[0]?.mainsEndedAt ?? '', asOf),
      ownersOf(pods),
      ...amounts(reserved),
      namesOf(pods, extent),
    ];
  });
  return { kind: 'Table', columns, rows, more };
}

function tableOfEach(sidecars: readonly StuckSidecar[], titles: Titles, asOf: string | undefined): Block {
  const columns: readonly Column[] = [
    { title: 'NAMESPACE', isName: true },
    { title: 'POD', isName: true },
    { title: 'STUCK FOR', worth: 4 },
    { title: 'SIDECAR' },
    { title: 'CPU', worth: 3 },
    { title: 'MEMORY', worth: 2 },
    { title: titles.what, worth: 6, isProse: true },
    ...(titles.after === undefined ? [] : [{ title: titles.after, worth: 5 }]),
    ...(titles.other === undefined
      ? []
      : [{ title: titles.other, worth: 7, isProse: true as const, isWide: true as const }]),
    { title: 'OWNER', worth: 1 },
    { title: 'NODE', isWide: true },
    { title: 'IMAGE', isWide: true },
  ];
  const seen = new Set<unknown>();
  const rows = sidecars.map(({ pod, name, image, what, after = '', other = '' }): readonly Cell[] => {
    // The requests are the pod's, so only its first row has them.
    const requests = seen.has(pod) ? undefined : pod.requests;
    seen.add(pod);
    return [
      pod.namespace,
      pod.name,
      elapsed(pod.mainsEndedAt, asOf),
      name,
      ...amounts(requests),
      what,
      ...(titles.after === undefined ? [] : [after]),
      ...(titles.other === undefined ? [] : [other]),
      pod.owner ? `${pod.owner.kind}/${pod.owner.name}` : '',
      pod.node ?? '',
      image,
    ];
  });
  return { kind: 'Table', columns, rows };
}

function amounts(requests: PodReport['requests'] | undefined): readonly [cpu: string, memory: string] {
  if (requests === undefined || hasNone(requests)) return ['', ''];
  const { cpu, memory } = requests;
  return [cpu > 0 ? formatCpu(cpu) : '', memory > 0 ? formatMemory(memory) : ''];
}

/** The owner if there is one, and otherwise how many there are of each kind. */
function ownersOf(pods: readonly StuckSidecar['pod'][]): string {
  const owners = groupsOf(
    pods.flatMap(({ namespace, owner }) => (owner ? { ...owner, namespace } : [])),
    ({ kind, namespace, name }) => `${kind} ${namespace}/${name}`,
  ).map(([first]) => first);
  const [only, ...others] = owners;
  if (only && others.length === 0) return `${only.kind}/${only.name}`;
  return Object.entries(countKinds(owners.map(({ kind }) => kind)))
    .map(([kind, times]) => count(times, kind))
    .join(', ');
}

/** By how long they have been stuck, the longest first. */
export function byAge(a: { readonly mainsEndedAt: string }, b: { readonly mainsEndedAt: string }): number {
  return a.mainsEndedAt < b.mainsEndedAt ? -1 : a.mainsEndedAt > b.mainsEndedAt ? 1 : 0;
}

function urgency({ what, after = '' }: StuckSidecar): number {
  return Math.max(
    ...[what, after].map((cell) => (typeof cell === 'string' ? 0 : ranks[cell.look ?? 'bold'])),
  );
}

const ranks: Record<Look, number> = { red: 2, yellow: 1, green: 0, bold: 0 };

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}
