import { describe, expect, it } from 'vitest';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';
import {
  allIndexes,
  expectConverges,
  expectReported,
  longestEnd,
  playAll,
  type RealCase,
  type Struck,
  type Sweeper,
  signalled,
} from './real-case.ts';
import { tally } from './tally.ts';

const cluster = TestCluster.startedOnce([stuckPod()]);

/** Does one of these after the other, each when it is told to, in a callback that no code of ours waits for. */
function breakingBy(...codes: readonly string[]): { readonly env: Readonly<Record<string, string>> } {
  const acts = codes.map((code) => `() => { ${code} }`);
  const script = `
    import { createRequire } from 'node:module';
    const require = createRequire('/');
    const acts = [${acts}];
    process.on('SIGUSR2', () => acts.shift()?.());
  `;
  return { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` } };
}

const untilStopped = '"stopping: internal error"';

const once = 'throw new Error("boom")';
const again = `setInterval(() => { ${once} }, 10)`;
/** From then on, no request hears that it is cut. */
const deaf = 'EventTarget.prototype.addEventListener = () => undefined';

/** Does one thing early in the sweep, and another while it waits for an exec that hangs. */
async function breakAtExec(one: RealCase, before: string, then: string): Promise<Struck> {
  let sweeper: Sweeper | undefined;
  const run = async () => {
    sweeper?.kill('SIGUSR2');
    await sweeper?.hasLogged(untilStopped);
  };
  one.faults.add({ subresource: 'exec' }, { kind: 'Before', run }, { times: 1 });
  one.faults.add({ subresource: 'exec' }, { kind: 'NeverAnswer' });
  const early = (started: Sweeper) => {
    sweeper = started;
    started.kill('SIGUSR2');
  };
  return one.sweep(1, early, breakingBy(before, then));
}

const errors: readonly (readonly [what: string, code: string, told: string])[] = [
  ['an exception', 'throw new Error("boom\\nat once")', 'boom'],
  ['what is thrown and no error', 'throw "boom"', 'boom'],
  ['null that is thrown', 'throw null', 'null'],
  ['a rejection', 'Promise.reject(new Error("boom"))', 'boom'],
  ['a rejection with undefined', 'Promise.reject()', 'This error originated either by'],
  ['an event named error', 'new (require("node:events"))().emit("error", new Error("boom"))', 'boom'],
];

/** Breaks while the first page of pods is read, which never ends. */
function broken(code: string, ...argv: readonly string[]) {
  const match = { verb: 'list', resource: 'pods' };
  cluster.emulator.faults.clear();
  cluster.emulator.faults.add(match, { kind: 'NeverAnswer' });
  const all = ['--no-lock', '--log-level', 'error', ...argv];
  return cluster.runStruck(match, (child) => child.kill('SIGUSR2'), all, breakingBy(code));
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
  it('at any request stops the sweep like a signal: with a whole report, and without its Lease', async () => {
    await playAll(await allIndexes(), async (one, index) => {
      const struck = await one.sweep(
        index,
        async (sweeper) => {
          sweeper.kill('SIGUSR2');
          await sweeper.hasLogged(untilStopped);
        },
        breakingBy(index % 2 === 0 ? once : 'Promise.reject(new Error("boom"))'),
      );
      expect(struck.wentOn).toBeLessThan(longestEnd);
      expect(struck.run.stderr.split('\n').filter((line) => line.includes('boom'))).toEqual([
        'sidecar-sweeper: internal error: boom',
      ]);
      expect(signalled(struck, index + 1)).toEqual([]);
      expectReported(one, struck, 'InternalError');
      const after = struck.requests.slice(index).map(({ method, resource }) => `${method} ${resource}`);
      expect(after, 'gives its Lease back').toContain('PUT leases');
      if (index % 3 === 0) await expectConverges(one);
      tally('faults', 'E5', 1);
    });
  });

  it.each([
    ['again and again is told once', '', again, { Unproven: 1, NotAttempted: 1 }],
    ['and leaves a wait without an end is not waited for', deaf, once, { Unproven: 2 }],
  ])('%s, and keeps no report from being written', async (_what, before, then, pods) => {
    const play = async (one: RealCase) => {
      const struck = await breakAtExec(one, before, then);
      expect(struck.run.stderr.split('boom')).toHaveLength(2);
      expect(expectReported(one, struck, 'InternalError').totals.pods).toEqual(pods);
      tally('faults', 'E5', 1);
    };
    await playAll([0], play, 1);
  });
});
