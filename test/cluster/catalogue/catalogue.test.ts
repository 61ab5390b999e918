import { beforeAll, describe, expect, it } from 'vitest';
import { processesAvailable, sharedPidNamespaceAvailable, standInImages } from '../../kit/emulator/index.ts';
import { startedOnce } from '../../kit/started.ts';
import {
  accountFor,
  methodsTried,
  ProcessCluster,
  podReport,
  type SweepOptions,
  sidecarReport,
} from '../methods/process-cluster.ts';
import { cases, type SweepName } from './cases.ts';

const noop = 'docker.io/local/nop:1';
const allow = { uncleanExit: 'allow' };
const why = processesAvailable() ?? sharedPidNamespaceAvailable();
const numbered = cases.map((one, index) => ({ ...one, job: `case-${index}` }));

describe.skipIf(why)(`sidecars end through their own interfaces, or as other tools say ${why ?? ''}`, () => {
  const cluster = startedOnce(() => ProcessCluster.start(standInImages));

  beforeAll(async () => {
    const { emulator } = cluster;
    const sweeps: Readonly<Record<SweepName, SweepOptions>> = {
      swapping: { policy: { ...allow, lastResort: [{ imageSwap: { image: noop } }] } },
      forbidding: { policy: { lastResort: [{ imageSwap: { image: noop, commands: 'shipped' } }] } },
      unclean: { policy: allow },
      any: { policy: { ...allow, annotationCommands: 'any' } },
      exec: { user: accountFor(emulator, 'exec', 'Command') },
      forward: { user: accountFor(emulator, 'forward', 'Http') },
    };
    for (const { job: name, sidecar, more } of numbered) {
      const { sweep = 'swapping', main, annotations = {}, spec = {} } = more;
      cluster.createJob({ name, sweep, sidecars: [sidecar], annotations, spec, ...(main && { main }) });
    }
    await cluster.untilStuck();
    await cluster.sweepAll(sweeps);
  });

  it.each(numbered)('$profile: $title', ({ job, profile, sidecar, methods, heard, more }) => {
    const { sweep = 'swapping', main, unfit, command } = more;
    const { outcome = { kind: 'Stopped', exitCode: 0 } } = more;
    const run = cluster.swept(sweep);
    const report = sidecarReport(run, job);
    expect(report.outcome).toMatchObject(outcome);
    expect(methodsTried(report)).toEqual(methods);
    expect(report.unfit).toMatchObject(unfit ?? report.unfit);
    if (command) expect(report.attempts[0]?.command).toEqual(command);
    const last = report.attempts.at(-1);
    if (profile && last?.method !== 'ImageSwap') expect(last?.source).toEqual({ kind: 'Profile', profile });
    if (report.outcome.kind === 'Stopped') {
      const { exitCode } = report.outcome;
      // It is the one that the entry declares, if it declares one.
      expect(exitCode).toBe(last?.expectedExitCode ?? exitCode);
      const [phase, kind] = exitCode === 0 ? ['Succeeded', 'Complete'] : ['Failed', 'RunsAgain'];
      expect(podReport(run, job).outcome).toEqual({ kind: 'Ended', phase, job: { kind } });
      expect(cluster.podOf(job)?.status.phase).toBe(phase);
    }
    if (heard) expect(cluster.heard(job, sidecar.name)).toEqual(heard);
    if (main) expect(cluster.logs(job, 'main')).toBe('answered 403\n');
  });
});
