import { execFileSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { itUnless, missingPrograms } from '../kit/needs.ts';
import {
  allIndexes,
  expectConverges,
  expectNotTorn,
  playAll,
  type RealCase,
  type Struck,
} from './real-case.ts';
import { tally } from './tally.ts';

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
  itUnless(
    noLimits,
    'succeeds or dies, and the next one does the rest: with little heap from the start',
    async () => {
      await playAll(heaps, async (one, mib) => {
        const env = { NODE_OPTIONS: `--max-old-space-size=${mib}` };
        const struck = await one.sweep(0, ({ pid }) => withoutCore(pid), { env });
        if (mib >= 40) expect(struck.run.exitCode).toBe(0);
        await expectEndsOrDies(one, struck);
      });
    },
  );

  itUnless(noLimits, 'the same without any more memory from any request on', async () => {
    let died = 0;
    await playAll(await allIndexes(), async (one, index) => {
      const struck = await one.sweep(index, ({ pid }) => withoutCore(pid, '--as=1', '--data=1'));
      if (struck.run.exitCode === null) died++;
      await expectEndsOrDies(one, struck);
    });
    expect(died).toBeGreaterThan(0);
  });
});
