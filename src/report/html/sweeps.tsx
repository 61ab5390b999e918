import type { JSX } from 'preact';
import { formatDuration } from '../../util/time.ts';
import { type Counts, describeSidecars } from '../counts.ts';
import { many, minuteOf, number } from '../format.ts';
import type { SweepReport } from '../schema.ts';
import { describeWarning } from '../texts/warnings.ts';
import { Said } from './glossary.tsx';
import { Folded, lastOfEach, Name, type PageReport, Prose, Table, type TableOf } from './table.tsx';
import { Lanes, Legend, timelineOf } from './timeline.tsx';

interface LeftAloneReason {
  readonly report: PageReport;
  readonly reason: string;
  readonly pods: number;
}

const sweepsTable: TableOf<PageReport> = {
  id: 'sweeps-table',
  caption: 'Sweeps, the last one first',
  columns: [
    {
      title: 'Started',
      width: '9rem',
      cell: ({ run }) => minuteOf(run.startedAt),
      value: ({ run }) => Date.parse(run.startedAt),
    },
    { title: 'Cluster', width: '1fr', cell: ({ cluster }) => cluster.name },
    {
      title: 'Took',
      width: '5rem',
      numeric: true,
      cell: ({ run }) => formatDuration(run.durationMs),
      value: ({ run }) => run.durationMs,
    },
    { title: 'Listed', width: '5rem', numeric: true, cell: ({ totals }) => number(totals.listed) },
    { title: 'Stuck', width: '5rem', numeric: true, cell: ({ totals }) => number(totals.candidates) },
    {
      title: 'Sidecars',
      width: '3fr',
      cell: ({ totals }) => (
        <Counted counts={totals.sidecars} parts={{ StillRunning: totals.stillRunning }} />
      ),
    },
    { title: 'Harm', width: '1fr', cell: ({ totals }) => <Counted counts={totals.harm} of="Harm" /> },
    {
      title: 'Notes',
      width: '1fr',
      cell: ({ run, unread, warnings }) =>
        [
          ...(run.dryRun ? ['dry run'] : []),
          ...(run.stoppedEarly ? [`stopped early: ${run.stoppedEarly}`] : []),
          ...(unread.length > 0 ? [`${many(unread.length, 'part')} unread`] : []),
          ...(warnings.length > 0 ? [many(warnings.length, 'warning')] : []),
        ].join(', '),
    },
  ],
};

const leftAloneTable: TableOf<LeftAloneReason> = {
  id: 'left-alone-table',
  caption: 'Pods that the last sweep of each cluster left alone, by reason',
  columns: [
    { title: 'Pods', width: '5rem', numeric: true, cell: ({ pods }) => number(pods) },
    {
      title: 'Reason',
      width: '2fr',
      cell: ({ reason }) => <Said word={{ outcome: 'Excluded', reason }} text={reason} />,
    },
    { title: 'Cluster', width: '2fr', cell: ({ report }) => report.cluster.name },
  ],
};

export const sweepTables = [sweepsTable, leftAloneTable] as const;

/** How many sweeps are drawn, and how many sidecars of each. */
const mostDrawn = 10;
const mostLanes = 25;

/** What was done, sweep by sweep and step by step. */
export function Sweeps({ reports }: { readonly reports: readonly PageReport[] }): JSX.Element {
  const timelines = reports
    .map((report) => ({ report, timeline: timelineOf(report, mostLanes) }))
    .filter(({ timeline }) => timeline.lanes.length > 0);
  return (
    <section aria-labelledby="sweeps">
      <h2 id="sweeps">Sweeps</h2>
      <Folded of={sweepsTable} rows={reports} />
      {timelines.length > 0 && (
        <>
          <h3>Step by step</h3>
          <Legend />
          {timelines.slice(0, mostDrawn).map(({ report, timeline }, index) => (
            <details open={index === 0}>
              <summary>
                {minuteOf(report.run.startedAt)} {report.cluster.name}:{' '}
                {describeSidecars(report.totals, number)}
              </summary>
              <Lanes timeline={timeline} />
            </details>
          ))}
          {timelines.length > mostDrawn && (
            <p class="soft">
              {many(timelines.length - mostDrawn, 'earlier sweep')} acted as well and are not drawn.
            </p>
          )}
        </>
      )}
    </section>
  );
}

/** Which pods sweeps did not touch, and what they warned of. */
export function LeftAlone({ reports }: { readonly reports: readonly PageReport[] }): JSX.Element | null {
  const last = lastOfEach(reports);
  const reasons = last.flatMap((report) =>
    Object.entries(report.totals.excludedBecause).map(([reason, pods]) => ({ report, reason, pods })),
  );
  const noted = last
    .map((report) => ({ report, notes: notesOf(report) }))
    .filter(({ notes }) => notes.length > 0);
  if (reasons.length + noted.length === 0) return null;
  return (
    <section aria-labelledby="left-alone">
      <h2 id="left-alone">Left alone</h2>
      {reasons.length > 0 && <Table of={leftAloneTable} rows={reasons} />}
      {noted.map(({ report, notes }) => (
        <>
          <h3>What the last sweep of {report.cluster.name} noted</h3>
          <ul>{notes}</ul>
        </>
      ))}
    </section>
  );
}

/** What could not be read or judged, and the warnings. */
function notesOf({ unread, undecided, warnings }: SweepReport): readonly JSX.Element[] {
  return [
    ...unread.map(({ namespace = 'all namespaces', message }) => (
      <li>
        cannot list pods in {namespace}: {message}
      </li>
    )),
    ...undecided.map(({ namespace, name, problem }) => (
      <li>
        <Said word={{ outcome: 'Undecided' }} text="undecided" />: <Name of={{ namespace, name }} />:{' '}
        {problem}
      </li>
    )),
    ...warnings.map((warning) => (
      <li>
        <Prose text={describeWarning(warning)} />
      </li>
    )),
  ];
}

/** `3 Blocked, 2 Stopped`: each word is linked to what it means, and stays on the line of its number. */
function Counted({
  counts,
  of,
  parts = {},
}: {
  readonly counts: Counts;
  /** The outcome whose reasons are counted; without it, outcomes are. */
  readonly of?: string;
  /** The reasons of an outcome. */
  readonly parts?: Readonly<Record<string, Counts>>;
}): JSX.Element {
  return (
    <>
      {Object.entries(counts).map(([kind, times], index) => {
        const reasons = parts[kind];
        const word = of === undefined ? { outcome: kind } : { outcome: of, reason: kind };
        return (
          <>
            {index > 0 && ', '}
            {number(times)}
            {'\u00a0'}
            <Said word={word} text={kind} />
            {reasons && (
              <>
                {' '}
                (<Counted counts={reasons} of={kind} />)
              </>
            )}
          </>
        );
      })}
    </>
  );
}
