import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { warningPolicy } from '../../scripts/warning-policy.ts';
import {
  type Container,
  emulatorClock,
  ensureNamespace,
  ensureObject,
  type Job,
  type JobManifest,
  type KubeObject,
  type Pod,
} from '../kit/emulator/index.ts';
import { runHere } from '../kit/run-here.ts';
import { temporaryFolder } from '../kit/started.ts';
import { ownedBy } from '../kit/stuck-pods.ts';
import { type PatchType, stage } from './emulator/server/stage.ts';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const plurals: Readonly<Record<string, string>> = {
  MutatingAdmissionPolicy: 'mutatingadmissionpolicies',
  MutatingAdmissionPolicyBinding: 'mutatingadmissionpolicybindings',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
};
const work: Container = { name: 'main', image: 'registry.example.com/work:1' };
const agent: Container = { name: 'vault-agent', image: 'docker.io/hashicorp/vault:1.20' };
const status = 'vault.hashicorp.com/agent-inject-status';
const vaultAnnotations = { 'vault.hashicorp.com/agent-inject': 'true' };

interface CronJob extends KubeObject {
  readonly spec: { readonly jobTemplate: Pick<Job, 'spec'> };
}

const cluster = stage({
  clock: emulatorClock(100),
  // As a native sidecar, it may end as it likes.
  behaviours: (pod, { name }) =>
    name === 'main'
      ? { ends: { exitCode: 0, after: 2_000 } }
      : { on: { SIGTERM: { exitCode: pod.metadata.labels?.['job-name'] === 'payroll-before' ? 0 : 143 } } },
  // vault-k8s, agent-inject/agent/agent.go: it marks the pod, and leaves one with the mark alone.
  webhook: {
    reinvocationPolicy: 'IfNeeded',
    rewrite(pod) {
      const { annotations = {} } = pod.metadata;
      if (!annotations['vault.hashicorp.com/agent-inject'] || annotations[status]) return pod;
      const metadata = { ...pod.metadata, annotations: { ...annotations, [status]: 'injected' } };
      return { ...pod, metadata, spec: { ...pod.spec, containers: [...pod.spec.containers, agent] } };
    },
  },
});
const folder = temporaryFolder('cure');

/** Runs this program, or `kubectl` as far as the page uses it. */
async function sweeper(line: string): Promise<string> {
  const [, ...argv] = line.split(' ');
  const run = await runHere(argv, { KUBECONFIG: join(folder, 'kubeconfig'), NO_COLOR: '1' });
  expect([run.exitCode, run.stderr]).toEqual([0, expect.not.stringContaining('sidecar-sweeper: ')]);
  return run.stdout;
}

async function ask(method: string, path: string, body: unknown, as?: PatchType) {
  const answer = await cluster.ask(method, path, { body, ...(as && { as }) });
  expect(answer).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
  return answer;
}

async function apply(manifests: string): Promise<void> {
  const objects = parseAllDocuments(manifests).map((document): unknown => document.toJS());
  expect(objects).not.toContain(null);
  for (const object of objects as KubeObject[]) {
    await ask('POST', `/apis/admissionregistration.k8s.io/v1/${plurals[object.kind]}`, object);
  }
}

const label = (namespace: string, key: string, value: string | null) =>
  ask('PATCH', `/api/v1/namespaces/${namespace}`, { metadata: { labels: { [key]: value } } }, 'merge');

// biome-ignore format: one row a line
const commands: readonly (readonly [RegExp, (...words: readonly string[]) => unknown])[] = [
  [/^kubectl apply -f (\S+)$/, (file = '') => apply(readFileSync(join(folder, file), 'utf8'))],
  [/^kubectl label namespace (\S+) (\S+)=(\S+)$/, (namespace = '', key = '', value = '') => label(namespace, key, value)],
  [/^kubectl label namespace (\S+) (\S+)-$/, (namespace = '', key = '') => label(namespace, key, null)],
  [/^kubectl create job (\S+) --from=cronjob\/(\S+) -n payroll$/, (job = '', from = '') => createJob(job, from)],
  [/^kubectl wait --for=condition=complete job\/(\S+) -n payroll --timeout=5m$/, (job = '') => untilComplete(job)],
];

async function runLine(line: string): Promise<string> {
  const [command = '', file] = line.split(' > ');
  if (command.startsWith('sidecar-sweeper ')) {
    const printed = await sweeper(command);
    if (file) writeFileSync(join(folder, file), printed);
    return printed;
  }
  const [pattern, act] = commands.find(([one]) => one.test(command)) ?? [];
  if (!pattern || !act) expect.fail(`the page has a line that is not run: ${line}`);
  await act(...(pattern.exec(command) ?? []).slice(1));
  return '';
}

function createCronJob(name: string, spec: object): void {
  const metadata = { name, namespace: 'payroll', uid: name, generation: 1 };
  ensureObject(cluster.emulator.world, { apiVersion: 'batch/v1', kind: 'CronJob', metadata, spec });
}

function cronJobOf(name: string): CronJob {
  return cluster.emulator.world.store.get<CronJob>('cronjobs', 'payroll', name) ?? expect.fail(`no ${name}`);
}

function createJob(name: string, cronJob: string): void {
  const { metadata, spec } = cronJobOf(cronJob);
  cluster.emulator.world.createJob({
    metadata: { name, namespace: 'payroll', ...ownedBy('CronJob', metadata.name, metadata.uid) },
    spec: structuredClone(spec.jobTemplate.spec),
  } as JobManifest);
}

function conditionOf(job: string): string | undefined {
  const { store } = cluster.emulator.world;
  const { status } = store.get<Job>('jobs', 'payroll', job) ?? expect.fail(`no job ${job}`);
  return status.conditions?.find((each) => ['Complete', 'Failed'].includes(each.type))?.type;
}

function untilComplete(job: string): Promise<void> {
  return vi.waitFor(() => expect(conditionOf(job)).toBe('Complete'), { timeout: 20_000 });
}

function podOf(job: string): Pod {
  const pods = cluster.emulator.world.store.list<Pod>('pods', 'payroll');
  const pod = pods.find(({ metadata }) => metadata.labels?.['job-name'] === job);
  return pod ?? expect.fail(`no pod of ${job}`);
}

/** Waits until a pod has been stuck for longer than --min-age. */
function untilStuck(job: string): Promise<void> {
  return vi.waitFor(
    () => {
      const main = podOf(job).status.containerStatuses?.find(({ name }) => name === 'main');
      const ended = Date.parse(main?.state.terminated?.finishedAt ?? '');
      expect(cluster.emulator.clock.now().getTime() - ended).toBeGreaterThan(6 * 60_000);
    },
    { timeout: 30_000 },
  );
}

const template = {
  metadata: { annotations: vaultAnnotations },
  spec: { restartPolicy: 'Never', containers: [work] },
};

beforeAll(() => {
  writeFileSync(join(folder, 'kubeconfig'), cluster.emulator.kubeconfig());
  ensureNamespace(cluster.emulator.world, 'payroll');
  const schedule = '0 3 * * *';
  createCronJob('payroll', { schedule, jobTemplate: { spec: { backoffLimit: 0, template } } });
});

describe('docs/cure.md', () => {
  const lines = [...read('docs/cure.md').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.trimEnd().split('\n'),
  );

  it('takes an operator from advice to a namespace in which an agent that exits with 143 never sticks', async () => {
    createJob('payroll-before', 'payroll');
    await untilStuck('payroll-before');
    expect(conditionOf('payroll-before')).toBeUndefined();

    const printed = new Map<string, string>();
    for (const line of lines) printed.set(line, await runLine(line));
    const advised = printed.get(lines[0] ?? '');
    expect(advised).toContain('cure for vault-agent in all new pods: an admission policy');
    expect(advised).toContain(lines.find((line) => line.startsWith('kubectl label')));
    expect(advised).toContain('add -o admission-policy to this command');

    const { spec } = podOf('payroll-now');
    expect(spec.containers.map(({ name }) => name)).toEqual(['main']);
    expect(spec.initContainers?.at(-1)).toMatchObject({ ...agent, restartPolicy: 'Always' });
    // The Job of before was as stuck as ever, until the last line.
    expect(printed.get(lines.at(-1) ?? '')).toContain('payroll-before');
    await untilComplete('payroll-before');
  });

  it('is undone by its last label: the agent of the next Job is a regular container again', async () => {
    const undo = /`(kubectl label namespace payroll \S+-)`/.exec(read('docs/cure.md'))?.[1] ?? expect.fail();
    await runLine(undo);
    createJob('payroll-undone', 'payroll');
    const names = () => podOf('payroll-undone').spec.containers.map(({ name }) => name);
    await vi.waitFor(() => expect(names()).toEqual(['main', 'vault-agent']));
  });
});

describe('manifests/policies/regular-sidecars', () => {
  it('is made from the catalogue; `npm run schema` writes it', () => {
    expect(read('manifests/policies/regular-sidecars/policy.yaml')).toBe(warningPolicy());
  });

  const native = { ...agent, restartPolicy: 'Always' };
  const job = (spec: object) => ({ template: { spec: { restartPolicy: 'Never', ...spec } } });
  // biome-ignore format: one row a line
  it.each<readonly [what: string, plural: string, spec: object, warns: boolean]>([
    ['a Job with a known sidecar', 'jobs', job({ containers: [work, agent] }), true],
    ['a CronJob with one', 'cronjobs', { schedule: '0 3 * * *', jobTemplate: { spec: job({ containers: [work, agent] }) } }, true],
    ['a glob of the catalogue', 'jobs', job({ containers: [work, { name: 'csql-a-b', image: 'x.example:5000/cloud-sql-proxy:2' }] }), true],
    ['a native sidecar', 'jobs', job({ containers: [work], initContainers: [native] }), false],
    ['the name on another image', 'jobs', job({ containers: [work, { ...agent, image: 'acme/myvault:1' }] }), false],
    ['a Job that does nothing else', 'jobs', job({ containers: [agent] }), false],
  ])('%s', async (what, plural, spec, warns) => {
    const { store } = cluster.emulator.world;
    if (!store.get('validatingadmissionpolicies', undefined, 'sidecar-sweeper-regular-sidecars'))
      await apply(warningPolicy());
    const metadata = { name: what.toLowerCase().replaceAll(' ', '-') };
    const { headers } = await ask('POST', `/apis/batch/v1/namespaces/default/${plural}`, { metadata, spec });
    const warning = expect.stringContaining('these containers keep the pods from ending; move them to initContainers');
    expect(headers?.['warning']).toEqual(warns ? warning : undefined);
  });
});
