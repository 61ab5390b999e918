import { execFileSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { freshFor } from '../../src/util/retry.ts';
import { itUnless, missingPrograms } from '../kit/needs.ts';
import {
  allIndexes,
  expectConverges,
  expectNotTorn,
  expectReported,
  longestEnd,
  playAll,
  type RealCase,
  type Struck,
  signalled,
} from './real-case.ts';
import { tally } from './tally.ts';

let indexes: readonly number[];
beforeAll(async () => {
  indexes = await allIndexes();
});

describe('C7: SIGTERM, SIGINT or SIGHUP at any request of a sweep', () => {
  it('ends it within 5 s with a whole report, sends nothing more, and leaves the rest to the next sweep', async () => {
    const cases = indexes.flatMap((index) =>
      (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map((signal) => ({ index, signal })),
    );
    await playAll(cases, async (one, { index, signal }) => {
      const struck = await one.sweep(index, async (sweeper) => {
        sweeper.kill(signal);
        // The request is served only when the process knows.
        await sweeper.hasLogged('"stopping: the sweep was interrupted"');
      });
      expect(struck.wentOn).toBeLessThan(longestEnd);
      expect(signalled(struck, index + 1)).toEqual([]);
      // The last request gives the Lease back, when all pods are swept.
      expectReported(one, struck, index === indexes.at(-1) ? undefined : 'Signal');
      expect(struck.files).toEqual(['report']);
      expect(one.holder ?? '').toBe('');
      if (index % 3 === 0) await expectConverges(one);
      tally('faults', 'C7', 1);
    });
  });

  it('twice ends it at once, without waiting for a report', async () => {
    await playAll(indexes, async (one, index) => {
      const struck = await one.sweep(index, async (sweeper) => {
        sweeper.kill('SIGINT');
        await sweeper.hasLogged('"stopping: the sweep was interrupted"');
        // What comes sooner is taken for the same key press.
        await setTimeout(600);
        sweeper.kill('SIGINT');
        await sweeper.hasLogged('nothing more: it has ended');
      });
      // Where the machine is busy, the first one has been enough. At its very end, Node has no handler any more.
      if (struck.run.exitCode === 5) expectReported(one, struck, 'Signal');
      else expect(index === indexes.at(-1) ? [0, 130, null] : [130, null]).toContain(struck.run.exitCode);
      expect(struck.wentOn).toBeLessThan(longestEnd);
      expectNotTorn(struck);
      tally('faults', 'C7', 1);
    });
  });
});

it('C8: SIGKILL at any request of a sweep leaves nothing half done that the next sweep does not finish', async () => {
  await playAll(indexes, async (one, index) => {
    const struck = await one.sweep(index, async (sweeper) => {
      sweeper.kill('SIGKILL');
      await sweeper.hasLogged('nothing more: it has ended');
    });
    expect(struck.run).toMatchObject({ exitCode: null, stdout: '' });
    expectNotTorn(struck);
    // What was on its way is served all the same, and may be a renewal of the Lease.
    await expect.poll(() => struck.requests.filter(({ status }) => status === 0)).toEqual([]);
    one.expireLease();
    await expectConverges(one);
    tally('faults', 'C8', 1);
  });
});

it('C2: a process that was suspended as it read a pod reads it again before it sends', async () => {
  await playAll(['pod-0', 'pod-1'], async (one, name) => {
    const { namespace } = one;
    let suspend = () => {};
    const run = () => suspend();
    one.faults.add({ namespace, resource: 'pods', verb: 'get', name }, { kind: 'Before', run }, { times: 1 });
    const swept = await one.sweep(0, (sweeper) => {
      suspend = () => {
        sweeper.kill('SIGSTOP');
        // The answer arrives long before the process reads it.
        void setTimeout(freshFor + 1_000).then(() => sweeper.kill('SIGCONT'));
      };
    });
    expect(swept.run.exitCode).toBe(0);
    const ofPod = swept.requests.filter((request) => request.name === name);
    const sent = ofPod.findIndex(({ subresource }) => subresource === 'exec');
    expect(ofPod.slice(0, sent + 1).map(({ subresource }) => subresource ?? '')).toEqual(['', '', 'exec']);
    tally('faults', 'C2', 1);
  });
});

/** The heap in MiB that the manifests give, and less, down to what no sweep can begin with. */
const heaps = [384, 64, 40, 16, 14, 13, 12, 11];

/** A core dump would be larger than all else. */
function withoutCore(pid: number, ...limits: readonly string[]): void {
  execFileSync('prlimit', ['--pid', String(pid), '--core=0', ...limits]);
}

/** It has ended as if nothing were wrong, or by an abort, be it after its report; the next sweep, which has memory, does the rest. */
async function expectEndsOrDies(one: RealCase, struck: Struck): Promise<void> {
  const { exitCode, stdout } = struck.run;
  expectNotTorn(struck);
  if (exitCode !== 0) expect(exitCode).toBeNull();
  if (exitCode === 0 || stdout !== '') {
    expect(one.pods.map(({ status }) => status?.phase)).toEqual(['Succeeded', 'Succeeded']);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ kind: 'Summary' });
  }
  one.expireLease();
  await expectConverges(one);
  tally('faults', 'C8', 1);
}

const noLimits = missingPrograms('prlimit');

describe('C8: a sweep that runs out of memory', () => {
  itUnless(noLimits, 'with little heap succeeds or dies, and the next one does the rest', async () => {
    await playAll(heaps, async (one, mib) => {
      const env = { NODE_OPTIONS: `--max-old-space-size=${mib}` };
      const struck = await one.sweep(0, ({ pid }) => withoutCore(pid), { env });
      if (mib >= 40) expect(struck.run.exitCode).toBe(0);
      await expectEndsOrDies(one, struck);
    });
  });

  itUnless(noLimits, 'the same without any more memory from any request on', async () => {
    let died = 0;
    await playAll(indexes, async (one, index) => {
      const struck = await one.sweep(index, ({ pid }) => withoutCore(pid, '--as=1', '--data=1'));
      if (struck.run.exitCode === null) died++;
      await expectEndsOrDies(one, struck);
    });
    expect(died).toBeGreaterThan(0);
  });
});
