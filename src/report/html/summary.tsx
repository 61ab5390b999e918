import type { ComponentChildren, JSX } from 'preact';
import { describeCounts } from '../counts.ts';
import { elapsed, many, minuteOf, number } from '../format.ts';
import type { History, Usage } from '../history/schema.ts';
import { describeUnknownWaste, type HistoryView } from '../history/view.ts';

/** More clusters than this are counted, not named. */
const mostNames = 4;

export const gib = 2 ** 30;

/** The answer in one sentence, then the figures. */
export function Summary({
  history,
  caveats,
}: Pick<HistoryView, 'caveats'> & { readonly history: History }): JSX.Element {
  const { totals, clusters, period, read } = history;
  const { reserved, withoutRequests } = totals;
  const names =
    clusters.length > mostNames
      ? many(clusters.length, 'cluster')
      : clusters.map(({ name }) => name).join(', ');
  const minutes = period && [...new Set([period.from, period.to].map(minuteOf))].join(' to ');
  const harm = Object.values(totals.harm).reduce((sum, pods) => sum + pods, 0);
  return (
    <header>
      <p class="eyebrow">
        Sidecar sweeper{names === '' ? '' : ` · ${names}`} · {many(read.sweeps, 'sweep')}
      </p>
      <h1>{headline(history)}</h1>
      {minutes && <p class="soft">{minutes} UTC</p>}
      <dl class="figures">
        <Figure title="Stuck now" value={number(totals.stuck)}>
          {totals.stuck > 0
            ? `holding ${many(reserved.cpu, 'core')}, ${number(reserved.memory / gib)} GiB`
            : 'nothing is held'}
        </Figure>
        <Figure title="Ended by sweeps" value={number(totals.ended)}>
          of {many(totals.pods, 'stuck pod')}; {number(totals.gone)} ended otherwise
        </Figure>
        <Spent title="Wasted" usage={totals.wasted} />
        <Spent title="Reclaimed" usage={totals.reclaimed} />
        <Figure title="Harm done" value={number(harm)}>
          {harm === 0 ? 'no finished work runs again' : describeCounts(totals.harm, number)}
        </Figure>
      </dl>
      {withoutRequests > 0 && <p class="soft">{describeUnknownWaste(withoutRequests)}</p>}
      {caveats.length > 0 && <p class="soft">{caveats.join(' ')}</p>}
    </header>
  );
}

function headline({ read, totals, stuck }: History): string {
  if (read.reports === 0 && read.dryRuns > 0) return 'Dry runs only: nothing was sent';
  if (totals.pods === 0) return 'No pod was stuck';
  if (totals.stuck === 0) return `No pod is stuck any more: ${many(totals.ended, 'pod')} ended by sweeps`;
  const oldest = [...stuck].sort((a, b) => (a.mainsEndedAt < b.mainsEndedAt ? -1 : 1))[0];
  const age = oldest ? `, the longest for ${elapsed(oldest.mainsEndedAt, oldest.lastSeenAt)}` : '';
  return `${many(totals.stuck, 'pod')} ${totals.stuck === 1 ? 'is' : 'are'} stuck${age}`;
}

function Spent({ title, usage }: { readonly title: string; readonly usage: Usage }): JSX.Element {
  return (
    <Figure title={title} value={number(usage.cpuHours)} unit="core-hours">
      and {number(usage.gibHours)} GiB-hours
    </Figure>
  );
}

function Figure({
  title,
  value,
  unit,
  children,
}: {
  readonly title: string;
  readonly value: string;
  readonly unit?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <b>{value}</b> {unit !== undefined && <span>{unit}</span>}
        <small>{children}</small>
      </dd>
    </div>
  );
}
