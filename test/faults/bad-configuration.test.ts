import { beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/report/exit-code.ts';
import { type CliRun, runCli } from '../kit/cli.ts';
import { startEmulator } from '../kit/emulator/index.ts';
import { runHere } from '../kit/run-here.ts';
import { fileIn, startedOnce, temporaryFolder } from '../kit/started.ts';
import { badCommandLines } from './corpus/command-lines.ts';
import { expectClean } from './corpus/hostile-texts.ts';
import { badKubeconfigs, canary } from './corpus/kubeconfigs.ts';
import { badLogs } from './corpus/logs.ts';
import { badPolicies } from './corpus/policies.ts';
import { tally } from './tally.ts';

const folder = temporaryFolder('configuration');
const emulator = startedOnce(() => startEmulator({ runtime: 'light' }));
let kubeconfig: string;
beforeAll(() => {
  kubeconfig = write('kubeconfig', emulator.kubeconfig());
});

const write = (name: string, text: string) => fileIn(folder, name, text);

/** One clear line, the exit code of bad configuration, nothing raw, nothing secret, and no request. */
function expectRefused({ exitCode, stdout, stderr }: CliRun, what: string): void {
  expect(stderr, what).toMatch(/^sidecar-sweeper: [^\n]+\n$/);
  expect(exitCode, `${what}: ${stderr}`).toBe(exitCodes.usage);
  expect(stdout, what).toBe('');
  expect(stderr.length, what).toBeLessThan(1_000);
  expectClean(stderr, what);
  expect(stderr, what).not.toContain(canary);
  expect(stderr, what).not.toMatch(/internal|undefined|\[object|Maximum call stack/);
  expect(emulator.requests, what).toEqual([]);
}

describe('D6: bad configuration is refused before the first request:', () => {
  it('policies, by `validate`, with the line of every problem', async () => {
    for (const [title, text] of Object.entries(badPolicies)) {
      const policy = write('policy.yaml', text);
      const { exitCode, stdout, stderr } = await runHere(['validate', policy], {});
      expect([exitCode, stdout], title).toEqual([exitCodes.usage, '']);
      expect(stderr, title).toMatch(/^(?:\/\S*\/policy\.yaml:\d+: [^\n]+\n){1,50}$/);
      expectClean(stderr, title);
    }
    tally('badInputs', 'D6', Object.keys(badPolicies).length);
  });

  it('kubeconfigs', async () => {
    for (const [title, text] of Object.entries(badKubeconfigs)) {
      const file = write('bad-kubeconfig', text);
      expectRefused(await runHere(['--kubeconfig', file], {}), title);
    }
    tally('badInputs', 'D6', Object.keys(badKubeconfigs).length);
  });

  it('command lines', async () => {
    for (const argv of badCommandLines) {
      // What names a kubeconfig of its own comes later.
      const run = await runHere([...withKubeconfig(argv)], {});
      expectRefused(run, JSON.stringify(argv).slice(0, 200));
    }
    tally('badInputs', 'D6', badCommandLines.length);
  });
});

/** So many of them, spread over all. */
function some<T>(all: readonly T[], count: number): readonly T[] {
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)] as T);
}

let files = 0;
const writeAnother = (text: string) => write(`${files++}.yaml`, text);

it('D6: the real program refuses bad configuration in one line, and asks nothing', async () => {
  const policies = some(Object.values(badPolicies), 12).map((text) => ['--policy', writeAnother(text)]);
  const kubeconfigs = some(Object.values(badKubeconfigs), 12);
  const sweeps = badCommandLines.filter(([first = '']) => first.startsWith('-') && first.length < 1_000);
  const lines = [
    ...policies.map((argv) => [...argv, '--kubeconfig', kubeconfig]),
    ...kubeconfigs.map((text) => ['--kubeconfig', writeAnother(text)]),
    ...some(sweeps, 18).map((argv) => ['--kubeconfig', kubeconfig, ...argv]),
  ];
  const left = [...lines];
  const worker = async () => {
    for (let argv = left.shift(); argv; argv = left.shift()) {
      expectRefused(await runCli(argv), JSON.stringify(argv));
    }
  };
  await Promise.all([worker(), worker(), worker()]);
  tally('badInputs', 'D6', lines.length);
});

it('D6: `report` says of every bad log that there is no report in it, or none that it can read', async () => {
  for (const [title, log] of Object.entries(badLogs)) {
    const run = await runHere(['report', writeAnother(log)], {});
    expectRefused(run, title);
    expect(run.stderr, title).toMatch(/there is no report in|cannot read 1 report in .*: damaged/);
  }
  tally('badInputs', 'D6', Object.keys(badLogs).length);
});

/** The command line with a kubeconfig that works, where its command takes one. */
function withKubeconfig(argv: readonly string[]): readonly string[] {
  const [first = ''] = argv;
  if (first.startsWith('-')) return ['--kubeconfig', kubeconfig, ...argv];
  return ['scan', 'explain'].includes(first) ? [first, '--kubeconfig', kubeconfig, ...argv.slice(1)] : argv;
}
