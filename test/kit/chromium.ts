import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { missingPrograms } from './needs.ts';

/** Where Debian's package puts it. */
const chromium = '/usr/bin/chromium';

export const noChromium = missingPrograms(chromium);

/** Where one can look at what the tests saw. */
export const screenshots = fileURLToPath(new URL('../../reports/screenshots/', import.meta.url));

export interface Look {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
}

export interface Opened {
  readonly page: Page;
  /** What the browser complained about, and all that it asked for. */
  readonly complaints: readonly string[];
  readonly requests: readonly string[];
}

export async function launchChromium(): Promise<Browser> {
  await mkdir(screenshots, { recursive: true });
  // As root, as in CI, Chromium has no sandbox.
  return await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'] });
}

export async function openIn(
  browser: Browser,
  url: string,
  { scheme, width }: Look = { scheme: 'light', width: 1280 },
  scripts = true,
): Promise<Opened> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => requests.push(request.url()));
  await page.setJavaScriptEnabled(scripts);
  await page.setViewport({ width, height: 1000 });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.goto(url, { waitUntil: 'load' });
  return { page, complaints, requests };
}
