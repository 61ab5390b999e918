import type { JSX } from 'preact';
import { number } from '../../amounts.ts';
import type { SweepReport } from '../../schema.ts';
import { describeExclusion, describeRemark } from '../../texts/reasons.ts';
import { describeWarning } from '../../texts/warnings.ts';
import { lastOfEach, type PageReport } from '../page-report.ts';
import { Table, type TableOf } from '../table.tsx';
import { Name } from './name.tsx';
import { Prose } from './prose.tsx';
import { Said } from './word.tsx';

interface Reason {
  readonly report: PageReport;
  readonly reason: string;
  readonly pods: number;
}

interface ExcludedPod {
  readonly report: PageReport;
  readonly pod: NonNullable<SweepReport['excluded']>[number];
}

export const leftAloneTable: TableOf<Reason> = {
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

export const excludedTable: TableOf<ExcludedPod> = {
  id: 'excluded',
  caption: 'These pods, each with its reasons',
  columns: [
    {
      title: 'Pod',
      width: '2fr',
      cell: ({ report, pod }) => (
        <>
          <Name of={pod} />
          <small>{report.cluster.name}</small>
        </>
      ),
    },
    {
      title: 'Reasons',
      width: '3fr',
      cell: ({ pod: { because, remarks } }) => [
        ...because.map((one) => (
          <span class="line">
            <Said word={{ outcome: 'Excluded', reason: one.kind }} text={one.kind} />:{' '}
            {describeExclusion(one)}
          </span>
        )),
        ...remarks.map((one) => <span class="line">{describeRemark(one)}</span>),
      ],
    },
  ],
};

/** What sweeps did not touch, and what they warned of. */
export function LeftAlone({ reports }: { readonly reports: readonly PageReport[] }): JSX.Element | null {
  const last = lastOfEach(reports);
  const reasons = last.flatMap((report) =>
    Object.entries(report.totals.excludedBecause).map(([reason, pods]) => ({ report, reason, pods })),
  );
  const excluded = last.flatMap((report) => (report.excluded ?? []).map((pod) => ({ report, pod })));
  const noted = last.filter((report) => notesOf(report).length > 0);
  if (reasons.length + noted.length === 0) return null;
  return (
    <section aria-labelledby="left-alone">
      <h2 id="left-alone">Left alone</h2>
      {reasons.length > 0 && <Table of={leftAloneTable} rows={reasons} />}
      {excluded.length > 0 && (
        <details>
          <summary>Each of these pods</summary>
          <Table of={excludedTable} rows={excluded} />
        </details>
      )}
      {noted.map((report) => (
        <>
          <h3>What the last sweep of {report.cluster.name} noted</h3>
          <ul>{notesOf(report)}</ul>
        </>
      ))}
    </section>
  );
}

/** What could not be read or judged, and what the sweep warned of. */
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
