import type { JSX } from 'preact';
import type { Resources } from '../../model/pod.ts';
import { elapsed, hasNone, many, minuteOf, number } from '../format.ts';
import type { History, Usage } from '../history/schema.ts';
import { wordOf } from '../records/fields.ts';
import type { HangingPodReport, PodReport } from '../schema.ts';
import { describeContainer, describeHarm, describeJob, describePod } from '../texts/outcomes.ts';
import { describeHang, describeRemark } from '../texts/reasons.ts';
import { Said } from './glossary.tsx';
import { gib } from './summary.tsx';
import {
  type Column,
  Folded,
  lastOfEach,
  Name,
  type PageReport,
  Prose,
  Table,
  type TableOf,
} from './table.tsx';

/** A pod, in the last report that has it. */
interface InReport<Pod> {
  readonly pod: Pod;
  readonly report: PageReport;
}

const wasted: Column<{ readonly wasted: Usage }> = {
  title: 'Wasted',
  width: '8.5rem',
  numeric: true,
  cell: ({ wasted: { cpuHours, gibHours } }) => (
    <>
      {many(cpuHours, 'core-hour')}
      <small>{many(gibHours, 'GiB-hour')}</small>
    </>
  ),
  value: ({ wasted }) => wasted.cpuHours,
};

const holds: Column<{ readonly requests: Resources }> = {
  title: 'Holds',
  width: '6rem',
  numeric: true,
  cell: ({ requests }) =>
    hasNone(requests) ? (
      'no requests'
    ) : (
      <>
        {many(requests.cpu, 'core')}
        <small>{number(requests.memory / gib)} GiB</small>
      </>
    ),
  value: ({ requests }) => requests.cpu,
};

const reasonsTable: TableOf<History['reasons'][number]> = {
  id: 'why',
  caption: 'Why pods are still stuck, and what to do',
  columns: [
    { title: 'Pods', width: '4rem', numeric: true, cell: ({ pods }) => number(pods) },
    { title: 'Why', width: '2fr', cell: (why) => <Said word={why} text={why.words} /> },
    {
      title: 'What to do',
      width: '3fr',
      cell: ({ advice = 'see the explanation' }) => <Prose text={advice} />,
    },
    { title: 'Since', width: '9rem', cell: ({ since }) => minuteOf(since) },
    wasted,
  ],
};

const stuckTable: TableOf<History['stuck'][number]> = {
  id: 'stuck',
  caption: 'Pods that are stuck now, the most wasteful first',
  columns: [
    podColumn(({ cluster, owner, ...pod }) => ({ pod, owner, cluster })),
    {
      title: 'Stuck for',
      width: '6rem',
      numeric: true,
      cell: ({ mainsEndedAt, lastSeenAt }) => elapsed(mainsEndedAt, lastSeenAt),
      value: ({ mainsEndedAt, lastSeenAt }) => Date.parse(lastSeenAt) - Date.parse(mainsEndedAt),
    },
    {
      title: 'On',
      width: '2.7fr',
      cell: ({ sidecars }) =>
        sidecars.map(({ name, image }) => (
          <span class="line">
            {name}
            <small>{image}</small>
          </span>
        )),
    },
    { title: 'Why', width: '2.7fr', cell: ({ why }) => <Said word={why} text={why.words} /> },
    {
      title: 'Found',
      width: '5rem',
      numeric: true,
      cell: ({ sweeps }) => `${number(sweeps)} ×`,
      value: ({ sweeps }) => sweeps,
    },
    holds,
    wasted,
  ],
};

const podsTable: TableOf<InReport<PodReport>> = {
  id: 'pods-table',
  caption: 'Every pod that a sweep found stuck, as its last sweep left it',
  columns: [
    podColumn(({ pod, report }) => ({ pod, owner: pod.owner, cluster: report.cluster.name })),
    ageColumn('Stuck for', ({ pod }) => pod.mainsEndedAt),
    {
      title: 'Sidecars',
      width: '4fr',
      cell: ({ pod }) =>
        pod.containers.map(
          (one) =>
            one.role === 'Sidecar' && (
              <span class="line">
                {one.name}: <Said word={wordOf(one.outcome)} text={describeContainer(one.outcome)} />
              </span>
            ),
        ),
    },
    {
      title: 'Pod now',
      width: '2fr',
      cell: ({ pod: { outcome } }) => <Said word={wordOf(outcome)} text={describePod(outcome)} />,
    },
    { title: 'Job', width: '1fr', cell: ({ pod }) => jobOf(pod) },
    {
      title: 'Cores',
      width: '4rem',
      numeric: true,
      cell: ({ pod }) => number(pod.requests.cpu),
      value: ({ pod }) => pod.requests.cpu,
    },
    {
      title: 'GiB',
      width: '4rem',
      numeric: true,
      cell: ({ pod }) => number(pod.requests.memory / gib),
      value: ({ pod }) => pod.requests.memory,
    },
  ],
};

const hangingTable: TableOf<InReport<HangingPodReport>> = {
  id: 'hanging-table',
  caption: 'Pods that hang for a reason that a sweep does not cure',
  columns: [
    podColumn(({ pod, report }) => ({ pod, owner: pod.owner, cluster: report.cluster.name })),
    ageColumn('For', ({ pod }) => pod.since),
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

export const podTables = [reasonsTable, stuckTable, podsTable, hangingTable] as const;

/** What is stuck, since when, why, what it wastes and what to do. */
export function Stuck({ history }: { readonly history: History }): JSX.Element | null {
  const { stuck, reasons, leftOut } = history;
  if (stuck.length === 0) return null;
  return (
    <section aria-labelledby="stuck-now">
      <h2 id="stuck-now">Stuck now</h2>
      <Table of={reasonsTable} rows={reasons} />
      <Folded of={stuckTable} rows={stuck} more={leftOut['stuck']} />
    </section>
  );
}

/** @param reports The last one first. */
export function Pods({ reports }: { readonly reports: readonly PageReport[] }): JSX.Element | null {
  const pods = new Map<string, InReport<PodReport>>();
  for (const report of reports) {
    for (const pod of report.pods) {
      const key = `${report.cluster.id} ${pod.uid}`;
      if (!pods.has(key)) pods.set(key, { pod, report });
    }
  }
  if (pods.size === 0) return null;
  return (
    <section aria-labelledby="pods">
      <h2 id="pods">Pods</h2>
      <Table of={podsTable} rows={[...pods.values()]} />
    </section>
  );
}

export function Hanging({ reports }: { readonly reports: readonly PageReport[] }): JSX.Element | null {
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

function podColumn<Row>(
  read: (row: Row) => {
    readonly pod: { readonly namespace: string; readonly name: string };
    readonly owner: PodReport['owner'];
    readonly cluster: string;
  },
): Column<Row> {
  return {
    title: 'Pod',
    width: '3fr',
    cell: (row) => {
      const { pod, owner, cluster } = read(row);
      return (
        <>
          <Name of={pod} />
          <small>
            {owner && `${owner.kind} ${owner.name}, `}
            {cluster}
          </small>
        </>
      );
    },
  };
}

/** How long it had been when the sweep judged the pod. */
function ageColumn<Pod>(title: string, since: (row: InReport<Pod>) => string): Column<InReport<Pod>> {
  return {
    title,
    width: '6rem',
    numeric: true,
    cell: (row) => elapsed(since(row), row.report.run.asOf),
    value: (row) => Date.parse(row.report.run.asOf ?? row.report.run.startedAt) - Date.parse(since(row)),
  };
}

function jobOf({ outcome, harm }: PodReport): JSX.Element | string {
  const job = 'job' in outcome ? describeJob(outcome.job) : '';
  if (!harm) return job;
  return (
    <Said word={{ outcome: 'Harm', reason: harm.kind }} text={`harm: ${job || describeHarm(harm.kind)}`} />
  );
}
