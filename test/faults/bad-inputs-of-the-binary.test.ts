import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exitCodes } from '../../src/report/exit-code.ts';
import { type CliRun, runCli } from '../kit/cli.ts';
import { type Emulator, startEmulator } from '../kit/emulator/index.ts';
import { runHere } from '../kit/run-here.ts';
import { badCommandLines } from './corpus/command-lines.ts';
import { expectClean } from './corpus/hostile-texts.ts';
import { badKubeconfigs, canary } from './corpus/kubeconfigs.ts';
import { badLogs } from './corpus/logs.ts';
import { badPolicies } from './corpus/policies.ts';
import { tally } from './tally.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-binary-'));
let emulator: Emulator;
let kubeconfig: string;
beforeAll(async () => {
  emulator = await startEmulator({ runtime: 'light' });
  kubeconfig = write(emulator.kubeconfig());
});
afterAll(async () => {
  await emulator.stop();
  rmSync(folder, { recursive: true });
});

let files = 0;
function write(text: string): string {
  const file = join(folder, `${files++}.yaml`);
  writeFileSync(file, text);
  return file;
}

function expectRefused({ exitCode, stdout, stderr }: CliRun, what: string): void {
  expect(stderr, what).toMatch(/^sidecar-sweeper: [^\n]+\n$/);
  expect([exitCode, stdout], what).toEqual([exitCodes.usage, '']);
  expectClean(stderr, what);
  expect(stderr, what).not.toContain(canary);
}

/** So many of them, spread over all. */
function some<T>(all: readonly T[], count: number): readonly T[] {
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)] as T);
}

it('D6: the real program refuses bad configuration in one line, and asks nothing', async () => {
  const policies = some(Object.values(badPolicies), 12).map((text) => ['--policy', write(text)]);
  const kubeconfigs = some(Object.values(badKubeconfigs), 12).map((text) => ['--kubeconfig', write(text)]);
  const sweeps = badCommandLines.filter(([first = '']) => first.startsWith('-') && first.length < 1_000);
  const lines = [
    ...policies.map((argv) => [...argv, '--kubeconfig', kubeconfig]),
    ...kubeconfigs,
    ...some(sweeps, 18).map((argv) => ['--kubeconfig', kubeconfig, ...argv]),
  ];
  const left = lines.map((argv, index) => [argv, index] as const);
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [argv] = next;
      expectRefused(await runCli(argv), JSON.stringify(argv));
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  expect(emulator.requests).toEqual([]);
  tally('badInputs', 'D6', lines.length);
});

it('D6: `report` says of every bad log that there is no report in it, or none that it can read', async () => {
  for (const [title, log] of Object.entries(badLogs)) {
    const run = await runHere(['report', write(log)], {});
    expectRefused(run, title);
    expect(run.stderr, title).toMatch(/there is no report in|has a report (that is damaged|of apiVersion)/);
  }
  tally('badInputs', 'D6', Object.keys(badLogs).length);
});
