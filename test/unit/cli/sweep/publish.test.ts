import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Log } from '../../../../src/cli/sweep/log.ts';
import { groupPath, publish } from '../../../../src/cli/sweep/publish.ts';
import { listening } from '../../../builders/listening.ts';
import { finished, listed, reportOf, started } from '../../../builders/report.ts';

const report = reportOf(started(), ...listed(), finished);

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
    policy: { pushgatewayUrl: `http://127.0.0.1:${port}` },
    ...options,
  });
  login.close();
  expect(failures).toEqual(['could not write metrics to the Pushgateway: HTTP 302: it redirects to /login']);
});
