import { afterEach, describe, expect, it } from 'vitest';
import type { ServiceAccountOptions } from '../../kit/emulator/index.ts';
import { podOutcome, sidecarOutcome, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

let cluster: TestCluster;
afterEach(() => cluster.stop());

type Rules = NonNullable<ServiceAccountOptions['rules']>;
const readPods: Rules[number] = {
  apiGroups: [''],
  resources: ['pods', 'namespaces'],
  verbs: ['get', 'list'],
};
const readNodes: Rules[number] = { apiGroups: [''], resources: ['nodes'], verbs: ['get'] };
const exec = (...verbs: string[]): Rules[number] => ({ apiGroups: [''], resources: ['pods/exec'], verbs });

async function sweepWith(rules: Rules) {
  cluster = await TestCluster.start([stuckPod(), stuckPod({ name: 'other' })]);
  const name = 'sweeper';
  const token = cluster.emulator.serviceAccount({ namespace: 'demo', name, rules, scope: 'Cluster' });
  return cluster.sweep(['--no-lock'], { user: { name, token } });
}

describe('a service account', () => {
  it('without pods/exec is refused, and the outcome names the missing permission', async () => {
    const { run, report } = await sweepWith([readPods, readNodes]);
    expect(sidecarOutcome(report)).toEqual({
      kind: 'StillRunning',
      because: { kind: 'Refused', message: 'needs get, create on pods/exec' },
    });
    expect(podOutcome(report)).toEqual({ kind: 'Stuck' });
    expect(report.warnings).toEqual([
      { kind: 'NoPermission', method: 'Signal', namespace: 'demo', needs: 'get, create on pods/exec' },
    ]);
    expect(run.exitCode).toBe(4);
  });

  it('with only the verb get is refused since Kubernetes 1.35, and nothing is tried', async () => {
    const { report } = await sweepWith([readPods, exec('get')]);
    expect(sidecarOutcome(report)).toMatchObject({ kind: 'StillRunning', because: { kind: 'Refused' } });
    expect(cluster.emulator.requests.some(({ subresource }) => subresource === 'exec')).toBe(false);
  });

  it('that loses its permission after the review gets the message of the API server', async () => {
    cluster = await TestCluster.start([stuckPod()]);
    const forbidden = {
      kind: 'Status',
      status: 'Failure',
      reason: 'Forbidden',
      message: 'no more',
      code: 403,
    };
    cluster.emulator.faults.add({ subresource: 'exec' }, { kind: 'Answer', status: 403, body: forbidden });
    const { report } = await cluster.sweep();
    expect(sidecarOutcome(report)).toEqual({
      kind: 'StillRunning',
      because: { kind: 'Refused', message: 'pods/exec needs the verbs get and create: no more' },
    });
  });

  it('with both verbs sweeps without further permissions', async () => {
    const { run, report } = await sweepWith([readPods, readNodes, exec('get', 'create')]);
    expect(sidecarOutcome(report)).toEqual({ kind: 'Stopped', exitCode: 0 });
    expect(run.exitCode).toBe(0);
    expect(report.warnings).toEqual([]);
  });

  it('that may not read nodes still sweeps, with one warning', async () => {
    const { run, report } = await sweepWith([readPods, exec('get', 'create')]);
    expect(run.exitCode).toBe(0);
    expect(report.warnings).toEqual([
      { kind: 'NodesUnreadable', message: expect.stringContaining('cannot get resource "nodes"') },
    ]);
  });

  it('that may not list pods in all namespaces exits 3 and reports the problem', async () => {
    const { run, report } = await sweepWith([]);
    expect(run.exitCode).toBe(3);
    expect(report.unread).toMatchObject([{ problem: 'Forbidden' }]);
    expect(report.totals.listed).toBe(0);
  });
});
