import { createHash } from 'node:crypto';
import { renderToString } from 'preact-render-to-string';
import { printable } from '../../util/text.ts';
import type { History } from '../history/schema.ts';
import { sweptIn } from '../history/sweeps.ts';
import { tablesOf } from '../history/view.ts';
import type { SweepReport } from '../schema.ts';
import { script, style } from './assets.ts';
import { notesOf, podsTable } from './lists.ts';
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
