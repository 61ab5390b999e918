import type { JSX } from 'preact';
import type { History } from '../history/schema.ts';
import type { PageReport } from './page-report.ts';
import { Glossary } from './parts/glossary.tsx';
import { HangingOtherwise, hangingTable } from './parts/hanging.tsx';
import { excludedTable, LeftAlone, leftAloneTable } from './parts/left-alone.tsx';
import { Pods, podsTable } from './parts/pods.tsx';
import { reasonsTable, Stuck, stuckTable } from './parts/stuck.tsx';
import { Summary } from './parts/summary.tsx';
import { Sweeps, sweepsTable } from './parts/sweeps.tsx';
import { Trend, trendTable } from './parts/trend.tsx';
import {
  clustersTable,
  imagesTable,
  namespacesTable,
  ownersTable,
  recurringTable,
  Where,
} from './parts/where.tsx';
import { stylesOf } from './table.tsx';
import type { Chart } from './trend.ts';

/** What the page is made of. */
export interface Content {
  readonly history: History;
  /** The last one first. */
  readonly reports: readonly PageReport[];
  readonly charts: readonly Chart[];
}

/** The rules of the stylesheet for all tables of the page. */
export const tableStyles: string = [
  stylesOf(reasonsTable),
  stylesOf(stuckTable),
  stylesOf(trendTable),
  stylesOf(sweepsTable),
  stylesOf(recurringTable),
  stylesOf(ownersTable),
  stylesOf(namespacesTable),
  stylesOf(clustersTable),
  stylesOf(imagesTable),
  stylesOf(podsTable),
  stylesOf(hangingTable),
  stylesOf(leftAloneTable),
  stylesOf(excludedTable),
].join('');

/** The body of the page, from what matters most to what the words mean. */
export function Page({ history, reports, charts }: Content): JSX.Element {
  return (
    <main>
      <Summary history={history} />
      <Stuck history={history} />
      <Trend history={history} charts={charts} />
      <Sweeps reports={reports} />
      <Where history={history} />
      <Pods reports={reports} />
      <HangingOtherwise reports={reports} />
      <LeftAlone reports={reports} />
      <Glossary />
    </main>
  );
}
