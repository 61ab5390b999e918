import { renderToString } from 'preact-render-to-string';
import type { History } from '../history/schema.ts';
import { byStart } from '../order.ts';
import type { SweepReport } from '../schema.ts';
import { clean } from './clean.ts';
import { Page, tableStyles } from './page.tsx';
import { pageReports } from './page-report.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { chartsOf } from './trend.ts';

/** One file that needs nothing else: no network, and no scripts but to sort and filter. */
export async function renderHtml(history: History, reports: readonly SweepReport[]): Promise<string> {
  const rules = style + tableStyles;
  const policy = [
    "default-src 'none'",
    `style-src '${await hashOf(rules)}'`,
    `script-src '${await hashOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const content = {
    history: clean(history),
    reports: pageReports(clean([...reports].sort(byStart).reverse())),
    charts: chartsOf(history),
  };
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
${renderToString(<Page {...content} />)}
<script>${script}</script>
</body>
</html>
`;
}

/** As a Content-Security-Policy names what it allows. */
async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}`;
}
