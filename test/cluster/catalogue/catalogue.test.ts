import { beforeAll, describe, expect, it } from 'vitest';
import { processesAvailable, standInImages } from '../../kit/emulator/index.ts';
import { startedOnce } from '../../kit/started.ts';
import {
  accountFor,
  methodsTried,
  ProcessCluster,
  podReport,
  type SweepOptions,
  sidecarReport,
} from '../methods/process-cluster.ts';
import { type CatalogueCase, cases, type SweepName } from './cases.ts';

const noop = 'docker.io/local/nop:1';
const why = processesAvailable();

describe.skipIf(why)(`the catalogue ends sidecars through their own interfaces ${why ?? ''}`, () => {
  const cluster = startedOnce(() => ProcessCluster.start(standInImages));

  beforeAll(async () => {
    const { emulator } = cluster;
    const sweeps: Readonly<Record<SweepName, SweepOptions>> = {
      swapping: { policy: { lastResort: [{ imageSwap: { image: noop } }], uncleanExit: 'allow' } },
      forbidding: { policy: { lastResort: [{ imageSwap: { image: noop, commands: 'shipped' } }] } },
      unclean: { policy: { uncleanExit: 'allow' } },
      exec: { user: accountFor(emulator, 'exec', 'Command') },
      forward: { user: accountFor(emulator, 'forward', 'Http') },
    };
    for (const one of cases) {
      const { sweep = 'swapping', sidecar, main, annotations = {} } = one;
      const job = { name: jobName(one), sweep, sidecars: [sidecar], annotations };
      cluster.createJob({ ...job, ...(main && { main }) });
    }
    await cluster.untilStuck();
    await cluster.sweepAll(sweeps);
  });

  it.each(cases)('$profile: $title', (one) => {
    const { sweep = 'swapping', profile, sidecar, main, methods, heard, unfit } = one;
    const { outcome = { kind: 'Stopped', exitCode: 0 } } = one;
    const run = cluster.swept(sweep);
    const report = sidecarReport(run, jobName(one));
    expect(report.outcome).toMatchObject(outcome);
    expect(methodsTried(report)).toEqual(methods);
    expect(report.unfit).toMatchObject(unfit ?? report.unfit);
    const last = report.attempts.at(-1);
    if (last?.method !== 'ImageSwap') expect(last?.source).toEqual({ kind: 'Profile', profile });
    if (report.outcome.kind === 'Stopped') {
      const { exitCode } = report.outcome;
      // It is the one that the entry declares, if it declares one.
      expect(exitCode).toBe(last?.expectedExitCode ?? exitCode);
      const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
      expect(podReport(run, jobName(one)).outcome).toMatchObject({ kind: 'Ended', phase });
      expect(cluster.podOf(jobName(one))?.status.phase).toBe(phase);
    }
    if (heard) expect(cluster.heard(jobName(one), sidecar.name)).toEqual(heard);
    if (main) expect(cluster.logs(jobName(one), 'main')).toBe('answered 403\n');
  });
});

function jobName({ profile, name }: CatalogueCase): string {
  return `${profile}-${name}`;
}
