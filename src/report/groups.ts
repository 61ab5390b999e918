import type { PodName } from '../model/pod.ts';
import { countKinds, groupsOf } from '../util/groups.ts';
import { someOf } from '../util/text.ts';
import type { Millis } from '../util/time.ts';
import { type Cell, type Look, type Style, textOf } from './columns.ts';
import { elapsed, formatCpu, formatMemory, many, requestsOf } from './format.ts';
import type { PodReport } from './schema.ts';
import { type Block, table } from './view.ts';

/** How much of a list is shown: the worst kinds with examples, or with -o wide everything. */
export type Extent = Pick<Style, 'wide'> & Partial<Pick<Style, 'width'>>;

/** `etl/a, etl/b, etl/c and 17 more`; one example where each would take a line. */
export function namesOf(pods: readonly PodName[], { wide, width = 80 }: Extent): string {
  const names = [...new Set(pods.map(({ namespace, name }) => `${namespace}/${name}`))];
  return wide ? names.join(', ') : someOf(names, width < 60 ? 1 : 3);
}

/** As much of a list as is shown, and how many more there are. */
export function worst<T>(items: readonly T[], { wide }: Extent, most = 12) {
  const shown = wide ? items : items.slice(0, most);
  return { shown, more: items.length - shown.length };
}

/** One sidecar of a stuck pod: a row for itself, or one of a group. */
export interface StuckSidecar {
  readonly pod: PodName & Pick<PodReport, 'mainsEndedAt' | 'owner' | 'node' | 'requests'>;
  readonly name: string;
  readonly image: string;
  /** The step for it, or the reason that there is none. */
  readonly what: Cell;
  /** The result for its pod and its Job. */
  readonly after?: Cell;
  /** Distinguishes its kind if `what` cannot, because messages may name the pod. */
  readonly kind?: string;
}

/** Stuck sidecars: one row for all that are alike, the worst first, or one for each. */
export function stuckTable(
  sidecars: readonly StuckSidecar[],
  titles: { readonly what: string; readonly after?: string },
  asOf: string | undefined,
  extent: Extent,
): Block {
  const stuckFor = ({ mainsEndedAt }: StuckPod) => elapsed(mainsEndedAt, asOf);
  if (extent.wide) {
    // The requests are the pod's, so only its first row has them.
    const firsts = new Map(sidecars.toReversed().map((sidecar) => [sidecar.pod, sidecar]));
    const requesting = (sidecar: StuckSidecar) => (firsts.get(sidecar.pod) === sidecar ? [sidecar.pod] : []);
    return table(sidecars, [
      { title: 'NAMESPACE', isName: true, of: ({ pod }) => pod.namespace },
      { title: 'POD', isName: true, of: ({ pod }) => pod.name },
      { title: 'STUCK FOR', worth: 4, of: ({ pod }) => stuckFor(pod) },
      { title: 'SIDECAR', of: ({ name }) => name },
      { title: 'CPU', worth: 3, of: (sidecar) => formatCpu(requestsOf(requesting(sidecar)).cpu) },
      { title: 'MEMORY', worth: 2, of: (sidecar) => formatMemory(requestsOf(requesting(sidecar)).memory) },
      { title: titles.what, worth: 6, isProse: true, of: ({ what }) => what },
      { title: titles.after ?? '', worth: 5, of: ({ after = '' }) => after },
      { title: 'OWNER', worth: 1, of: ({ pod }) => ownersOf([pod]) },
      { title: 'NODE', isWide: true, of: ({ pod }) => pod.node ?? '' },
      { title: 'IMAGE', isWide: true, of: ({ image }) => image },
    ]);
  }
  const groups = groupsOf(sidecars, ({ name, image, what, after = '', kind = textOf(what) }) =>
    JSON.stringify([name, image, kind, textOf(after)]),
  ).toSorted((a, b) => urgency(b[0]) - urgency(a[0]) || b.length - a.length);
  const { shown, more } = worst(groups, extent);
  const rows = shown.map((group) => ({
    ...group[0],
    pods: [...new Set(group.map(({ pod }) => pod))].toSorted(byAge),
  }));
  return table(
    rows,
    [
      { title: 'PODS', of: ({ pods }) => String(pods.length) },
      { title: 'SIDECAR', isName: true, of: ({ name }) => name },
      { title: 'IMAGE', worth: 5, of: ({ image }) => image },
      { title: titles.what, worth: 8, isProse: true, of: ({ what }) => what },
      { title: titles.after ?? '', worth: 7, of: ({ after = '' }) => after },
      { title: 'STUCK FOR', worth: 6, of: ({ pods: [oldest] }) => (oldest ? stuckFor(oldest) : '') },
      { title: 'OWNER', worth: 4, of: ({ pods }) => ownersOf(pods) },
      { title: 'CPU', worth: 3, of: ({ pods }) => formatCpu(requestsOf(pods).cpu) },
      { title: 'MEMORY', worth: 2, of: ({ pods }) => formatMemory(requestsOf(pods).memory) },
      { title: 'FOR EXAMPLE', worth: 1, isProse: true, of: ({ pods }) => namesOf(pods, extent) },
    ],
    more,
  );
}

type StuckPod = StuckSidecar['pod'];

/** The owner if there is one, and otherwise how many there are of each kind. */
function ownersOf(pods: readonly StuckPod[]): string {
  const owners = groupsOf(
    pods.flatMap(({ namespace, owner }) => (owner ? { ...owner, namespace } : [])),
    ({ kind, namespace, name }) => `${kind} ${namespace}/${name}`,
  ).map(([first]) => first);
  const [only, ...others] = owners;
  if (only && others.length === 0) return `${only.kind}/${only.name}`;
  return Object.entries(countKinds(owners.map(({ kind }) => kind)))
    .map(([kind, times]) => many(times, kind))
    .join(', ');
}

export function byAge(a: { readonly mainsEndedAt: string }, b: { readonly mainsEndedAt: string }): number {
  return a.mainsEndedAt < b.mainsEndedAt ? -1 : a.mainsEndedAt > b.mainsEndedAt ? 1 : 0;
}

/** When the first of them got stuck; a function does not take as many arguments as there may be pods. */
export function stuckSince(pods: readonly { readonly mainsEndedAt: Millis }[]): Millis {
  return pods.reduce((least, { mainsEndedAt }) => Math.min(least, mainsEndedAt), Infinity);
}

function urgency({ what, after = '' }: StuckSidecar): number {
  return Math.max(
    ...[what, after].map((cell) => (typeof cell === 'string' ? 0 : ranks[cell.look ?? 'bold'])),
  );
}

const ranks: Record<Look, number> = { red: 2, yellow: 1, green: 0, bold: 0 };
