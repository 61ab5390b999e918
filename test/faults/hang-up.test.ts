import { spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { bundle } from '../kit/cli.ts';
import { ensureNamespace } from '../kit/emulator/index.ts';
import { itUnless, missingPrograms } from '../kit/needs.ts';
import { startedOnce, temporaryFolder } from '../kit/started.ts';
import { sidecars, stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { noTerminal } from '../kit/terminal.ts';
import { longestEnd } from './struck.ts';
import { tally } from './tally.ts';

const cluster = startedOnce(() => TestCluster.start());
const folder = temporaryFolder('hang-up');

/** What a process ends with to which this signal is sent as soon as it listens, long before it has read its command line. */
function endedEarly(signal: 'SIGHUP' | 'SIGTERM', listening: string, inContainer: readonly string[] = []) {
  const early = `
    const { on } = process;
    process.on = function (event, listener) {
      on.call(this, event, listener);
      if (event === '${listening}') process.kill(process.pid, '${signal}');
      return this;
    };`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(early)}`;
  const argv = [...inContainer, process.execPath, bundle, 'sweep', '--yes', '--kubeconfig', '/nonexistent'];
  const { PATH = '' } = process.env;
  const { status, stderr } = spawnSync(argv[0] ?? '', argv.slice(1), { env: { PATH, NODE_OPTIONS } });
  tally('faults', 'C7', 1);
  return { status, stderr: String(stderr) };
}

describe('C7: before there is anything to stop, a signal ends the process:', () => {
  it('SIGHUP', () => {
    expect(endedEarly('SIGHUP', 'SIGHUP')).toEqual({ status: 129, stderr: '' });
  });

  // Process 1 of a container ends by no signal that it does not handle.
  const inContainer = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child'];
  itUnless(missingPrograms('unshare'), 'SIGTERM, also as process 1 of a container', () => {
    for (const before of [[], inContainer])
      expect(endedEarly('SIGTERM', 'SIGINT', before)).toEqual({ status: 143, stderr: '' });
  });
});

const stages = [
  { title: 'it waits for a pod', argv: ['sweep', '--yes'], shown: 'at most ' },
  { title: 'it asks', argv: ['sweep'], shown: '[y/N]' },
];

describe('C7: the terminal is closed while', () => {
  // As the shells do that people type into, this one passes on what the kernel tells it alone.
  itUnless(
    noTerminal,
    'a sweep goes on there: its Lease is given back, and its report is whole',
    async () => {
      for (const [index, { title, argv, shown }] of stages.entries()) {
        const namespace = `case-${index}`;
        const { world } = cluster.emulator;
        ensureNamespace(world, namespace);
        world.placePods([stuckPod({ namespace, sidecar: sidecars.stubborn, grace: 60 })]);
        const [report, code] = [join(folder, `report-${index}`), join(folder, `code-${index}`)];
        const options = ['-n', namespace, '--lock', namespace, '--kubeconfig', await cluster.kubeconfig()];
        const command = [process.execPath, bundle, ...argv, ...options, '--report-file', report].join(' ');
        const forwarded = `trap 'kill -HUP $!' HUP; ${command} </dev/tty & wait; wait $!; echo $? >${code}`;
        await closedAfter(shown, forwarded);
        const exitCode = await vi.waitFor(
          async () => (await readFile(code, 'utf8')).trim() || expect.fail(),
          { timeout: longestEnd },
        );
        expect([title, exitCode]).toEqual([title, '5']);
        // Where it asks, the end of the input may come first.
        expect(['Signal', 'Declined']).toContain(JSON.parse(await readFile(report, 'utf8')).run.stoppedEarly);
        const [lease] = world.store.list('leases', namespace);
        expect(Object(lease?.['spec']).holderIdentity).toBe('');
        tally('faults', 'C7', 1);
      }
    },
  );
});

/** Runs a command on a terminal, which is closed when it shows this. */
async function closedAfter(shown: string, command: string): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', TERM: 'xterm' };
  const sized = `stty cols 120 rows 24; ${command}`;
  const terminal = spawn('script', ['--quiet', '--command', sized, '/dev/null'], { env });
  let text = '';
  await new Promise<void>((resolve) => {
    terminal.on('close', () => resolve());
    terminal.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes(shown)) terminal.kill('SIGKILL');
    });
  });
  expect(text).toContain(shown);
}
