import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type PodExplanation, podExplanation } from '../../../src/report/explain/explanation.ts';
import type { Scan } from '../../../src/report/scan.ts';
import { podsOfJob } from '../../kit/stuck-jobs.ts';
import { container, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

/** With the collector that Katib's webhook adds, inject_webhook.go, and a mesh. */
const collector = 'metrics-logger-and-collector';
const trial = stuckPod({
  name: 'trial',
  namespace: 'katib',
  metadata: { labels: { 'katib.kubeflow.org/trial': 'trial' }, annotations: {} },
  spec: {
    shareProcessNamespace: true,
    containers: [
      container('training'),
      container(collector, { image: 'ghcr.io/kubeflow/katib/file-metrics-collector:v0.19.0' }),
      container('istio-proxy', { image: 'docker.io/istio/proxyv2:1.27.0' }),
    ],
  },
  states: { training: { kind: 'terminated', exitCode: 0, finishedAt: new Date(Date.now() - 3_600_000) } },
});
const annotations = { 'nrmitchi.com/sidecars': 'sidecar', 'kubectl.kubernetes.io/default-container': 'main' };
const cluster = TestCluster.startedOnce([
  stuckPod({ annotations }),
  stuckPod({ name: 'young', endedMinutesAgo: 1 }),
  stuckPod({ name: 'system', namespace: 'kube-system' }),
  trial,
  stuckPod({ name: 'typo', annotations: { 'sidecar-sweeper.dev/sidecars': 'sidcar' } }),
]);

beforeAll(() => {
  const { world } = cluster.emulator;
  const pod = { name: 'work-0', annotations: { 'sidecar-sweeper.dev/sidecars': '' } };
  world.placePods(podsOfJob(world, { injected: 'sidecar', pod }));
});

async function explain(...argv: readonly string[]): Promise<PodExplanation> {
  const { stdout, exitCode } = await cluster.runHere(['explain', ...argv, '-o', 'json']);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

function reader(name: string, ...resources: readonly string[]): { user: { name: string; token: string } } {
  const rules = resources.map((resource) => ({
    apiGroups: ['', 'batch'],
    resources: [resource],
    verbs: ['get', 'list'],
  }));
  return { user: { name, token: cluster.emulator.serviceAccount({ namespace: 'demo', name, rules }) } };
}

describe('explain', () => {
  it('reads the Job even if a sweep would not need its evidence', async () => {
    const { containers } = await explain('demo/work-0');
    expect(containers[1]).toMatchObject({
      evidence: [{ because: { kind: 'NotInJobTemplate', job: 'work' } }],
    });
  });

  it('says of a trial of Katib what it waits for, and what to set', async () => {
    const { stdout } = await cluster.runHere(['explain', 'katib/trial', '-o', 'table']);
    expect(stdout).toContain(`katib/trial is left alone: ${collector} is running`);
    expect(stdout).toMatch(
      /collector +main .* those of a mesh included; .* set waitAllProcesses: false in katib-config, or/,
    );
  });

  it('names the missing permission if evidence cannot be read', async () => {
    const { stdout, exitCode } = await cluster.runHere(
      ['explain', 'demo/work-0', '-o', 'table'],
      reader('pods-only', 'pods', 'namespaces'),
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^warning: cannot read everything about the Jobs in demo.*grant get on jobs with the rule /m,
    );
    expect(stdout).toMatch(/^warning: cannot read nodes.*grant get on nodes with the rule /m);
  });

  it('exits 3 if the namespace of the pod cannot be read', async () => {
    const { stdout, stderr, exitCode } = await cluster.runHere(
      ['explain', 'demo/stuck', '-o', 'table'],
      reader('no-namespaces', 'pods', 'jobs', 'nodes'),
    );
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/^demo\/stuck is left alone: its namespace cannot be read/);
    expect(stderr).toMatch(/^sidecar-sweeper: cannot read namespace demo.*with the rule /);
  });

  it('prints one line and exits 3 if the pod is forbidden', async () => {
    const forbidden = await cluster.runHere(['explain', 'demo/stuck'], reader('nothing'));
    expect(forbidden.exitCode).toBe(3);
    expect(forbidden.stderr).toMatch(
      /^sidecar-sweeper: the pod demo\/stuck cannot be read: .*forbidden.*grant get, list on pods with the rule .*\n$/,
    );
  });
});

it.each([
  ['namespaces', '[other]'],
  ['labelSelector', 'team=a'],
])('explain says that %s of its policy leave a pod out unless it is named', async (field, value) => {
  const path = `${cluster.folder}/${field}.yaml`;
  writeFileSync(path, `apiVersion: sidecar-sweeper.dev/v1\nkind: SweepPolicy\n${field}: ${value}\n`);
  const { stdout } = await cluster.runHere(['explain', 'demo/stuck', '--policy', path]);
  expect(stdout).toMatch(
    new RegExp(
      `: a sweep that names it would .*; any other leaves it out, because of the ${field} of its scope\n`,
    ),
  );
  expect(stdout).toContain('A sweep that names it would now:');
});

it('explain says of a system namespace that a sweep acts there if it is named, or the pod is', async () => {
  const { stdout } = await cluster.runHere(['explain', 'kube-system/system']);
  expect(stdout).toContain('only a sweep that names the namespace or the pod acts there');
});

describe('explain of several pods', () => {
  it('takes names as kubectl does, and tells of each that does not exist', async () => {
    const { stdout, stderr, exitCode } = await cluster.runHere([
      ...['explain', 'pod/stuck', 'young', 'nobody', '-n', 'demo'],
      ...['-o', 'json'],
    ]);
    const { kind, items } = JSON.parse(stdout);
    expect(kind).toBe('PodExplanationList');
    for (const item of items) expect(podExplanation.safeParse(item).error).toBeUndefined();
    expect(items.map(({ pod }: PodExplanation) => pod.name)).toEqual(['stuck', 'young']);
    expect(stderr).toBe('sidecar-sweeper: the pod demo/nobody does not exist\n');
    expect(exitCode).toBe(3);
  });

  it('selects pods by their labels, and says if there are none', async () => {
    const some = await cluster.runHere(['explain', '-n', 'demo', '-l', '!none', '-o', 'ndjson']);
    expect(some.exitCode).toBe(0);
    const explained: PodExplanation[] = some.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(explained).toHaveLength(4);
    const key = 'sidecar-sweeper.dev/sidecars';
    const remarks = explained.map((one) => one.remarks).filter(({ length }) => length > 0);
    expect(remarks).toEqual([[{ kind: 'UnknownContainer', key, container: 'sidcar' }]]);
    const none = await cluster.runHere(['explain', '-A', '-l', 'none']);
    expect(none).toMatchObject({
      exitCode: 0,
      stderr: 'sidecar-sweeper: no pod with these labels could be stuck\n',
    });
  });
});

describe('a namespace that does not exist', () => {
  it.each([
    [['scan', '-n', 'nope']],
    [['explain', 'nope/x']],
    [['explain', '-n', 'nope', '-l', 'app=x']],
    [['explain', '-n', 'demo', '-n', 'nope', '-l', '!none']],
    [['advise', '-n', 'nope']],
    [['--dry-run', '-n', 'nope']],
  ])('is named as such by %j', async (argv) => {
    const { exitCode, stderr } = await cluster.runHere(argv);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/namespace nope does not exist/);
  });

  it('is not told from an empty one by who may not read it', async () => {
    const { exitCode, stderr } = await cluster.runHere(['scan', '-n', 'nope'], reader('blind', 'pods'));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});

it('scan needs and uses only get and list', async () => {
  const before = cluster.emulator.requests.length;
  const { exitCode, stdout } = await cluster.runHere(
    ['scan', '-o', 'json'],
    reader('scanner', 'pods', 'jobs', 'nodes', 'namespaces'),
  );
  expect(exitCode).toBe(0);
  const found: Scan = JSON.parse(stdout);
  expect(found.candidates).toHaveLength(2);
  expect(found.warnings).toEqual([]);
  const verbs = new Set(cluster.emulator.requests.slice(before).map(({ verb }) => verb));
  expect([...verbs].sort()).toEqual(['get', 'list']);
});
