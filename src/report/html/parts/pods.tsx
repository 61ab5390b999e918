import type { JSX } from 'preact';
import { number } from '../../amounts.ts';
import type { PodReport } from '../../schema.ts';
import { describeContainer, describeHarm, describeJob, describePod } from '../../texts/outcomes.ts';
import { elapsed } from '../../times.ts';
import { gib } from '../amounts.ts';
import type { PageReport } from '../page-report.ts';
import { Table, type TableOf } from '../table.tsx';
import { wordOf } from '../word.ts';
import { Name } from './name.tsx';
import { Said } from './word.tsx';

/** A pod, as the last sweep that found it stuck left it. */
interface SweptPod {
  readonly pod: PodReport;
  readonly report: PageReport;
}

export const podsTable: TableOf<SweptPod> = {
  id: 'pods-table',
  caption: 'Every pod that a sweep found stuck, as its last sweep left it',
  columns: [
    {
      title: 'Pod',
      width: '3fr',
      cell: ({ pod: { namespace, name, owner }, report }) => (
        <>
          <Name of={{ namespace, name }} />
          <small>
            {owner && `${owner.kind} ${owner.name}, `}
            {report.cluster.name}
          </small>
        </>
      ),
    },
    {
      title: 'Stuck for',
      width: '6rem',
      numeric: true,
      cell: ({ pod, report }) => elapsed(pod.mainsEndedAt, report.run.asOf),
      value: ({ pod, report }) =>
        Date.parse(report.run.asOf ?? report.run.startedAt) - Date.parse(pod.mainsEndedAt),
    },
    { title: 'Sidecars', width: '4fr', cell: ({ pod }) => sidecarsOf(pod) },
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

export function Pods({ reports }: { readonly reports: readonly PageReport[] }): JSX.Element | null {
  const rows = lastOfEach(reports);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="pods">
      <h2 id="pods">Pods</h2>
      <Table of={podsTable} rows={rows} />
    </section>
  );
}

/** The reports come with the last one first. */
function lastOfEach(reports: readonly PageReport[]): readonly SweptPod[] {
  const pods = new Map<string, SweptPod>();
  for (const report of reports) {
    for (const pod of report.pods) {
      const key = `${report.cluster.id} ${pod.uid}`;
      if (!pods.has(key)) pods.set(key, { pod, report });
    }
  }
  return [...pods.values()];
}

function sidecarsOf({ containers }: PodReport): JSX.Element[] {
  return containers.flatMap((one) =>
    one.role === 'Sidecar'
      ? [
          <span class="line">
            {one.name}: <Said word={wordOf(one.outcome)} text={describeContainer(one.outcome)} />
          </span>,
        ]
      : [],
  );
}

function jobOf({ outcome, harm }: PodReport): JSX.Element | string {
  const job = 'job' in outcome ? describeJob(outcome.job) : '';
  if (!harm) return job;
  return (
    <Said word={{ outcome: 'Harm', reason: harm.kind }} text={`harm: ${job || describeHarm(harm.kind)}`} />
  );
}
