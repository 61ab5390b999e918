import { beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { processesAvailable, standInImages } from '../../kit/emulator/index.ts';
import { startedOnce } from '../../kit/started.ts';
import { accountFor } from '../methods/methods-alone.ts';
import {
  methodsTried,
  ProcessCluster,
  podReport,
  type SweepOptions,
  type Swept,
  sidecarReport,
} from '../methods/process-cluster.ts';
import type { CatalogueCase, SweepName } from './cases.ts';
import { collectors } from './collectors.ts';
import { meshes } from './meshes.ts';
import { proxies } from './proxies.ts';

const cases = [...meshes, ...proxies, ...collectors];
const swap = { lastResort: [{ imageSwap: { image: 'docker.io/local/nop:1' } }] };

const why = processesAvailable();

it('every entry of the catalogue has a stand-in', () => {
  const known = catalogue.map(({ name }) => name);
  expect([...new Set(cases.map(({ profile }) => profile))].sort()).toEqual([...known].sort());
});

describe.skipIf(why)(`the catalogue ends sidecars through their own interfaces ${why ?? ''}`, () => {
  const cluster = startedOnce(() => ProcessCluster.start(standInImages));
  const swept = new Map<SweepName, Swept>();

  beforeAll(async () => {
    const { emulator } = cluster;
    const sweeps: Readonly<Record<SweepName, SweepOptions>> = {
      swapping: { policy: { ...swap, uncleanExit: 'allow' } },
      forbidding: {
        policy: { lastResort: [{ imageSwap: { image: 'docker.io/local/nop:1', commands: 'shipped' } }] },
      },
      unclean: { policy: { uncleanExit: 'allow' } },
      exec: { user: accountFor(emulator, 'exec', 'Command') },
      forward: { user: accountFor(emulator, 'forward', 'Http') },
    };
    for (const one of cases) cluster.createJob(jobOf(one));
    await cluster.untilStuck();
    const names = Object.keys(sweeps) as SweepName[];
    await Promise.all(names.map(async (name) => swept.set(name, await cluster.sweep(name, sweeps[name]))));
  });

  describe.each([...new Set(cases.map(({ profile }) => profile))])('%s', (profile) => {
    it.each(cases.filter((one) => one.profile === profile))('$title', (one) => {
      const { sweep = 'swapping', methods, outcome, heard, unfit } = one;
      const run = swept.get(sweep);
      if (!run) throw new Error(`${sweep} did not run`);
      const report = sidecarReport(run, jobName(one));

      expect(report.outcome).toMatchObject(outcome);
      expect(methodsTried(report)).toEqual(methods);
      expect(report.unfit).toMatchObject(unfit ?? report.unfit);
      const last = report.attempts.at(-1);
      if (last?.method !== 'ImageSwap') expect(last?.source).toEqual({ kind: 'Profile', profile });
      // The exit code is the one that the entry declares.
      if (report.outcome.kind === 'Stopped' && last?.expectedExitCode !== undefined) {
        expect(report.outcome.exitCode).toBe(last.expectedExitCode);
      }
      if (report.outcome.kind === 'Stopped') {
        const phase = report.outcome.exitCode === 0 ? 'Succeeded' : 'Failed';
        expect(podReport(run, jobName(one)).outcome).toMatchObject({ kind: 'Ended', phase });
        expect(cluster.podOf(jobName(one))?.status.phase).toBe(phase);
      }
      if (heard) expect(linesHeard(cluster.logs(jobName(one), one.sidecar.name))).toEqual(heard);
      if (one.main) expect(cluster.logs(jobName(one), 'main')).toBe('answered 403\n');
    });
  });
});

function jobName({ profile, name }: CatalogueCase): string {
  return `${profile}-${name}`;
}

function jobOf(one: CatalogueCase) {
  const { sweep = 'swapping', sidecar, main, annotations, spec } = one;
  return {
    name: jobName(one),
    sweep,
    sidecars: [sidecar],
    ...(main && { main }),
    ...(annotations && { annotations }),
    ...(spec && { spec }),
  };
}

function linesHeard(log: string): readonly string[] {
  return log.split('\n').filter((line) => line !== '' && line !== 'ready');
}
