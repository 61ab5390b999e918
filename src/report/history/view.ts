import { groupsOf } from '../../util/groups.ts';
import type { Style } from '../columns.ts';
import { elapsed, hasNone, ifAny, many, minuteOf, number, reserved } from '../format.ts';
import { describeTruncated, describeUnreadable } from '../records/rebuild.ts';
import { adviseCommand, describeUnended, howToPrevent } from '../texts/advice.ts';
import { describeHarm } from '../texts/outcomes.ts';
import { amount, type Field, notes, type Table, table, type View } from '../view.ts';
import type { Fates, History, Usage } from './schema.ts';

export interface TitledTable extends Table {
  /** Its name in a stylesheet and in links. */
  readonly id: string;
  readonly title: string;
  readonly notes?: readonly string[];
}

const mostRows = 10;

export function historyView(history: History, { wide }: Pick<Style, 'wide'>): View {
  return {
    title: 'What sweeps found',
    sections: [
      [
        { kind: 'Sentences', texts: harmOf(history), look: 'red' },
        { kind: 'Sentences', texts: summaryOf(history) },
        notes(caveatsOf(history), 'yellow'),
      ],
      ...tablesOf(history, wide ? Infinity : mostRows).map(({ title, notes: texts = [], ...table }) => [
        { kind: 'Heading', text: title } as const,
        { ...table, kind: 'Table' } as const,
        notes(texts),
      ]),
    ],
  };
}

const time = <Row>(title: string, worth: number, of: (row: Row) => string): Field<Row> => ({
  title,
  worth,
  of: (row) => minuteOf(of(row)),
});
const usage: readonly Field<{ readonly wasted: Usage }>[] = [
  amount('CORE-HOURS', ({ wasted }) => wasted.cpuHours, 7),
  amount('GIB-HOURS', ({ wasted }) => wasted.gibHours, 6),
];
const pods = amount('PODS', (row: { readonly pods: number }) => row.pods);
const sweeps = amount('SWEEPS', (row: { readonly sweeps: number }) => row.sweeps, 3);
const left: readonly Field<Pick<Fates, 'ended' | 'gone' | 'stuck'>>[] = [
  amount('ENDED', ({ ended }) => ended, 2),
  amount('GONE', ({ gone }) => gone, 1),
  amount('STUCK', ({ stuck }) => stuck, 5),
];
const fates: readonly Field<Fates>[] = [pods, ...left, ...usage];
const pod: Field<{ readonly name: string }> = { title: 'POD', isName: true, of: ({ name }) => name };

/** The most important table first. @param most How many rows a table has at most; the others are counted. */
export function tablesOf(history: History, most: number): readonly TitledTable[] {
  const { harm, groups, stuck, owners, namespaces, clusters, trend, leftOut } = history;
  const titled = <Row>(
    id: string,
    title: string,
    all: readonly Row[],
    fields: readonly Field<NoInfer<Row>>[],
    notes: readonly string[] = [],
  ): TitledTable => {
    const shown = id === 'trend' ? all : all.slice(0, most);
    return { id, title, notes, ...table(shown, fields, all.length - shown.length + (leftOut[id] ?? 0)) };
  };
  const areSeveral = clusters.length > 1;
  const place: readonly Field<{ readonly cluster: string; readonly namespace: string }>[] = [
    { title: areSeveral ? 'CLUSTER' : '', isName: true, of: ({ cluster }) => cluster },
    { title: 'NAMESPACE', isName: true, of: ({ namespace }) => namespace },
  ];
  const hasUids = clusters.some(({ uid }) => uid !== undefined);
  return [
    titled('harm', 'Harmed by sweeps', harm, [
      ...place,
      pod,
      { title: 'OWNER', worth: 2, of: ({ owner }) => (owner ? `${owner.kind}/${owner.name}` : '') },
      { title: 'HARM', of: describeHarm },
      time('AT', 4, ({ at }) => at),
      { title: 'BY', worth: 3, isProse: true, of: ({ does = 'an unknown step' }) => does },
    ]),
    titled(
      'groups',
      'What kept pods running, and what became of them',
      groups,
      [
        { title: 'SIDECAR', isName: true, of: ({ sidecar }) => sidecar },
        pods,
        time('SINCE', 3, ({ since }) => since),
        ...usage,
        { title: 'OUTCOME', worth: 9, isProse: true, of: ({ words }) => inShort(words) },
        { title: 'IMAGE', worth: 2, of: ({ image }) => image },
        {
          title: 'SUCH AS',
          worth: 1,
          of: ({ examples: [one] }) => (one ? `${one.namespace}/${one.name}` : ''),
        },
      ],
      [...adviceOf(groups), ...curesOf(groups)],
    ),
    titled('stuck', 'Pods that are still stuck', stuck, [
      ...place,
      pod,
      { title: 'STUCK FOR', of: ({ mainsEndedAt, lastSeenAt }) => elapsed(mainsEndedAt, lastSeenAt) },
      sweeps,
      ...usage,
      { title: 'WHY', worth: 9, isProse: true, of: ({ why }) => inShort(why.words) },
    ]),
    titled('owners', 'By owner', owners, [
      ...place,
      { title: 'OWNER', isName: true, of: ({ kind, name }) => `${kind}/${name}` },
      amount('TIMES', ({ times }) => times),
      time('LAST', 4, ({ lastAt }) => lastAt),
      ...fates,
      { title: 'SIDECARS', worth: 3, of: ({ images }) => images.join(', ') },
    ]),
    titled('namespaces', 'By namespace', namespaces, [...place, ...fates]),
    titled('clusters', 'By cluster', areSeveral ? clusters : [], [
      { title: 'CLUSTER', isName: true, of: ({ name }) => name },
      sweeps,
      time('LAST', 6, ({ to }) => to),
      ...fates,
      { title: hasUids ? 'UID' : '', worth: 1, of: ({ uid = '' }) => uid },
    ]),
    titled('trend', 'Over time (UTC)', trend.points.length > 1 ? trend.points : [], [
      { title: 'FROM', isName: true, of: ({ from }) => minuteOf(from) },
      sweeps,
      amount('FOUND', ({ found }) => found, 4),
      ...left,
      ...usage,
    ]),
  ].filter(({ rows }) => rows.length > 0);
}

/** Why a step was blocked is said once, below the groups. */
export function inShort(words: string): string {
  return words.startsWith('blocked: ') ? 'blocked' : words;
}

/** Each reason and its advice once, with the pods that it applies to. */
function adviceOf(groups: History['groups']): readonly string[] {
  const told = groups.filter(({ words, advice }) => advice !== undefined || inShort(words) !== words);
  return groupsOf(told, ({ words, advice }) => `${words} ${advice}`).map((alike) => {
    const [{ words, advice }] = alike;
    const pods = alike.reduce((sum, one) => sum + one.pods, 0);
    const sidecars = alike.map(({ sidecar }) => sidecar);
    return describeUnended(pods, sidecars, words, advice);
  });
}

function curesOf(groups: History['groups']): readonly string[] {
  const namespaces = groups.flatMap(({ pods, examples }) =>
    pods > examples.length ? [undefined] : examples.map(({ namespace }) => namespace),
  );
  return namespaces.length === 0 ? [] : [`${howToPrevent} ${adviseCommand(namespaces)}`];
}

function summaryOf({ period, read, totals, clusters }: History): readonly string[] {
  if (!period) return ['The input contains no report of a sweep.', ...dryRunsOf(read)];
  const { pods, ended, gone, stuck, reserved: held, freed, wasted, wastedByStuck, reclaimed } = totals;
  const of = clusters.length > 1 ? ` of ${many(clusters.length, 'cluster')}` : '';
  const span = `${minuteOf(period.from)} to ${minuteOf(period.to)} UTC (${elapsed(period.from, period.to)})`;
  const summed = ({ cpuHours, gibHours }: Usage) =>
    `${many(cpuHours, 'core-hour')}, ${many(gibHours, 'GiB-hour')}`;
  const became = `sweeps ended ${number(ended)}, ${number(gone)} ended or went away otherwise, ${number(stuck)} ${areOf(stuck)} still stuck`;
  const were = pods === 1 ? 'was' : 'were';
  return [
    `${span}: ${many(read.sweeps, 'sweep')}${of}.`,
    pods === 0 ? 'No pod was stuck.' : `${many(pods, 'pod')} ${were} stuck: ${became}.`,
    ...(hasNone(freed) ? [] : [`Freed ${reserved(freed)}; reclaimed ${summed(reclaimed)}.`]),
    ...ifAny(
      pods,
      `Wasted ${summed(wasted)}; ${summed(wastedByStuck)} of that by pods that are still stuck.`,
    ),
    ...ifAny(
      stuck,
      `Pods that are still stuck reserve ${reserved(held) || 'nothing, as they have no requests'}.`,
    ),
    ...unknownWasteOf(totals),
  ];
}

/** Such pods still occupy a slot and an address of their nodes. */
export function unknownWasteOf({ withoutRequests }: History['totals']): readonly string[] {
  const [have, they] = withoutRequests === 1 ? ['has', 'it'] : ['have', 'they'];
  return ifAny(
    withoutRequests,
    `${many(withoutRequests, 'pod')} ${have} no resource requests: what ${they} wasted is unknown and not counted.`,
  );
}

export function harmOf({ totals: { harm } }: History): readonly string[] {
  const pods = Object.values(harm).reduce((sum, one) => sum + one, 0);
  return ifAny(pods, `Sweeps harmed the finished work of ${many(pods, 'pod')} (see explain --reason Harm).`);
}

export function caveatsOf({ period, read }: History): readonly string[] {
  const { reports, stoppedEarly, unread, braked, unfinished, lost, truncated, unreadable } = read;
  const incomplete = [
    ...ifAny(stoppedEarly, `${number(stoppedEarly)} stopped early`),
    ...ifAny(unread, `${number(unread)} could not read all of their scope`),
    ...ifAny(braked, `${number(braked)} sent nothing, because the plan was for too many pods`),
  ];
  return [
    ...ifAny(incomplete.length, `Of ${many(reports, 'report')}, ${incomplete.join(', ')}.`),
    ...(period ? dryRunsOf(read) : []),
    ...ifAny(
      unfinished,
      `${many(unfinished, 'run')} whose last record is missing ${areOf(unfinished)} not counted.`,
    ),
    ...ifAny(
      lost,
      `${many(lost, 'record')} of the other runs ${areOf(lost)} missing: there may be more stuck pods.`,
    ),
    ...ifAny(truncated, `${describeTruncated(read)}.`),
    ...describeUnreadable(unreadable).map((clause) => `${clause}.`),
  ];
}

function dryRunsOf({ dryRuns }: History['read']): readonly string[] {
  return ifAny(dryRuns, `${many(dryRuns, 'dry run')} ${areOf(dryRuns)} not counted: nothing was ended.`);
}

function areOf(count: number): string {
  return count === 1 ? 'is' : 'are';
}
