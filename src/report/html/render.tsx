import type { JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { printable } from '../../util/text.ts';
import type { History } from '../history/schema.ts';
import { type HistoryView, type Section, viewOf } from '../history/view.ts';
import type { SweepReport } from '../schema.ts';
import { script, style } from './assets.ts';
import { Glossary } from './glossary.tsx';
import { Hanging, Pods, podTables, Stuck } from './pods.tsx';
import { Summary } from './summary.tsx';
import { LeftAlone, Sweeps, sweepTables } from './sweeps.tsx';
import { cssOf, Folded, type PageReport, pageReports, type TableOf, tableOf } from './table.tsx';
import { Trend } from './trend.tsx';

/** One file that needs neither the network nor scripts, except to sort and filter. */
export async function renderHtml(history: History, reports: readonly SweepReport[]): Promise<string> {
  const cleaned = clean(history);
  const view = viewOf(cleaned, Infinity);
  const fromView = view.sections.filter(({ id }) => id === 'trend' || groupIds.includes(id)).map(tableOf);
  const tables = [...podTables, ...sweepTables, ...fromView] as readonly TableOf<never>[];
  const rules = style + tables.map(cssOf).join('');
  const policy = [
    "default-src 'none'",
    `style-src '${await hashOf(rules)}'`,
    `script-src '${await hashOf(script)}'`,
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
${renderToString(<Page history={cleaned} view={view} reports={pageReports(clean(reports))} />)}
<script>${script}</script>
</body>
</html>
`;
}

/** The body, from what matters most to what the words mean. */
function Page({
  history,
  view,
  reports,
}: {
  readonly history: History;
  readonly view: HistoryView;
  readonly reports: readonly PageReport[];
}): JSX.Element {
  const { caveats, sections } = view;
  return (
    <main>
      <Summary history={history} caveats={caveats} />
      <Stuck history={history} />
      <Trend history={history} section={sections.find(({ id }) => id === 'trend')} />
      <Sweeps reports={reports} />
      <Groups sections={sections} />
      <Pods reports={reports} />
      <Hanging reports={reports} />
      <LeftAlone reports={reports} />
      <Glossary />
    </main>
  );
}

const groupIds: readonly Section['id'][] = ['owners', 'namespaces', 'clusters', 'images'];

/** Where pods get stuck, and how to prevent it. */
function Groups({ sections }: Pick<HistoryView, 'sections'>): JSX.Element | null {
  const groups = groupIds.flatMap((id) => sections.filter((section) => section.id === id));
  if (groups.length === 0) return null;
  return (
    <section aria-labelledby="never-again">
      <h2 id="never-again">So that it does not happen again</h2>
      <p>
        <code>sidecar-sweeper advise</code> prints the cure for each owner as something to apply: most often
        its sidecar becomes a native one, which the kubelet ends by itself.
      </p>
      {groups.map((section) => (
        <Folded of={tableOf(section)} rows={section.rows} more={section.more} />
      ))}
    </section>
  );
}

/** A value with all its texts and keys made printable: names and messages are untrusted input. */
export function clean<T>(value: T): T;
export function clean(value: unknown): unknown {
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value)) return value.map((one) => clean(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [printable(key), clean(one)]));
}

/** The hash of a script or style that the Content-Security-Policy allows. */
async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}`;
}
