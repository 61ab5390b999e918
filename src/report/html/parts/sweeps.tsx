import type { JSX } from 'preact';
import { formatDuration } from '../../../duration.ts';
import { many, minuteOf, number } from '../../amounts.ts';
import { describeSidecars } from '../../counts.ts';
import type { SweepReport } from '../../schema.ts';
import type { PageReport } from '../page-report.ts';
import type { TableOf } from '../table.tsx';
import { hasActed, timelineOf } from '../timeline.ts';
import { Counted } from './counted.tsx';
import { Lanes, Legend } from './lanes.tsx';
import { Listed } from './listed.tsx';

export const sweepsTable: TableOf<PageReport> = {
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
    { title: 'Sidecars', width: '3fr', cell: ({ totals }) => <Sidecars totals={totals} /> },
    { title: 'Harm', width: '1fr', cell: ({ totals }) => <Counted counts={totals.harm} of="Harm" /> },
    { title: 'Notes', width: '1fr', cell: notes },
  ],
};

/** So many sweeps are drawn, and of each so many sidecars. */
const drawn = 10;
const lanes = 25;

/** What was done, sweep by sweep. */
export function Sweeps({ reports }: { readonly reports: readonly PageReport[] }): JSX.Element {
  const acted = reports.filter(hasActed);
  return (
    <section aria-labelledby="sweeps">
      <h2 id="sweeps">Sweeps</h2>
      <Listed of={sweepsTable} rows={reports} />
      {acted.length > 0 && (
        <>
          <h3>Step by step</h3>
          <Legend />
          {acted.slice(0, drawn).map((report, index) => (
            <details open={index === 0}>
              <summary>
                {minuteOf(report.run.startedAt)} {report.cluster.name}:{' '}
                {describeSidecars(report.totals, number)}
              </summary>
              <Lanes timeline={timelineOf(report, lanes)} />
            </details>
          ))}
          {acted.length > drawn && (
            <p class="soft">{many(acted.length - drawn, 'earlier sweep')} acted as well and are not drawn.</p>
          )}
        </>
      )}
    </section>
  );
}

function Sidecars({ totals }: Pick<SweepReport, 'totals'>): JSX.Element {
  return <Counted counts={totals.sidecars} parts={{ StillRunning: totals.stillRunning }} />;
}

function notes({ run, unread, warnings }: SweepReport): string {
  return [
    ...(run.dryRun ? ['dry run'] : []),
    ...(run.stoppedEarly ? [`stopped early: ${run.stoppedEarly}`] : []),
    ...(unread.length > 0 ? [`${many(unread.length, 'part')} unread`] : []),
    ...(warnings.length > 0 ? [many(warnings.length, 'warning')] : []),
  ].join(', ');
}
