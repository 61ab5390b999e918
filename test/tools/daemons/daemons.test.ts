import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContainerOutcome } from '../../../src/model/outcome.ts';
import {
  methodsTried,
  ProcessCluster,
  podReport,
  sidecarReport,
} from '../../cluster/methods/process-cluster.ts';
import { processesAvailable, sharedPidNamespaceAvailable } from '../../kit/emulator/index.ts';
import { startedOnce } from '../../kit/started.ts';
import { cloudSqlProxyV1, containerOf, type Daemon, daemons, imageOf, missingDaemons } from './daemons.ts';

const listed: readonly Daemon[] = [...Object.values(daemons), cloudSqlProxyV1];
const images = Object.fromEntries(listed.map((daemon) => [daemon.image, imageOf(daemon)]));

const { pgbouncer, nginx, haproxy, haproxyWithMaster, stunnel, docker } = daemons;

/** For each Job: its daemon, the sidecar's name, and whether its pod shares the PID namespace. */
// biome-ignore format: one row a line
const byCatalogue = [
  { job: 'pgbouncer', daemon: pgbouncer, name: 'pgbouncer', profile: 'pgbouncer', does: 'INT', shared: false },
  { job: 'nginx', daemon: nginx, name: 'nginx-proxy', profile: 'nginx', does: 'QUIT', shared: false },
  { job: 'haproxy', daemon: haproxy, name: 'haproxy', profile: 'haproxy', does: 'USR1', shared: false },
  { job: 'haproxy-master', daemon: haproxyWithMaster, name: 'haproxy', profile: 'haproxy', does: 'USR1', shared: false },
  { job: 'stunnel', daemon: stunnel, name: 'stunnel', profile: 'stunnel', does: 'TERM', shared: false },
  { job: 'docker', daemon: docker, name: 'dind', profile: 'docker-in-docker', does: 'TERM', shared: false },
  { job: 'nginx-shared', daemon: nginx, name: 'nginx-proxy', profile: 'nginx', does: 'QUIT', shared: true },
  { job: 'haproxy-shared', daemon: haproxyWithMaster, name: 'haproxy', profile: 'haproxy', does: 'USR1', shared: true },
] as const;

/** The effect of TERM alone, which is why the catalogue has entries for them. */
const byTerm: readonly (readonly [job: string, daemon: Daemon, outcome: Partial<ContainerOutcome>])[] = [
  // Since 1.23 it would wait for its clients, find none, and exit 0.
  ['term-pgbouncer', pgbouncer, { kind: 'Stopped', exitCode: 1 }],
  ['term-nginx', nginx, { kind: 'Stopped', exitCode: 0 }],
  [
    'term-haproxy',
    haproxy,
    { kind: 'StillRunning', because: { kind: 'Immune', message: expect.any(String) } },
  ],
  ['term-stunnel', stunnel, { kind: 'Stopped', exitCode: 0 }],
  // It exits with 2 if a connection is open.
  ...(existsSync(cloudSqlProxyV1.binary)
    ? ([['term-cloud-sql-proxy-v1', cloudSqlProxyV1, { kind: 'Stopped', exitCode: 0 }]] as const)
    : []),
];

const why = processesAvailable() ?? sharedPidNamespaceAvailable() ?? missingDaemons();

describe.skipIf(why)(`Debian's daemons ${why ?? ''}`, () => {
  const cluster = startedOnce(() => ProcessCluster.start(images));

  beforeAll(async () => {
    for (const { job, daemon, name, shared } of byCatalogue) {
      const spec = { ...(shared && { shareProcessNamespace: true }) };
      cluster.createJob({ name: job, sweep: 'catalogue', sidecars: [containerOf(name, daemon)], spec });
    }
    for (const [job, daemon] of byTerm) {
      const annotations = { 'sidecar-sweeper.dev/sidecars': 'daemon' };
      cluster.createJob({ name: job, sweep: 'term', sidecars: [containerOf('daemon', daemon)], annotations });
    }
    await cluster.untilStuck();
    await cluster.sweepAll({ catalogue: {}, term: { policy: { uncleanExit: 'allow' } } });
  });

  describe('as PID 1 in the foreground, exit 0 with the catalogue', () => {
    it.each(byCatalogue)('$job', ({ job, profile, does }) => {
      const swept = cluster.swept('catalogue');
      const sidecar = sidecarReport(swept, job);
      expect([sidecar.outcome, methodsTried(sidecar)]).toEqual([
        { kind: 'Stopped', exitCode: 0 },
        ['Signal'],
      ]);
      expect(sidecar.attempts[0]).toMatchObject({
        source: { kind: 'Profile', profile },
        does: expect.stringContaining(does),
        expectedExitCode: 0,
      });
      expect(podReport(swept, job).outcome).toMatchObject({ kind: 'Ended', phase: 'Succeeded' });
      expect(cluster.podOf(job)?.status.phase).toBe('Succeeded');
    });
  });

  describe('without a catalogue entry, react to TERM in different ways', () => {
    it.each(byTerm)('%s', (job, _daemon, outcome) => {
      expect(sidecarReport(cluster.swept('term'), job).outcome).toMatchObject(outcome);
    });
  });
});
