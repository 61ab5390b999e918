import type { ComponentChildren, JSX } from 'preact';
import { many, minuteOf, number } from '../../amounts.ts';
import { describeCounts } from '../../counts.ts';
import type { History, Usage } from '../../history/schema.ts';
import { unknownWaste } from '../../history/summary.ts';
import { elapsed } from '../../times.ts';
import { resources } from '../amounts.ts';

/** So many names of clusters are read at a glance. */
const mostNames = 4;

/** The answer in one sentence, then the figures. */
export function Summary({ history }: { readonly history: History }): JSX.Element {
  const { totals, clusters, period, read } = history;
  const names =
    clusters.length > mostNames
      ? many(clusters.length, 'cluster')
      : clusters.map(({ name }) => name).join(', ');
  return (
    <header>
      <p class="eyebrow">
        Sidecar sweeper{names === '' ? '' : ` · ${names}`} · {many(read.sweeps, 'sweep')}
      </p>
      <h1>{headline(history)}</h1>
      {period && (
        <p class="soft">
          {minutes(period)} UTC{apart(read)}
        </p>
      )}
      <dl class="figures">
        <Figure title="Stuck now" value={number(totals.stuck)}>
          {totals.stuck > 0 ? `holding ${resources(totals.reserved)}` : 'nothing is held'}
        </Figure>
        <Figure title="Ended by sweeps" value={number(totals.ended)}>
          of {many(totals.pods, 'stuck pod')}; {number(totals.gone)} ended otherwise
        </Figure>
        <Spent title="Wasted" usage={totals.wasted} />
        <Spent title="Reclaimed" usage={totals.reclaimed} />
        <Figure title="Harm done" value={number(sum(totals.harm))}>
          {sum(totals.harm) === 0 ? 'no finished work runs again' : describeCounts(totals.harm, number)}
        </Figure>
      </dl>
      {totals.withoutRequests > 0 && <p class="soft">{unknownWaste(totals)}</p>}
    </header>
  );
}

function minutes({ from, to }: NonNullable<History['period']>): string {
  return [...new Set([from, to].map(minuteOf))].join(' to ');
}

function headline({ read, totals, stuck }: History): string {
  if (read.reports === 0 && read.dryRuns > 0) return 'Dry runs only: nothing was sent';
  if (totals.pods === 0) return 'No pod was stuck';
  if (totals.stuck === 0) return `No pod is stuck any more: ${many(totals.ended, 'pod')} ended by sweeps`;
  const oldest = [...stuck].sort((a, b) => (a.mainsEndedAt < b.mainsEndedAt ? -1 : 1))[0];
  const age = oldest ? `, the longest for ${elapsed(oldest.mainsEndedAt, oldest.lastSeenAt)}` : '';
  return `${many(totals.stuck, 'pod')} ${totals.stuck === 1 ? 'is' : 'are'} stuck${age}`;
}

/** What was read and does not count as a sweep that did its work. */
function apart({ dryRuns, stoppedEarly, unread, braked, truncated, unreadable }: History['read']): string {
  const parts = [
    [dryRuns, 'dry run'],
    [stoppedEarly, 'sweep stopped early', 'sweeps stopped early'],
    [unread, 'could not read everything'],
    [braked, 'sent nothing, because the plan was for too many pods'],
    [truncated, 'cut line'],
    [unreadable.reduce((sum, { reports }) => sum + reports, 0), 'unreadable report', 'unreadable reports'],
  ] as const;
  return parts
    .flatMap(([number, one, more]) => {
      if (number === 0) return [];
      const noun =
        number === 1 ? one : (more ?? (one.endsWith('run') || one.endsWith('line') ? `${one}s` : one));
      return [`; ${number} ${noun}`];
    })
    .join('');
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

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, one) => total + one, 0);
}
