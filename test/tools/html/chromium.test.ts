import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { historyOf } from '../../../src/report/history/history.ts';
import { renderHtml } from '../../../src/report/html/render.tsx';
import type { SweepReport } from '../../../src/report/schema.ts';
import { containerLog } from '../../builders/container-log.ts';
import { hostileReports, sweptReports } from '../../builders/sweep-reports.ts';
import {
  type Look,
  launchChromium,
  noChromium,
  type Opened,
  openIn,
  screenshots,
} from '../../kit/chromium.ts';
import { runCli } from '../../kit/cli.ts';
import { describeUnless } from '../../kit/needs.ts';
import { temporaryFolder } from '../../kit/started.ts';
import { hangingPod, sidecars, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const looks = [
  { name: 'light', scheme: 'light', width: 1280 },
  { name: 'dark', scheme: 'dark', width: 1280 },
  { name: 'narrow', scheme: 'light', width: 400 },
] as const;

describeUnless(noChromium, 'the HTML report in Chromium', () => {
  const folder = temporaryFolder('html-report');
  let browser: Browser;
  const files = { few: '', many: '', hostile: '', large: '' };

  beforeAll(async () => {
    files.few = await write('few', sweptReports(4, 8));
    files.many = await write('many', sweptReports(26, 30));
    files.hostile = await write('hostile', hostileReports);
    files.large = await write('large', sweptReports(1, 10_000));
    browser = await launchChromium();
  });

  afterEach(async () => {
    const [_first, ...opened] = await browser.pages();
    for (const page of opened) await page.close();
  });
  afterAll(() => browser?.close());

  async function write(name: string, reports: readonly SweepReport[]): Promise<string> {
    const file = join(folder, `${name}.html`);
    await writeFile(file, await renderHtml(historyOf(reports), reports));
    return pathToFileURL(file).href;
  }

  function open(file: string, look?: Look, scripts?: boolean): Promise<Opened> {
    return openIn(browser, file, look, scripts);
  }

  /** What is folded has to be looked at as well. */
  async function unfold(page: Page): Promise<void> {
    await page.$$eval('details', (all) => {
      for (const one of all) one.open = true;
    });
  }

  describe.each(looks)('$name', (look) => {
    it('asks for nothing but the file, and complains about nothing', async () => {
      const { page, complaints, requests } = await open(files.many, look);
      await page.screenshot({ path: join(screenshots, `${look.name}.png`) });
      await page.$eval('.legend', (legend) => legend.scrollIntoView());
      await page.screenshot({ path: join(screenshots, `${look.name}-timeline.png`) });
      expect(requests).toEqual([files.many]);
      expect(complaints).toEqual([]);
    });

    it('violates no rule of axe', async () => {
      const { page } = await open(files.few, look);
      await unfold(page);
      await page.evaluate(axe.source);
      const { violations, passes } = (await page.evaluate('axe.run()')) as AxeResults;
      const told = violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary]);
      expect(told).toEqual([]);
      expect(passes.map(({ id }) => id)).toContain('color-contrast');
    });

    it('is nowhere wider than the window', async () => {
      for (const file of [files.few, files.many, files.hostile]) {
        const { page } = await open(file, look);
        await unfold(page);
        for (const width of [look.width, 1_200, 1_030, 800]) {
          await page.setViewport({ width, height: 900 });
          const { scrollWidth } = await page.$eval(':root', ({ scrollWidth }) => ({ scrollWidth }));
          expect(scrollWidth).toBeLessThanOrEqual(width);
        }
      }
    });

    it('labels its charts so that no label touches another, or is cut', async () => {
      const { page } = await open(files.many, look);
      await page.$eval('.charts', (charts) => charts.scrollIntoView());
      const charts = await page.$$eval('figure svg', (all) =>
        all.map((chart) => {
          const { left, right } = chart.getBoundingClientRect();
          const labels = [...chart.querySelectorAll('text')].map((text) => text.getBoundingClientRect());
          const isCut = labels.some((label) => label.left < left || label.right > right);
          // Of two labels on a line, the other begins at least a space away.
          const touch = labels.filter((one) =>
            labels.some(
              (other) =>
                one !== other &&
                Math.abs(one.top - other.top) < 1 &&
                one.left <= other.left &&
                other.left - one.right < 4,
            ),
          );
          return { isCut, touch: touch.length };
        }),
      );
      expect(charts).toEqual(charts.map(() => ({ isCut: false, touch: 0 })));
      expect(charts).toHaveLength(4);
      await page.screenshot({ path: join(screenshots, `${look.name}-charts.png`) });
    });
  });

  it('is made of the lines of a real sweep, as the runtime of its container kept them', async () => {
    const cluster = await TestCluster.start([
      stuckPod({ name: 'clean' }),
      stuckPod({ name: 'immune', sidecar: sidecars.immune }),
      hangingPod({ name: 'without-its-proxy' }),
    ]);
    const swept = await cluster.run().finally(() => cluster.stop());
    expect(swept.exitCode).toBe(4);
    const log = join(folder, 'cri.log');
    const lines = [...containerLog(swept.stderr, 'stderr'), ...containerLog(swept.stdout)];
    await writeFile(log, lines.map((line) => `${line}\n`).join(''));
    const html = join(folder, 'cri.html');
    await writeFile(html, (await runCli(['report', '-o', 'html', log])).stdout);
    const { page, complaints, requests } = await open(pathToFileURL(html).href);
    const textOf = (selector: string) => page.$eval(selector, ({ textContent }) => textContent);
    expect(await page.$$eval('#pods-table tbody tr', (rows) => rows.length)).toBe(2);
    expect(await textOf('#stuck tbody')).toContain('immune');
    expect(await textOf('section:has(#noted)')).toMatch(/demo\/without-its-proxy; .* ProxyEndedFirst/);
    expect([complaints, requests.length]).toEqual([[], 1]);
    await page.screenshot({ path: join(screenshots, 'hanging.png') });
  });

  it('is still made of tables for those who cannot see it', async () => {
    const { page } = await open(files.many);
    const session = await page.createCDPSession();
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const roles = new Set(nodes.map(({ role }) => role?.value));
    expect([...roles]).toEqual(expect.arrayContaining(['table', 'row', 'columnheader', 'cell', 'heading']));
  });

  it('runs nothing of what names contain', async () => {
    const { page, complaints, requests } = await open(files.hostile);
    let alerts = 0;
    page.on('dialog', () => alerts++);
    await unfold(page);
    for (const button of await page.$$('th button')) await button.evaluate((one) => one.click());
    expect(await page.$$('img, [onclick], [onload], main svg svg svg, main style, main script')).toEqual([]);
    expect([alerts, complaints, requests]).toEqual([0, [], [files.hostile]]);
    await page.screenshot({ path: join(screenshots, 'hostile.png') });
  });

  it('can be read without scripts', async () => {
    const { page, complaints } = await open(files.many, looks[0], false);
    expect(await page.$$('input, th button')).toEqual([]);
    expect(await page.$$eval('#pods-table tbody tr', (rows) => rows.length)).toBe(780);
    await page.click('details:has(#stuck) summary');
    expect(await page.$eval('#stuck tbody tr', (row) => row.checkVisibility())).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('comes out on paper, in the light, long tables cut with a word about it', async () => {
    const { page } = await open(files.large, looks[1]);
    await unfold(page);
    const pdf = Buffer.from(await page.pdf({ format: 'A4' })).toString('latin1');
    const pages = pdf.match(/\/Type \/Page\b/g)?.length ?? 0;
    expect(pages).toBeGreaterThan(2);
    expect(pages).toBeLessThan(40);
    await page.emulateMediaType('print');
    await page.setViewport({ width: 794, height: 1123 });
    await page.screenshot({ path: join(screenshots, 'paper.png') });
    const notes = await page.$$eval('.paper', (all) =>
      all.map((one) => one.checkVisibility() && one.textContent),
    );
    const cut = await page.$$eval('.bar', (bars) =>
      bars.filter((bar) => bar.getBoundingClientRect().right > document.documentElement.clientWidth - 5),
    );
    expect(cut).toEqual([]);
    expect(notes).toContain('On paper: the first 100 of 10,000 rows. The file has all of them.');
    expect(await page.$eval('body', (body) => getComputedStyle(body).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
  });

  describe('with 10,000 pods', () => {
    it('filters and sorts in a fraction of the time that it takes to open', async () => {
      const began = performance.now();
      const { page } = await open(files.large);
      await unfold(page);
      await page.$eval('#pods-table', (table) => table.scrollIntoView());
      const opened = performance.now() - began;
      const took = await page.$eval('#pods-table', async (table) => {
        const timed = async (act: () => void) => {
          const before = performance.now();
          act();
          // Until it is drawn.
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
          return performance.now() - before;
        };
        // The rows that are not in view follow.
        const rowsOnceThere = async (rows: number) => {
          const found = () => table.querySelectorAll('tbody tr').length;
          for (let tries = 0; tries < 1_000 && found() !== rows; tries++) {
            await new Promise((resolve) => setTimeout(resolve, 10));
          }
          return found();
        };
        const input = table.parentElement?.querySelector('input');
        const buttons = [...table.querySelectorAll('button')];
        const filter = await timed(() => {
          if (input) input.value = 'team-7 istio';
          input?.dispatchEvent(new Event('input'));
        });
        const left = await rowsOnceThere(83);
        const all = await timed(() => {
          if (input) input.value = '';
          input?.dispatchEvent(new Event('input'));
        });
        const back = await rowsOnceThere(10_000);
        const sort = await timed(() => buttons[3]?.click());
        const first = table.querySelector('tbody tr')?.textContent ?? '';
        return { filter, all, sort, left, back, first, elements: document.querySelectorAll('*').length };
      });
      const { left, back, first, elements, ...times } = took;
      await writeFile(join(screenshots, 'times.json'), `${JSON.stringify({ opened, elements, ...times })}\n`);
      expect([left, back]).toEqual([83, 10_000]);
      expect(first).toContain('6h42m');
      expect(elements).toBeLessThan(250_000);
      expect(Math.max(...Object.values(times))).toBeLessThan(opened);
    });

    it('draws some of its steps, and says how many are left out', async () => {
      const { page } = await open(files.large);
      expect((await page.$$('.lanes li')).length).toBeLessThan(40);
      expect(await page.$eval('.lanes + p', ({ textContent }) => textContent)).toMatch(
        /^These are those that were harmed, the slowest and examples of each kind; 9,\d+ more are not drawn/,
      );
    });
  });
});
