import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { AccessReport } from '../../../src/report/access/access.ts';
import type { ServiceAccountOptions } from '../../kit/emulator/index.ts';
import { TestCluster } from '../../kit/stuck-pods.ts';

type Rules = NonNullable<ServiceAccountOptions['rules']>;
const look: Rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }];
const namespaces = { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] };
const nodes = { apiGroups: [''], resources: ['nodes'], verbs: ['get'] };
/** Optional: these only spare requests. */
const lists = ['list namespaces', 'list batch/jobs', 'list nodes'];
const jobs = { apiGroups: ['batch'], resources: ['jobs'], verbs: ['get'] };
const exec = { apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] };
const portForward = { apiGroups: [''], resources: ['pods/portforward'], verbs: ['get', 'create'] };

let cluster: TestCluster;
let accounts = 0;
beforeAll(async () => {
  cluster = await TestCluster.start();
});
afterAll(() => cluster.stop());

/** Runs the command as an account with these rules. */
async function checkAs(
  rules: Rules,
  argv: readonly string[] = ['--no-lock'],
  scope: ServiceAccountOptions['scope'] = 'Cluster',
) {
  const name = `account-${++accounts}`;
  const token = cluster.emulator.serviceAccount({ namespace: 'demo', name, rules, scope });
  return cluster.run(['check-access', '-o', 'json', ...argv], { user: { name, token } });
}

async function reportAs(...args: Parameters<typeof checkAs>): Promise<AccessReport> {
  return JSON.parse((await checkAs(...args)).stdout);
}

const denied = ({ permissions }: AccessReport) =>
  permissions.flatMap(({ allowed, optional, verb, group, resource, subresource }) =>
    allowed === 'No' && !optional
      ? [`${verb} ${[group, resource, subresource].filter(Boolean).join('/')}`]
      : [],
  );

describe('check-access', () => {
  it('checks every permission that a sweep needs, and exits 0 with exactly those', async () => {
    const report = await reportAs([...look, namespaces, jobs, nodes, exec, portForward]);
    expect(denied(report)).toEqual([]);
    expect(report.rulesToAdd).toEqual([]);
    expect(
      report.permissions.map(({ verb, resource, subresource = '' }) => `${verb} ${resource} ${subresource}`),
    ).toEqual([
      'get pods ',
      'list pods ',
      'get namespaces ',
      'list namespaces ',
      'get jobs ',
      'list jobs ',
      'get nodes ',
      'list nodes ',
      'get pods exec',
      'create pods exec',
      'get pods portforward',
      'create pods portforward',
    ]);
    const optional = report.permissions.filter((one) => one.optional && one.allowed === 'No');
    expect(
      optional.map(({ verb, group, resource }) => `${verb} ${[group, resource].filter(Boolean).join('/')}`),
    ).toEqual(lists);
    expect((await checkAs([...look, namespaces, jobs, nodes, exec, portForward])).exitCode).toBe(0);
  });

  it.each([
    ['pods', look[0], ['get pods', 'list pods']],
    ['namespaces', namespaces, ['get namespaces']],
    ['jobs', jobs, ['get batch/jobs']],
    ['nodes', nodes, ['get nodes']],
    ['exec', exec, ['get pods/exec', 'create pods/exec']],
    ['port-forward', portForward, ['get pods/portforward', 'create pods/portforward']],
  ])('reports missing %s permissions with the rule to add, and exits 4', async (_name, rule, missing) => {
    const rest = [...look, namespaces, jobs, nodes, exec, portForward].filter((each) => each !== rule);
    const run = await checkAs(rest);
    const report: AccessReport = JSON.parse(run.stdout);
    expect(denied(report)).toEqual(missing);
    expect(report.rulesToAdd).toEqual([{ rules: [rule] }]);
    expect(run.exitCode).toBe(4);
    expect(
      (await checkAs([...rest, ...report.rulesToAdd.flatMap(({ rules }) => rules as Rules)])).exitCode,
    ).toBe(0);
  });

  it('checks patch on jobs only if the policy lets a backoffLimit be raised', async () => {
    const report = await reportAs(
      [...look, namespaces, jobs, nodes, exec, portForward],
      ['--no-lock', '--raise-backoff-limit'],
    );
    expect(denied(report)).toEqual(['patch batch/jobs']);
    expect(report.rulesToAdd).toEqual([
      { rules: [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['patch'] }] },
    ]);
  });

  it('requires list on namespaces only to select them by their labels', async () => {
    const report = await reportAs(
      [...look, namespaces, jobs, nodes, exec, portForward],
      ['--no-lock', '--namespace-selector', 'team=a'],
    );
    expect(denied(report)).toEqual(['list namespaces']);
  });

  it('requires both verbs for exec', async () => {
    const getOnly = { ...exec, verbs: ['get'] };
    expect(denied(await reportAs([...look, namespaces, jobs, nodes, portForward, getOnly]))).toEqual([
      'create pods/exec',
    ]);
  });

  it('checks what the flags and the policy enable', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-access-'));
    const policy = join(folder, 'policy.yaml');
    const lastResort = [{ imageSwap: { image: 'noop:1' } }, { evict: true }, { deadline: true }];
    await writeFile(
      policy,
      JSON.stringify({ apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy', lastResort }),
    );
    const report = await reportAs(
      [...look, namespaces, jobs, nodes, exec, portForward],
      ['--events', '--lock', 'locks', '--policy', policy],
    );
    await rm(folder, { recursive: true });
    expect(denied(report)).toEqual([
      'patch pods',
      'create pods/eviction',
      'create events.k8s.io/events',
      'create coordination.k8s.io/leases',
      'get coordination.k8s.io/leases',
      'update coordination.k8s.io/leases',
    ]);
    expect(report.rulesToAdd.map(({ namespace }) => namespace)).toEqual([undefined, 'locks']);
    expect(report.permissions.find(({ verb }) => verb === 'patch')?.for).toBe('image-swap, deadline');
  });

  it('asks for the logs only with --keep-logs', async () => {
    const report = await reportAs(
      [...look, namespaces, jobs, nodes, exec, portForward],
      ['--no-lock', '--keep-logs', '20'],
    );
    expect(denied(report)).toEqual(['get pods/log']);
    expect(report.permissions.at(-1)?.for).toBe('keep logs that a swap would delete');
  });

  it('checks each given namespace, and reports where a rule belongs', async () => {
    const report = await reportAs(
      [...look, namespaces, jobs, exec, portForward],
      ['--no-lock', '-n', 'demo', '-n', 'other'],
      'Namespace',
    );
    expect(report.rulesToAdd.map(({ namespace }) => namespace)).toEqual(['other', undefined]);
    expect(report.rulesToAdd[1]?.rules).toEqual([nodes]);
    expect(report.rulesToAdd[0]?.rules).toEqual([...look, namespaces, jobs, exec, portForward]);
  });

  it('prints a table, and rules to paste', async () => {
    const { stdout, stderr } = await checkAs(
      [...look, namespaces, jobs, nodes, portForward],
      ['--no-lock', '-o', 'table'],
    );
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\(all\) +list +batch\/jobs +no +read many Jobs at once \(optional\)$/m);
    expect(stdout).toMatch(/^\(all\) +create +pods\/exec +no +command, signal, tombstone$/m);
    const [, yaml = ''] = stdout.split('Add to a ClusterRole that is bound to this account:');
    expect(parse(yaml)).toEqual({ rules: [exec] });
  });
});
