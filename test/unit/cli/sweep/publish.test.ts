import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Log } from '../../../../src/cli/sweep/log.ts';
import { groupPath, publish, textfileOf } from '../../../../src/cli/sweep/publish.ts';
import { toMetrics } from '../../../../src/report/metrics.ts';
import { listening } from '../../../builders/listening.ts';
import { now } from '../../../builders/pod-view.ts';
import { finished, listed, reportOf, started } from '../../../builders/report.ts';
import { temporaryFolder } from '../../../kit/started.ts';

const report = reportOf(started(), ...listed(), finished);
const folder = temporaryFolder('metrics');

describe('the group of a Pushgateway', () => {
  it('names the job, the shard and the cluster', () => {
    expect(groupPath({})).toBe('/metrics/job/sidecar-sweeper');
    const expected = '/metrics/job/sidecar-sweeper/shard/0/cluster/prod%20eu';
    expect(groupPath({ shard: '0', cluster: 'prod eu' })).toBe(expected);
  });

  // https://github.com/prometheus/pushgateway#about-the-job-and-instance-labels
  it('has a cluster whose name has slashes, as that of EKS, in base64', () => {
    const cluster = 'arn:aws:eks:eu-west-1:111122223333:cluster/prod';
    const [, encoded = ''] =
      /^\/metrics\/job\/sidecar-sweeper\/cluster@base64\/([\w-]+)$/.exec(groupPath({ cluster })) ?? [];
    expect(Buffer.from(encoded, 'base64url').toString()).toBe(cluster);
  });
});

it('does not take a redirect to a login page for a success', async () => {
  const login = createServer(({ url }, response) => {
    if (url === '/login') response.end('<html>');
    else response.writeHead(302, { location: '/login' }).end();
  });
  const port = await listening(login);
  const failures: unknown[] = [];
  const log = {
    catchFailure: (act: () => Promise<void>) => act().catch((error) => void failures.push(error.message)),
  } as Log;
  const options = { files: {}, log, over: new AbortController().signal, wait: <T>(written: T) => written };
  await publish(report, 0, {
    policy: { pushgatewayUrl: `http://127.0.0.1:${port}`, metricsFile: undefined },
    ...options,
  });
  login.close();
  expect(failures).toEqual(['could not write metrics to the Pushgateway: HTTP 302: it redirects to /login']);
});

describe('a metrics file', () => {
  it('is in Prometheus’ text format', async () => {
    expect(await textfileOf(toMetrics(report, 0), join(folder, 'sweep.prom'))).toContain(
      '# TYPE sidecar_sweeper_stuck_pods gauge\nsidecar_sweeper_stuck_pods{outcome="Blocked"} 0\n',
    );
  });

  it('keeps only the time of the last success if a sweep fails', async () => {
    const file = join(folder, 'sweep.prom');
    for (const exitCode of [0, 3, 3]) {
      await writeFile(file, await textfileOf(toMetrics(report, exitCode), file));
    }
    const text = await textfileOf(toMetrics(report, 3), file);
    expect(text.match(/^sidecar_sweeper_last_success_timestamp_seconds .*$/gm)).toEqual([
      `sidecar_sweeper_last_success_timestamp_seconds ${now / 1000 + 4}`,
    ]);
    expect(text).toContain('sidecar_sweeper_last_run_exit_code 3\n');
  });

  it('is not read if it is a device, which may have no end', async () => {
    expect(await textfileOf(toMetrics(report, 3), '/dev/zero')).toContain('last_run_exit_code 3\n');
  });
});
