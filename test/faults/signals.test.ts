import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SweepReport } from '../../src/report/schema.ts';
import { playAll, type RealCase, type Struck } from './real-case.ts';
import { tally } from './tally.ts';

/** How long a process that is stopped may go on, in milliseconds. */
const longestEnd = 5_000;

/** The requests of a sweep that nobody disturbs. */
let indexes: readonly number[];
beforeAll(async () => {
  await playAll(
    [0],
    async (undisturbed) => {
      const { run, requests } = await undisturbed.sweep();
      expect(run.exitCode).toBe(0);
      indexes = requests.map((_, index) => index);
    },
    1,
  );
  expect(indexes.length).toBeGreaterThan(10);
});

/** The pods whose sidecars were signalled by the requests from this one on. */
function signalled({ requests }: Struck, from = 0): readonly string[] {
  return requests.slice(from).flatMap(({ subresource, name, status }) => {
    return subresource === 'exec' && status === 101 ? [name] : [];
  });
}

/** Whatever there is, is whole. */
function expectNotTorn({ file }: Struck): void {
  if (file !== undefined) expect(JSON.parse(file)).toHaveProperty('kind', 'SweepReport');
}

function expectReported({ namespace, pods }: RealCase, { file, run }: Struck): SweepReport {
  const report: SweepReport = JSON.parse(file ?? 'none');
  expect(run.exitCode, namespace).toBe(5);
  expect(report.run.stoppedEarly).toBe('Signal');
  expect(run.stdout.trimEnd().split('\n').at(-1)).toContain('stopped early (Signal)');
  if (report.unread.length === 0) expect(report.pods.map(({ name }) => name)).toEqual(['pod-0', 'pod-1']);
  for (const { name, outcome } of report.pods) {
    const phase = pods.find(({ metadata }) => metadata.name === name)?.status?.phase;
    if (outcome.kind === 'Ended') expect(phase, `${namespace}/${name}`).toBe('Succeeded');
  }
  return report;
}

/** The sweep that follows ends what is left, and signals nothing that has ended. */
async function expectConverges(one: RealCase): Promise<void> {
  const running = one.pods.flatMap(({ metadata, status }) => {
    const sidecar = status?.containerStatuses?.find(({ name }) => name === 'sidecar');
    return sidecar?.state?.running ? [metadata.name] : [];
  });
  const next = await one.sweep();
  expect(next.run.exitCode, next.run.stderr).toBe(0);
  expect(one.pods.map(({ status }) => status?.phase)).toEqual(['Succeeded', 'Succeeded']);
  expect(running).toEqual(expect.arrayContaining([...signalled(next)]));
}

describe('C7: SIGTERM or SIGINT at any request of a sweep', () => {
  it('ends it within 5 s with a whole report, sends nothing more, and leaves the rest to the next sweep', async () => {
    const cases = indexes.flatMap((index) => [
      { index, signal: 'SIGTERM' as const },
      { index, signal: 'SIGINT' as const },
    ]);
    await playAll(cases, async (one, { index, signal }) => {
      const struck = await one.sweep(index, async (sweeper) => {
        sweeper.kill(signal);
        // The request is served only when the process knows.
        await sweeper.hasLogged('"stopping: Signal"');
      });
      expect(struck.wentOn).toBeLessThan(longestEnd);
      expect(signalled(struck, index + 1)).toEqual([]);
      expectReported(one, struck);
      expect(struck.files).toEqual(['report']);
      if (index % 3 === 0) await expectConverges(one);
      tally('faults', 'C7', 1);
    });
  });

  it('twice ends it at once, without waiting for a report', async () => {
    await playAll(indexes, async (one, index) => {
      const struck = await one.sweep(index, async (sweeper) => {
        sweeper.kill('SIGINT');
        await sweeper.hasLogged('"stopping: Signal"');
        // What comes sooner is taken for the same key press.
        await setTimeout(600);
        sweeper.kill('SIGINT');
        await sweeper.hasLogged('nothing more: it has ended');
      });
      // Where the machine is busy, the first one has been enough.
      if (struck.run.exitCode === 5) expectReported(one, struck);
      else expect(struck.run).toMatchObject({ exitCode: 130, stdout: '' });
      expect(struck.wentOn).toBeLessThan(longestEnd);
      expectNotTorn(struck);
      tally('faults', 'C7', 1);
    });
  });
});

describe('C8: SIGKILL at any request of a sweep', () => {
  it('leaves nothing half done that the next sweep does not finish', async () => {
    await playAll(indexes, async (one, index) => {
      const struck = await one.sweep(index, async (sweeper) => {
        sweeper.kill('SIGKILL');
        await sweeper.hasLogged('nothing more: it has ended');
      });
      expect(struck.run).toMatchObject({ exitCode: null, stdout: '' });
      expectNotTorn(struck);
      one.expireLease();
      await expectConverges(one);
      tally('faults', 'C8', 1);
    });
  });
});
