import { spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { listening } from '../builders/listening.ts';
import { bundle, jsonLines, policyFlag } from '../kit/cli.ts';
import type { RequestMatch } from '../kit/emulator/index.ts';
import { itUnless, missingPrograms } from '../kit/needs.ts';
import { temporaryFolder } from '../kit/started.ts';
import { sidecars, TestCluster } from '../kit/stuck-pods.ts';
import { keys, noTerminal, type Presses, runOnTerminal } from '../kit/terminal.ts';
import { longestEnd } from './real-case.ts';
import { tally } from './tally.ts';

const cluster = TestCluster.startedOnce();

/** What a terminal shows while the cursor is hidden, and shown again. */
const cursor = { hidden: '\u001b[?25l', shown: '\u001b[?25h' };

interface Stage {
  readonly title: string;
  /** What hangs, so that the sweep stays there. */
  readonly hangs?: RequestMatch;
  /** What the terminal shows when it has come there. */
  readonly shown: string;
  /** Whether the work is done by then. */
  readonly isDone?: true;
}

// biome-ignore format: one row a line
const stages: readonly Stage[] = [
  { title: 'it lists', hangs: { resource: 'pods', verb: 'list' }, shown: 'reading the cluster' },
  { title: 'it sends', hangs: { subresource: 'exec' }, shown: '0 of 1 sidecar' },
  { title: 'it waits', shown: 'at most ' },
  { title: 'its report is due', hangs: { resource: 'leases', method: 'PUT' }, shown: 'stopped, exit code', isDone: true },
];

/** Sweeps a stuck pod on a terminal, and presses Ctrl-C once or twice at this stage. */
async function pressAt({ hangs, title }: Stage, presses: Presses) {
  const namespace = cluster.placeCase(title === 'it waits' ? stubborn : {});
  const { faults } = cluster.emulator;
  faults.clear();
  if (hangs) faults.add({ ...hangs, namespace }, { kind: 'NeverAnswer' });
  const argv = ['--yes', '-v', ...(await flagsOf(namespace))];
  const shown = await runOnTerminal('cols 120 rows 24', argv, presses, 'stty -a');
  return { ...shown, holder: holderIn(namespace) };
}

const stubborn = { sidecar: sidecars.stubborn, grace: 60 };

async function flagsOf(namespace: string): Promise<readonly string[]> {
  return ['-n', namespace, '--lock', namespace, '--kubeconfig', await cluster.kubeconfig()];
}

function holderIn(namespace: string): unknown {
  const [lease] = cluster.emulator.world.store.list('leases', namespace);
  return Object(lease?.['spec']).holderIdentity;
}

/** The cursor is visible, and the terminal takes lines, echoes them, and turns Ctrl-C into a signal. */
function expectRestored({ text }: { readonly text: string }): void {
  expect(text).toContain(cursor.hidden);
  expect(text.lastIndexOf(cursor.shown)).toBeGreaterThan(text.lastIndexOf(cursor.hidden));
  expect(text).toMatch(/(?<!-)\bisig (?<!-)icanon /);
  expect(text).toMatch(/(?<!-)\becho /);
}

describe('C7: Ctrl-C on a terminal while', () => {
  for (const stage of stages) {
    const { title, shown: text } = stage;
    itUnless(noTerminal, `${title}: the report follows, and the terminal is as it was`, async () => {
      const shown = await pressAt(stage, [[text, keys.ctrlC]]);
      expect(shown.exitCode).toBe(stage.isDone ? 0 : 5);
      expect(shown.text).toMatch(
        stage.isDone
          ? /stopped, exit code 0/
          : /stopped early: the sweep was interrupted|Nothing was sent|could not be read|could be listed/,
      );
      if (!stage.hangs?.resource) expect(shown.holder).toBe('');
      expectRestored(shown);
      tally('faults', 'C7', 1);
    });

    itUnless(noTerminal, `${title}, and again: it ends at once, and the terminal is as it was`, async () => {
      const shown = await pressAt(stage, [
        [text, keys.ctrlC],
        ['Ctrl-C again', keys.ctrlC, 600],
      ]);
      // Where the machine is busy, the first one has been enough.
      expect([130, stage.isDone ? 0 : 5]).toContain(shown.exitCode);
      if (shown.exitCode === 130) expect(shown.text).not.toContain('stopped early');
      expectRestored(shown);
      tally('faults', 'C7', 1);
    });
  }
});

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

const closings = [
  { title: 'it waits for a pod', argv: ['sweep', '--yes'], shown: 'at most ' },
  { title: 'it asks', argv: ['sweep'], shown: '[y/N]' },
];

describe('C7: the terminal is closed while', () => {
  // As the shells do that people type into, this one passes on what the kernel tells it alone.
  itUnless(noTerminal, 'a sweep gives back its Lease and writes a whole report', async () => {
    for (const [index, { title, argv, shown }] of closings.entries()) {
      const namespace = cluster.placeCase(stubborn);
      const [report, code] = [join(folder, `report-${index}`), join(folder, `code-${index}`)];
      const options = [...(await flagsOf(namespace)), '--report-file', report];
      const command = [process.execPath, bundle, ...argv, ...options].join(' ');
      const forwarded = `trap 'kill -HUP $!' HUP; ${command} </dev/tty & wait; wait $!; echo $? >${code}`;
      await closedAfter(shown, forwarded);
      const exitCode = await vi.waitFor(async () => (await readFile(code, 'utf8')).trim() || expect.fail(), {
        timeout: longestEnd,
      });
      expect([title, exitCode]).toEqual([title, '5']);
      // Where it asks, the end of the input may come first.
      expect(['Signal', 'Declined']).toContain(JSON.parse(await readFile(report, 'utf8')).run.stoppedEarly);
      expect(holderIn(namespace)).toBe('');
      tally('faults', 'C7', 1);
    }
  });
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

/** Sweeps three stuck pods, and ends the process when the server gets this request, to which it never answers. */
function stoppedAt(match: RequestMatch, policy: object, onStop: () => void) {
  const { faults } = cluster.emulator;
  faults.clear();
  const namespace = cluster.placeCase({ name: 'a' }, { name: 'b' }, { name: 'c' });
  const argv = ['-n', namespace, '--lock', namespace, ...policyFlag(policy), '--concurrency', '1'];
  const run = cluster.runStruck(
    match,
    (child) => {
      child.kill('SIGTERM');
      onStop();
    },
    argv,
  );
  faults.add(match, { kind: 'NeverAnswer' });
  return run;
}

/** What a sweep may be waiting for when it is stopped; from then on the server answers nothing. In the end it has done its work. */
const waits: readonly (readonly [what: string, exitCode: 5 | 0, match: RequestMatch])[] = [
  ['its Lease', 5, { resource: 'leases', method: 'POST' }],
  ['a list', 5, { resource: 'pods', verb: 'list' }],
  ['an exec', 5, { subresource: 'exec' }],
  ['an Event', 0, { resource: 'events' }],
  ['the end of its Lease', 0, { resource: 'leases', method: 'PUT' }],
];

it.each(waits)('C7: SIGTERM while %s hangs: the report comes in 5 s', async (_what, exitCode, match) => {
  const { faults } = cluster.emulator;
  const hang = () => void faults.add({}, { kind: 'NeverAnswer' });
  const swept = await stoppedAt(match, { events: true }, hang);
  expect(swept.exitCode).toBe(exitCode);
  const summary = jsonLines(swept.stdout).at(-1);
  const early = exitCode === 5 ? 'Signal' : undefined;
  expect([summary.kind, summary['run.stoppedEarly'], summary['process.exit.code']]).toEqual([
    'Summary',
    early,
    exitCode,
  ]);
  // By the clock of the process itself.
  const stopping = jsonLines(swept.stderr).find((line) => line.event === 'Stopping');
  expect(Date.parse(summary.time) - Date.parse(stopping.time)).toBeLessThan(longestEnd);
  tally('faults', 'C7', 1);
});

it('C7: a Pushgateway that never answers has no time of its own after a signal', async () => {
  const gateway = createServer();
  const pushgatewayUrl = `http://127.0.0.1:${await listening(gateway)}`;
  let stopped = performance.now();
  // The exec takes all the time that there is for what is under way.
  const swept = await stoppedAt({ subresource: 'exec' }, { pushgatewayUrl }, () => {
    stopped = performance.now();
  });
  expect(performance.now() - stopped).toBeLessThan(longestEnd);
  expect(swept.exitCode).toBe(5);
  expect(swept.stderr).toContain('could not write metrics to the Pushgateway');
  gateway.close();
  tally('faults', 'C7', 1);
});
