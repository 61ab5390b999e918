import type { JSX } from 'preact';
import type { HangingPodReport } from '../../schema.ts';
import { describeHang, describeRemark } from '../../texts/reasons.ts';
import { elapsed } from '../../times.ts';
import { lastOfEach, type PageReport } from '../page-report.ts';
import { Table, type TableOf } from '../table.tsx';
import { Name } from './name.tsx';
import { Said } from './word.tsx';

interface Hanging {
  readonly report: PageReport;
  readonly pod: HangingPodReport;
}

export const hangingTable: TableOf<Hanging> = {
  id: 'hanging-table',
  caption: 'Pods that hang for a reason that a sweep does not cure',
  columns: [
    {
      title: 'Pod',
      width: '3fr',
      cell: ({ report, pod: { namespace, name, owner } }) => (
        <>
          <Name of={{ namespace, name }} />
          <small>{[...(owner ? [`${owner.kind} ${owner.name}`] : []), report.cluster.name].join(', ')}</small>
        </>
      ),
    },
    {
      title: 'For',
      width: '6rem',
      numeric: true,
      cell: ({ report: { run }, pod: { since } }) => elapsed(since, run.asOf),
      value: ({ report: { run }, pod: { since } }) =>
        Date.parse(run.asOf ?? run.startedAt) - Date.parse(since),
    },
    {
      title: 'Why',
      width: '5fr',
      cell: ({ pod: { hang, remarks } }) => [
        <Said word={{ outcome: 'Hanging', reason: hang.kind }} text={describeHang(hang)} />,
        ...remarks.map((one) => <span class="line">{describeRemark(one)}</span>),
      ],
    },
  ],
};

/** What no sweep cures. */
export function HangingOtherwise({
  reports,
}: {
  readonly reports: readonly PageReport[];
}): JSX.Element | null {
  const rows = lastOfEach(reports).flatMap((report) => report.hanging.map((pod) => ({ report, pod })));
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="hanging">
      <h2 id="hanging">Hanging otherwise</h2>
      <p>
        The last sweep of each cluster found these as well, and sent nothing: no sidecar keeps them from
        ending.
      </p>
      <Table of={hangingTable} rows={rows} />
    </section>
  );
}
