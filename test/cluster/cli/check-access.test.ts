import { describe, expect, it } from 'vitest';
import type { AccessReport } from '../../../src/report/access.ts';
import { policyFlag } from '../../kit/cli.ts';
import type { ServiceAccountOptions } from '../../kit/emulator/index.ts';
import { TestCluster } from '../../kit/stuck-pods.ts';

type Rules = NonNullable<ServiceAccountOptions['rules']>;

const rule = (group: string, resource: string, ...verbs: readonly string[]) => ({
  apiGroups: [group],
  resources: [resource],
  verbs: [...verbs],
});
const pods = rule('', 'pods', 'get', 'list');
const namespaces = rule('', 'namespaces', 'get');
const jobs = rule('batch', 'jobs', 'get');
const nodes = rule('', 'nodes', 'get');
const exec = rule('', 'pods/exec', 'get', 'create');
const portForward = rule('', 'pods/portforward', 'get', 'create');
/** All that a sweep needs without flags. */
const enough = [pods, namespaces, jobs, nodes, exec, portForward];
/** Optional: these only save requests. */
const lists = ['list namespaces', 'list batch/jobs', 'list nodes'];

const cluster = TestCluster.startedOnce();
let accounts = 0;

async function checkAs(
  rules: Rules,
  argv: readonly string[] = ['--no-lock'],
  scope: ServiceAccountOptions['scope'] = 'Cluster',
) {
  const name = `account-${++accounts}`;
  const token = cluster.emulator.serviceAccount({ namespace: 'demo', name, rules, scope });
  return cluster.runHere(['check-access', '-o', 'json', ...argv], { user: { name, token } });
}

async function reportAs(...args: Parameters<typeof checkAs>): Promise<AccessReport> {
  return JSON.parse((await checkAs(...args)).stdout);
}

const inWords = ({ verb, group, resource, subresource }: AccessReport['permissions'][number]) =>
  `${verb} ${[group, resource, subresource].filter(Boolean).join('/')}`;

function denied({ permissions }: AccessReport): readonly string[] {
  return permissions.filter((one) => one.allowed === 'No' && !one.optional).map(inWords);
}

describe('check-access', () => {
  it('checks every permission that a sweep needs, and exits 0 with exactly those', async () => {
    const { exitCode, stdout } = await checkAs(enough);
    expect(exitCode).toBe(0);
    const report: AccessReport = JSON.parse(stdout);
    expect(denied(report)).toEqual([]);
    expect(report.rulesToAdd).toEqual([]);
    expect(report.permissions.map(inWords)).toEqual([
      ...['get pods', 'list pods', 'get namespaces', 'list namespaces', 'get batch/jobs', 'list batch/jobs'],
      ...['get nodes', 'list nodes', 'get pods/exec', 'create pods/exec'],
      ...['get pods/portforward', 'create pods/portforward'],
    ]);
    const optional = report.permissions.filter((one) => one.optional && one.allowed === 'No');
    expect(optional.map(inWords)).toEqual(lists);
  });

  it.each([
    ['pods', pods, ['get pods', 'list pods']],
    ['namespaces', namespaces, ['get namespaces']],
    ['jobs', jobs, ['get batch/jobs']],
    ['nodes', nodes, ['get nodes']],
    ['exec', exec, ['get pods/exec', 'create pods/exec']],
    ['port-forward', portForward, ['get pods/portforward', 'create pods/portforward']],
  ])('reports missing %s permissions with the rule to add, and exits 4', async (_name, missing, verbs) => {
    const { exitCode, stdout } = await checkAs(enough.filter((each) => each !== missing));
    expect(exitCode).toBe(4);
    const report: AccessReport = JSON.parse(stdout);
    expect(denied(report)).toEqual(verbs);
    expect(report.rulesToAdd).toEqual([{ rules: [missing] }]);
  });

  it.each<readonly [fields: object, missing: string, purpose: string]>([
    [{ raiseBackoffLimit: true }, 'patch batch/jobs', 'raise the backoffLimit for image swaps'],
    [{ namespaceSelector: 'team=a' }, 'list namespaces', 'select namespaces by their labels'],
    [{ keepLogs: 20 }, 'get pods/log', 'keep logs that a swap would delete'],
  ])('with %j, it also requires %s', async (fields, missing, purpose) => {
    const report = await reportAs(enough, ['--no-lock', ...policyFlag(fields)]);
    expect(denied(report)).toEqual([missing]);
    expect(report.permissions.find((one) => inWords(one) === missing)?.for).toContain(purpose);
  });

  it('checks the permissions of steps for whole pods that a profile of the policy has', async () => {
    const profiles = [{ name: 'old', containers: ['old'], images: ['acme/old'], steps: [{ evict: true }] }];
    const report = await reportAs(enough, ['--no-lock', ...policyFlag({ profiles })]);
    expect(denied(report)).toEqual(['create pods/eviction']);
  });

  it('checks what the flags and the policy enable', async () => {
    const lastResort = [{ imageSwap: { image: 'noop:1' } }, { evict: true }, { deadline: true }];
    const report = await reportAs(enough, ['--lock', 'locks', ...policyFlag({ lastResort, events: true })]);
    expect(denied(report)).toEqual([
      'patch pods',
      'create pods/eviction',
      'create events.k8s.io/events',
      // Two Leases, by their names.
      ...['create', 'get', 'get', 'update', 'update'].map((verb) => `${verb} coordination.k8s.io/leases`),
    ]);
    expect(report.rulesToAdd.map(({ namespace }) => namespace)).toEqual([undefined, 'locks']);
    expect(report.permissions.find(({ verb }) => verb === 'patch')?.for).toBe('image-swap, deadline');
  });

  it('checks each given namespace, and reports where a rule belongs', async () => {
    const own = [pods, namespaces, jobs, exec, portForward];
    const report = await reportAs(own, ['--no-lock', '-n', 'demo', '-n', 'other'], 'Namespace');
    expect(report.rulesToAdd.map(({ namespace }) => namespace)).toEqual(['other', undefined]);
    expect(report.rulesToAdd.map(({ rules }) => rules)).toEqual([own, [nodes]]);
  });
});
