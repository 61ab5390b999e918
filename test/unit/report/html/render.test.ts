import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { historyOf } from '../../../../src/history/history.ts';
import { renderHtml } from '../../../../src/report/html/render.tsx';
import type { SweepReport } from '../../../../src/report/schema.ts';
import { hostileReports, sweptReport, sweptReports } from '../../../builders/sweep-reports.ts';

const render = (reports: readonly SweepReport[]) => renderHtml(historyOf(reports), reports);
const some = await render(sweptReports(4, 20));

/** All that stands between these two. */
function between(html: string, open: string, close: string): readonly string[] {
  return html
    .split(open)
    .slice(1)
    .map((part) => part.split(close)[0] ?? '');
}

describe('the file', () => {
  it('answers in its headline', () => {
    expect(some).toContain('<h1>8 pods are stuck, the longest for ');
  });

  it('allows its own script and style, and nothing else', () => {
    const [policy = ''] = between(some, 'http-equiv="Content-Security-Policy" content="', '"');
    const hashOf = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const scripts = between(some, '<script>', '</script>');
    const styles = between(some, '<style>', '</style>');
    expect([scripts.length, styles.length]).toEqual([1, 1]);
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `style-src ${hashOf(styles[0])}`,
      `script-src ${hashOf(scripts[0])}`,
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('has no style and no handler in an element, and asks for nothing', () => {
    expect(some).not.toMatch(/<[^>]* (?:style|on\w+|src)=/);
    expect(some).not.toMatch(/<(?:link|img|iframe|object|embed|form)\b/);
    expect(between(some, ' href="', '"').filter((href) => !href.startsWith('#'))).toEqual([]);
  });

  it('links every word to what it means, in the file itself', () => {
    const ids = between(some, ' id="', '"');
    expect(ids).toEqual([...new Set(ids)]);
    const links = between(some, ' href="#', '"');
    expect(links).toContain('means-Excluded-MainRunning');
    expect(links).toContain('means-Held-NobodyGoesFirst');
    expect(links.filter((link) => !ids.includes(link))).toEqual([]);
  });

  it('tells the pods that hang for other reasons, each with its reason', () => {
    const [rows = ''] = between(some, 'id="hanging-table"', '</table>');
    expect(rows).toMatch(/etl\/<\/span>load-3/);
    expect(rows).toContain('1h30m');
    expect(rows).toContain('href="#means-Hanging-MainNotRestarted"');
    expect(rows).not.toContain('load-2');
  });

  it('says what it costs, what became of the sidecars, and how it stops', () => {
    expect(some).toMatch(/<b>[\d.,]+<\/b> <span>core-hours<\/span>/);
    expect(some).toMatch(
      /\d\u00a0<a href="#means-StillRunning">StillRunning<\/a> \(\d\u00a0<a href="#means-StillRunning-Held">Held<\/a>/,
    );
    expect(some).toContain('<code>sidecar-sweeper advise</code>');
  });

  it('keeps flags in one piece', () => {
    expect(some).toContain('<span class="flag">--noop-image</span>');
    expect(some).toContain('<span class="flag">--unclean-exit=allow</span>');
  });

  it('has every pod in it, without scripts', () => {
    expect(between(some, '<table id="pods-table"', '</table>')[0]?.split('<tr>').length).toBe(82);
  });

  it('writes how often alike in a table and above a drawing', async () => {
    const totals = { sidecars: { StillRunning: 1_234 }, stillRunning: { Held: 1_230 } };
    const reports = sweptReports(1, 20).map((one) => ({ ...one, totals: { ...one.totals, ...totals } }));
    const words = (await render(reports)).replace(/<[^>]*>/g, '').replaceAll('\u00a0', ' ');
    expect(words.match(/1,234 StillRunning \(1,230 Held\)/g)).toHaveLength(2);
    expect(words).not.toContain('1234');
  });

  it('is the same for the same reports', async () => {
    expect(await render(sweptReports(4, 20))).toBe(some);
  });

  it('tells what could not be read or judged, and what the sweep warned of', async () => {
    const html = await render([
      sweptReport(0, [], {
        unread: [{ namespace: 'vault', problem: 'Forbidden', message: 'pods is forbidden' }],
        undecided: [{ namespace: 'demo', name: 'odd', problem: 'container work has no status' }],
        warnings: [{ kind: 'ListInconsistent' }],
      }),
    ]);
    expect(html).toContain('<li>cannot list pods in vault: pods is forbidden</li>');
    expect(html).toContain('</span>odd: container work has no status</li>');
    expect(html).toContain('<li>the list of pods expired while it was being read');
  });

  it('tells clusters with one address apart, wherever it names them', async () => {
    const uids = ['5f2c1a9e-8d1b-4c5e-9a77-0c1d2e3f4a5b', 'b81d03c4-0f0e-4d7c-8b52-6d5c4b3a2f1e'];
    const service = { context: 'inClusterContext', server: 'https://10.96.0.1:443' };
    const html = await render(
      sweptReports(2, 20).map((report, index) => ({
        ...report,
        cluster: { ...service, uid: uids[index] ?? '' },
      })),
    );
    expect(html).not.toContain('inClusterContext');
    const tables = ['pods-table', 'stuck', 'sweeps-table', 'hanging-table', 'left-alone-table', 'clusters'];
    for (const table of tables) {
      const [rows = ''] = between(html, `<table id="${table}"`, '</table>');
      for (const uid of uids) expect(rows, table).toContain(uid.slice(0, 8));
    }
  });

  it('says of how many pods nobody knows what they wasted, and of which', async () => {
    const [report] = sweptReports(1, 20);
    // The tenth is still stuck.
    const pods = report?.pods.map((pod, index) =>
      index < 3 || index === 9 ? { ...pod, requests: { cpu: 0, memory: 0 } } : pod,
    );
    const html = await render(report && pods ? [{ ...report, pods }] : []);
    expect(html).toContain(
      '<p class="soft">4 pods have no resource requests: what they wasted is unknown and not counted.</p>',
    );
    expect(between(html, '<table id="stuck"', '</table>')[0]).toContain('>no requests</td>');
  });

  it('does not pass off a dry run as a sweep', async () => {
    const [report] = sweptReports(1, 10);
    const dryRuns = report ? [{ ...report, run: { ...report.run, dryRun: true } }] : [];
    expect(await render(dryRuns)).toContain('<h1>Dry runs only: nothing was sent</h1>');
  });

  it('says so if there was nothing', async () => {
    expect(await render([])).toContain('<h1>No pod was stuck</h1>');
  });
});

describe('names that mean harm', () => {
  it('are text, whatever they look like', async () => {
    const html = await render(hostileReports);
    expect(between(html, '<script', '>')).toEqual(['']);
    expect(html).not.toMatch(/<(?:img|b onclick|svg onload)/);
    expect(html).toContain('&lt;/script>&lt;script>alert(1)&lt;/script>');
    expect(html).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u);
  });
});
