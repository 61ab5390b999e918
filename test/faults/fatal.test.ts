import { describe, expect, it } from 'vitest';
import { startedOnce } from '../kit/started.ts';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import { tally } from './tally.ts';

const cluster = startedOnce(() => TestCluster.start([stuckPod()]));

/** What goes wrong in the process, in a callback that no code of ours waits for. */
const errors: readonly (readonly [what: string, code: string, told: string])[] = [
  ['an exception', 'throw new Error("boom\\nat once")', 'boom'],
  ['what is thrown and no error', 'throw "boom"', 'boom'],
  ['null that is thrown', 'throw null', 'null'],
  ['a rejection', 'Promise.reject(new Error("boom"))', 'boom'],
  ['a rejection with undefined', 'Promise.reject()', 'This error originated either by'],
  ['an event named error', 'new (require("node:events"))().emit("error", new Error("boom"))', 'boom'],
];

/** Breaks while the first page of pods is read, which never ends. */
async function broken(code: string, ...argv: readonly string[]) {
  cluster.emulator.faults.clear();
  cluster.emulator.faults.add({ verb: 'list', resource: 'pods' }, { kind: 'NeverAnswer' });
  const script = `
    import { createRequire } from 'node:module';
    const require = createRequire('/');
    process.on('SIGUSR2', () => { ${code} });
  `;
  let child: { kill(signal: NodeJS.Signals): boolean } | undefined;
  const run = () => void child?.kill('SIGUSR2');
  cluster.emulator.faults.add({ verb: 'list', resource: 'pods' }, { kind: 'Before', run });
  return cluster.run(['--no-lock', '--log-level', 'error', ...argv], {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` },
    onStart: (started) => {
      child = started;
    },
  });
}

describe('E5: an unexpected error', () => {
  it.each(errors)('ends the sweep with one line and a report: %s', async (_what, code, told) => {
    const run = await broken(code);
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toContain('(stopped early: internal error)');
    const lines = run.stderr.split('\n').filter((line) => line.includes('internal error'));
    expect(lines).toEqual([expect.stringMatching(/^sidecar-sweeper: internal error: ./)]);
    expect(lines[0]).toContain(told);
    tally('faults', 'E5', 1);
  });

  it('tells where it came from if debug logs are asked for', async () => {
    const run = await broken('throw new Error("boom")', '--log-level', 'debug');
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/internal error: Error: boom\n +at /);
    tally('faults', 'E5', 1);
  });
});
