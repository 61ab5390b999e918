import type { Resources } from '../../model/pod.ts';
import type { Column } from '../arrange.ts';
import type { Style } from '../columns.ts';
import { describeCounts } from '../counts.ts';
import { elapsed, formatCpu, formatMemory, many, minuteOf, number } from '../format.ts';
import { describeTruncated, describeUnreadable } from '../records/rebuild.ts';
import { type Block, notes, type View } from '../view.ts';
import type { Fates, History, Usage, Why } from './schema.ts';

/** A history for people: what terminals, Markdown and the HTML page show. */
export interface HistoryView {
  readonly summary: readonly string[];
  /** What sweeps did to finished work; empty if nothing. */
  readonly harm: readonly string[];
  /** What may be missing, and what is not counted. */
  readonly caveats: readonly string[];
  /** In the order of what to look at first. */
  readonly sections: readonly Section[];
}

export interface Section {
  readonly id: 'waste' | 'reasons' | 'stuck' | 'owners' | 'namespaces' | 'images' | 'clusters' | 'trend';
  readonly title: string;
  readonly columns: readonly SectionColumn[];
  readonly rows: readonly (readonly string[])[];
  /** How many more rows there are. */
  readonly more: number;
  readonly notes: readonly string[];
}

interface SectionColumn extends Column {
  readonly isNumber?: true;
}

/** A column, and what it shows of a row. */
interface Cell<Row> extends SectionColumn {
  of(row: Row): string;
}

const usage: readonly Cell<{ readonly wasted: Usage }>[] = [
  { title: 'CORE-HOURS', worth: 7, isNumber: true, of: ({ wasted }) => number(wasted.cpuHours) },
  { title: 'GIB-HOURS', worth: 6, isNumber: true, of: ({ wasted }) => number(wasted.gibHours) },
];
const pods: Cell<{ readonly pods: number }> = {
  title: 'PODS',
  isNumber: true,
  of: (row) => number(row.pods),
};
const fates: readonly Cell<Fates>[] = [
  pods,
  { title: 'ENDED', worth: 2, isNumber: true, of: ({ ended }) => number(ended) },
  { title: 'GONE', worth: 1, isNumber: true, of: ({ gone }) => number(gone) },
  { title: 'STUCK', worth: 5, isNumber: true, of: ({ stuck }) => number(stuck) },
];
const namespace: Cell<{ readonly namespace: string }> = {
  title: 'NAMESPACE',
  isName: true,
  of: (row) => row.namespace,
};

/** The rows of a table, but for -o wide. */
const mostRows = 10;

/** The history as a terminal and Markdown show it. */
export function historyView(history: History, { wide }: Pick<Style, 'wide'>): View {
  const { summary, harm, caveats, sections } = viewOf(history, wide ? Infinity : mostRows);
  return {
    title: 'What sweeps found',
    sections: [
      [
        { kind: 'Sentences', texts: summary },
        { kind: 'Sentences', texts: harm, look: 'red', isLoud: true },
        notes(caveats, 'yellow'),
      ],
      ...sections.map(({ title, columns, rows, more, notes: texts }): readonly Block[] => [
        { kind: 'Heading', text: title },
        { kind: 'Table', columns, rows, more },
        notes(texts),
      ]),
    ],
  };
}

/** @param most The rows of a table; the rest is counted. */
export function viewOf(history: History, most: number): HistoryView {
  return {
    summary: summaryOf(history),
    harm: harmOf(history),
    caveats: caveatsOf(history),
    sections: sectionsOf(history, most).filter(({ rows }) => rows.length > 0),
  };
}

function sectionsOf(history: History, most: number): readonly Section[] {
  const { period, totals, reasons, stuck, owners, namespaces, images, clusters, trend, leftOut } = history;
  const section = <Row>(
    id: Section['id'],
    title: string,
    all: readonly Row[],
    cells: readonly Cell<NoInfer<Row>>[],
    { notes = [], isWhole = false }: { readonly notes?: readonly string[]; readonly isWhole?: boolean } = {},
  ): Section => {
    const shown = isWhole ? all : all.slice(0, most);
    const rows = shown.map((row) => cells.map((cell) => cell.of(row)));
    return { id, title, columns: cells, rows, more: all.length - shown.length + (leftOut[id] ?? 0), notes };
  };
  const cluster: readonly Cell<{ readonly cluster: string }>[] =
    clusters.length > 1 ? [{ title: 'CLUSTER', isName: true, of: (row) => row.cluster }] : [];
  const wasted = [
    { what: 'wasted', wasted: totals.wasted },
    { what: 'by pods that are still stuck', wasted: totals.wastedByStuck },
    { what: 'reclaimed', wasted: totals.reclaimed },
  ];
  const recurs = owners.some(({ times }) => times > 1);
  return [
    section(
      'waste',
      'Resources',
      period ? wasted : [],
      [{ title: '', of: ({ what }) => what }, ...usage.map(({ worth: _, ...column }) => column)],
      { isWhole: true },
    ),
    section(
      'reasons',
      'Why pods are still stuck',
      reasons,
      [
        { title: 'WHY', isName: true, of: whyOf },
        pods,
        { title: 'SINCE', worth: 5, of: ({ since }) => minuteOf(since) },
        ...usage,
        { title: 'IN WORDS', worth: 9, isProse: true, of: ({ words }) => words },
      ],
      { notes: adviceOf(reasons) },
    ),
    section('stuck', 'Pods that are still stuck', stuck, [
      ...cluster,
      namespace,
      { title: 'POD', isName: true, of: ({ name }) => name },
      { title: 'STUCK FOR', of: ({ mainsEndedAt, lastSeenAt }) => elapsed(mainsEndedAt, lastSeenAt) },
      { title: 'SWEEPS', worth: 3, isNumber: true, of: ({ sweeps }) => number(sweeps) },
      ...usage,
      { title: 'WHY', of: ({ why }) => whyOf(why) },
    ]),
    section(
      'owners',
      'By owner',
      owners,
      [
        ...cluster,
        namespace,
        { title: 'OWNER', isName: true, of: ({ kind, name }) => `${kind}/${name}` },
        { title: 'TIMES', isNumber: true, of: ({ times }) => number(times) },
        { title: 'LAST', worth: 4, of: ({ lastAt }) => minuteOf(lastAt) },
        ...fates,
        ...usage,
        { title: 'SIDECARS', worth: 3, of: (owner) => owner.images.join(', ') },
      ],
      { notes: recurs ? ['to stop what keeps coming back: sidecar-sweeper advise'] : [] },
    ),
    section('namespaces', 'By namespace', namespaces, [...cluster, namespace, ...fates, ...usage]),
    section('images', 'By image of the sidecar', images, [
      { title: 'IMAGE', isName: true, of: ({ image }) => image },
      ...fates,
      ...usage,
    ]),
    section('clusters', 'By cluster', clusters.length > 1 ? clusters : [], [
      { title: 'CLUSTER', isName: true, of: ({ name }) => name },
      { title: 'SWEEPS', worth: 3, isNumber: true, of: ({ sweeps }) => number(sweeps) },
      { title: 'LAST', worth: 6, of: ({ to }) => minuteOf(to) },
      ...fates,
      ...usage,
      ...(clusters.some(({ uid }) => uid !== undefined)
        ? [{ title: 'UID', worth: 1, of: ({ uid = '' }: History['clusters'][number]) => uid }]
        : []),
    ]),
    section(
      'trend',
      'Over time (UTC)',
      trend.points.length > 1 ? trend.points : [],
      [
        { title: 'FROM', isName: true, of: ({ from }) => minuteOf(from) },
        { title: 'SWEEPS', worth: 3, isNumber: true, of: ({ sweeps }) => number(sweeps) },
        { title: 'FOUND', worth: 4, isNumber: true, of: ({ found }) => number(found) },
        { title: 'ENDED', worth: 2, isNumber: true, of: ({ ended }) => number(ended) },
        { title: 'GONE', worth: 1, isNumber: true, of: ({ gone }) => number(gone) },
        { title: 'STUCK THEN', worth: 5, isNumber: true, of: (point) => number(point.stuck) },
        ...usage,
      ],
      { isWhole: true },
    ),
  ];
}

function whyOf({ outcome, reason }: Pick<Why, 'outcome' | 'reason'>): string {
  return reason === undefined ? outcome : `${outcome} (${reason})`;
}

/** Each advice once, with the number of pods that it is for. */
function adviceOf(reasons: History['reasons']): readonly string[] {
  const advised = new Map<string, number>();
  for (const { advice, pods } of reasons) {
    if (advice !== undefined) advised.set(advice, (advised.get(advice) ?? 0) + pods);
  }
  return [...advised].map(([advice, pods]) => `to do (${many(pods, 'pod')}): ${advice}`);
}

function summaryOf({ period, read, totals, clusters }: History): readonly string[] {
  if (!period) return ['There is no report of a sweep in what was read.', ...dryRunsOf(read)];
  const { pods, ended, gone, stuck, reserved, withoutRequests } = totals;
  const of = clusters.length > 1 ? ` of ${many(clusters.length, 'cluster')}` : '';
  const span = `${minuteOf(period.from)} to ${minuteOf(period.to)} UTC (${elapsed(period.from, period.to)})`;
  const became = [
    `sweeps ended ${number(ended)}`,
    `${number(gone)} ended or went away otherwise`,
    `${number(stuck)} ${stuck === 1 ? 'is' : 'are'} still stuck`,
  ].join(', ');
  return [
    `${span}: ${many(read.sweeps, 'sweep')}${of}.`,
    pods === 0
      ? 'No pod was stuck.'
      : `${many(pods, 'pod')} ${pods === 1 ? 'was' : 'were'} stuck: ${became}.`,
    ...(stuck > 0 ? [`What is still stuck ${describeReserved(reserved)}.`] : []),
    ...(withoutRequests > 0 ? [describeUnknownWaste(withoutRequests)] : []),
  ];
}

/** Such pods still occupy a slot and an address of their nodes. */
export function describeUnknownWaste(pods: number): string {
  const [have, they] = pods === 1 ? ['has', 'it'] : ['have', 'they'];
  return `${many(pods, 'pod')} ${have} no resource requests: what ${they} wasted is unknown and not counted.`;
}

function describeReserved({ cpu, memory }: Resources): string {
  if (cpu === 0 && memory === 0) return 'reserves nothing, as its pods have no requests';
  return `reserves ${formatCpu(cpu)} CPU and ${formatMemory(memory)} of memory`;
}

function harmOf({ totals: { harm } }: History): readonly string[] {
  const harms = describeCounts(harm, number);
  return harms === '' ? [] : [`Harm by sweeps: ${harms} (see explain --reason Harm).`];
}

function caveatsOf({ period, read }: History): readonly string[] {
  const { reports, stoppedEarly, unread, braked, copies, unfinished, lost, truncated, unreadable } = read;
  const some = (count: number, sentence: string) => (count > 0 ? [sentence] : []);
  const incomplete = [
    ...some(stoppedEarly, `${number(stoppedEarly)} stopped early`),
    ...some(unread, `${number(unread)} could not read all of their scope`),
    ...some(braked, `${number(braked)} sent nothing, because the plan was for too many pods`),
  ].join(', ');
  return [
    ...(incomplete === '' ? [] : [`Of ${many(reports, 'report')}, ${incomplete}.`]),
    ...(period ? dryRunsOf(read) : []),
    ...some(
      copies,
      `${many(copies, 'report')} ${copies === 1 ? 'was' : 'were'} read before and not counted again.`,
    ),
    ...some(unfinished, `The last record of ${many(unfinished, 'run')} is missing: not counted.`),
    ...some(
      lost,
      `${many(lost, 'record')} of the other runs ${lost === 1 ? 'is' : 'are'} missing: there may be more stuck pods.`,
    ),
    ...some(truncated, `${describeTruncated(read)}.`),
    ...describeUnreadable(unreadable).map((clause) => `${clause}.`),
  ];
}

function dryRunsOf({ dryRuns }: History['read']): readonly string[] {
  if (dryRuns === 0) return [];
  return [`${many(dryRuns, 'dry run')} ${dryRuns === 1 ? 'is' : 'are'} not counted: nothing was ended.`];
}
