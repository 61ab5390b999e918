// `npm run reliability`: runs what docs/internals/reliability.md claims, and writes its figures only if all of it holds.
// `npm run test:deep` plays more random clusters (--long), and writes only what came of those.
import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tallyFile } from '../../test/faults/tally.ts';
import { clustersFile } from '../../test/kit/random/figures.ts';
import { readMachine } from '../bench/machine.ts';
import { fillLong, fillPage, type Reliability } from './page.ts';
import { broken, sumTally } from './tallied.ts';

const page = new URL('../../docs/internals/reliability.md', import.meta.url);

const isLong = process.argv.includes('--long');
const scripts = isLong ? ['test:properties'] : ['test:faults', 'test:properties'];

const machine = readMachine();
const began = performance.now();
for (const file of [tallyFile, clustersFile]) await rm(file, { force: true });

const failed = scripts.find((script) => !passes(script));
const problems = failed === undefined ? await write() : [`${failed} has failed`];
for (const problem of problems)
  console.error(`error: ${problem}; docs/internals/reliability.md is as it was`);
if (problems.length > 0) process.exitCode = 1;

function passes(script: string): boolean {
  const env = { ...process.env, NOTHING_SKIPPED: '1' };
  return spawnSync('npm', ['run', '--silent', script], { stdio: 'inherit', env }).status === 0;
}

/** Returns what must not have happened; then nothing is written. */
async function write(): Promise<readonly string[]> {
  const counted = sumTally(await readFile(tallyFile, 'utf8'));
  const found = broken(counted);
  if (found.length > 0) return found;
  const clusters = JSON.parse(await readFile(clustersFile, 'utf8'));
  const seconds = Math.round((performance.now() - began) / 1_000);
  const run: Reliability = { machine, seconds, counted, clusters };
  const text = await readFile(page, 'utf8');
  await writeFile(page, isLong ? fillLong(text, run) : fillPage(text, run));
  return [];
}
