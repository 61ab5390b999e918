import { createHash } from 'node:crypto';
import { renderToString } from 'preact-render-to-string';
import { groupsOf } from '../../util/groups.ts';
import { printable } from '../../util/text.ts';
import { elapsed } from '../format.ts';
import { notesOnFound, notesOnLeft } from '../found.ts';
import type { History } from '../history/schema.ts';
import { type Swept, sweptIn } from '../history/sweeps.ts';
import { inShort, type TitledTable, tablesOf } from '../history/view.ts';
import type { SweepReport } from '../schema.ts';
import { mergeTotals } from '../sweep/merge.ts';
import { hasFailed, sidecarsOf } from '../sweep/planned.ts';
import { describeContainer, describeEnd, describeHarm } from '../texts/outcomes.ts';
import { amount, table } from '../view.ts';
import { script, style } from './assets.ts';
import { Summary } from './summary.tsx';
import { cssOf, Folded, Items, Table, withoutZeros } from './table.tsx';
import { Timelines, timelinesOf } from './timeline.tsx';
import { Charts } from './trend.tsx';

/** One file that needs neither the network nor scripts, except to sort and filter. */
export function renderHtml(history: History, reports: readonly SweepReport[]): string {
  const cleaned = clean(history);
  const page = sweptIn(clean(reports)).toReversed();
  const tables = [...tablesOf(cleaned, Infinity), podsTable(page)].map(withoutZeros);
  const find = (...ids: readonly string[]) =>
    tables.filter(({ id, rows }) => ids.includes(id) && rows.length > 0);
  const folded = (...ids: readonly string[]) => find(...ids).map((table) => <Folded of={table} />);
  const timelines = timelinesOf(page);
  const notes = notesOf(page);
  const owners = folded('owners', 'namespaces', 'clusters');
  const sections = [
    {
      id: 'why',
      title: 'What kept pods running',
      body: find('groups').map((table) => [<Table of={table} />, <Items texts={table.notes ?? []} />]),
    },
    { id: 'steps', title: 'Step by step', body: timelines.length > 0 ? [<Timelines all={timelines} />] : [] },
    { id: 'stuck-now', title: 'Stuck now', body: folded('stuck') },
    {
      id: 'noted',
      title: 'What else the last sweeps found',
      body: notes.length > 0 ? [<Items texts={notes} />] : [],
    },
    {
      id: 'over-time',
      title: 'Over time',
      body: find('trend').map((table) => [<Charts history={cleaned} />, <Folded of={table} />]),
    },
    {
      id: 'never-again',
      title: 'So that it does not happen again',
      body: owners.length > 0 ? [cure, ...owners] : [],
    },
    { id: 'pods', title: 'Every pod', body: folded('pods-table') },
  ].filter(({ body }) => body.length > 0);
  const rules = style + tables.map(cssOf).join('');
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(rules)}'`,
    `script-src '${hashOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Sidecar sweeper report</title>
<style>${rules}</style>
</head>
<body>
${renderToString(
  <main>
    <Summary history={cleaned} harm={find('harm')[0]} />
    <nav aria-label="Contents">
      {sections.map(({ id, title }) => (
        <a href={`#${id}`}>{title}</a>
      ))}
    </nav>
    {sections.map(({ id, title, body }) => (
      <section aria-labelledby={id}>
        <h2 id={id}>{title}</h2>
        {body}
      </section>
    ))}
  </main>,
)}
<script>${script}</script>
</body>
</html>
`;
}

const cure = (
  <p>
    <code>sidecar-sweeper advise</code> prints the cure for each owner as something to apply: most often its
    sidecar becomes a native one, which the kubelet ends by itself.
  </p>
);

/** A value with all its texts and keys made printable: names and messages are untrusted input. */
export function clean<T>(value: T): T;
export function clean(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return value.map((one) => clean(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [printable(key), clean(one)]));
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** The last sweep of each cluster: its report, or one for each of its shards. @param swept The last one first. */
export function lastOfEach(swept: readonly Swept[]): readonly (readonly Swept[])[] {
  return groupsOf(swept, ({ cluster }) => cluster.id).map((own) => {
    const shardOf = ({ report }: Swept) => report.scope.shard;
    const alike = own.filter((one) => shardOf(one)?.of === shardOf(own[0])?.of);
    return groupsOf(alike, (one) => `${shardOf(one)?.index}`).map(([last]) => last);
  });
}

function podsTable(swept: readonly Swept[]): TitledTable {
  const all = swept.flatMap(({ cluster, report }) => report.pods.map((pod) => ({ pod, cluster, report })));
  const last = groupsOf(all, ({ pod, cluster }) => `${cluster.id} ${pod.uid}`).map(([first]) => first);
  return {
    id: 'pods-table',
    title: 'Every pod that a sweep found stuck, as its last sweep left it',
    ...table(last, [
      { title: 'CLUSTER', of: ({ cluster }) => cluster.name },
      { title: 'POD', of: ({ pod }) => `${pod.namespace}/${pod.name}` },
      { title: 'OWNER', of: ({ pod: { owner } }) => (owner ? `${owner.kind} ${owner.name}` : '') },
      {
        title: 'STUCK FOR',
        isNumber: true,
        of: ({ pod, report }) => elapsed(pod.mainsEndedAt, report.asOf),
      },
      {
        title: 'SIDECARS',
        of: ({ pod }) =>
          sidecarsOf(pod)
            .map(({ name, outcome }) => `${name}: ${inShort(describeContainer(outcome))}`)
            .join('\n'),
      },
      {
        title: 'POD NOW',
        of: ({ pod }) =>
          `${describeEnd(pod.outcome, hasFailed(pod))}${pod.harm ? `, harm: ${describeHarm(pod.harm)}` : ''}`,
      },
      amount('CORES', ({ pod }) => pod.requests.cpu),
      amount('GIB', ({ pod }) => pod.requests.memory / 2 ** 30),
    ]),
  };
}

/** Notes on the last sweep of each cluster, in the words of a terminal. */
function notesOf(swept: readonly Swept[]): readonly string[] {
  const clusters = lastOfEach(swept);
  return clusters.flatMap((shards) => {
    const found = shards.flatMap(({ report }) => [
      ...report.unread.map(({ message }) => message),
      ...notesOnFound(report, { wide: false }),
    ]);
    const totals = mergeTotals(shards.map(({ report }) => report.totals));
    const notes = [...new Set(found), ...notesOnLeft({ totals }, 'explain NAMESPACE/POD says why')];
    const place = clusters.length > 1 ? `${shards[0]?.cluster.name}: ` : '';
    // A page has no flags.
    return notes.map((note) => place + note.replace(/ \(-o wide\)$/, ''));
  });
}
