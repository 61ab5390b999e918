import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { warningPolicy } from '../../scripts/warning-policy.ts';
import type { Advice } from '../../src/report/advise.ts';
import { policyFlag } from '../kit/cli.ts';
import {
  type Container,
  type Emulator,
  emulatorClock,
  ensureNamespace,
  ensureObject,
  type Job,
  type JobManifest,
  type KubeObject,
  type Pod,
  startEmulator,
} from '../kit/emulator/index.ts';
import { exchange } from '../kit/replay/client.ts';
import { runHere } from '../kit/run-here.ts';

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
  readonly spec: Readonly<Record<string, unknown>> & {
    readonly jobTemplate: {
      readonly spec: {
        readonly activeDeadlineSeconds?: number;
        readonly template: Pick<Pod, 'spec'>;
      };
    };
  };
}

/** The cluster of an operator: `kubectl` and this program, as far as the page uses them. */
class Desk {
  readonly #files = new Map<string, string>();

  private constructor(
    readonly emulator: Emulator,
    private readonly folder: string,
  ) {}

  static async start(): Promise<Desk> {
    const emulator = await startEmulator({
      clock: emulatorClock(100),
      // As a native sidecar, it may end as it likes.
      behaviours: (pod, { name }) =>
        ['main', 'archiver'].includes(name)
          ? { ends: { exitCode: 0, after: 2_000 } }
          : {
              on: { SIGTERM: { exitCode: pod.metadata.labels?.['job-name'] === 'payroll-before' ? 0 : 143 } },
            },
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
    const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-cure-'));
    await writeFile(join(folder, 'kubeconfig'), emulator.kubeconfig());
    return new Desk(emulator, folder);
  }

  async stop(): Promise<void> {
    await this.emulator.stop();
    await rm(this.folder, { recursive: true });
  }

  async sweeper(line: string): Promise<string> {
    const [, ...argv] = line.split(' ');
    const run = await runHere(argv, { KUBECONFIG: join(this.folder, 'kubeconfig'), NO_COLOR: '1' });
    expect([run.exitCode, run.stderr]).toEqual([0, expect.not.stringContaining('sidecar-sweeper: ')]);
    return run.stdout;
  }

  async ask(method: string, path: string, body?: unknown, type?: string) {
    const { url, ca, token } = this.emulator;
    const headers = type ? { headers: { 'content-type': type } } : {};
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await exchange(
      { url, ca, token },
      { method, path, ...text },
      { ...headers, lines: false },
    );
    expect(answer).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
    return answer;
  }

  async apply(manifests: string): Promise<void> {
    const objects = parseAllDocuments(manifests).map((document): unknown => document.toJS());
    expect(objects).not.toContain(null);
    for (const object of objects as KubeObject[]) {
      await this.ask('POST', `/apis/admissionregistration.k8s.io/v1/${plurals[object.kind]}`, object);
    }
  }

  async run(line: string): Promise<string> {
    const [command = '', file] = line.split(' > ');
    if (command.startsWith('sidecar-sweeper ')) {
      const printed = await this.sweeper(command);
      if (file) this.#files.set(file, printed);
      return printed;
    }
    const of = (pattern: RegExp) => pattern.exec(command)?.groups ?? {};
    const { applied } = of(/^kubectl apply -f (?<applied>\S+)$/);
    const {
      labelled,
      key = '',
      value,
    } = of(/^kubectl label namespace (?<labelled>\S+) (?<key>\S+)=(?<value>\S+)$/);
    const { unlabelled, gone = '' } = of(/^kubectl label namespace (?<unlabelled>\S+) (?<gone>\S+)-$/);
    const { created, from = '' } = of(
      /^kubectl create job (?<created>\S+) --from=cronjob\/(?<from>\S+) -n payroll$/,
    );
    const { awaited } = of(
      /^kubectl wait --for=condition=complete job\/(?<awaited>\S+) -n payroll --timeout=5m$/,
    );
    if (applied) await this.apply(this.#files.get(applied) ?? expect.fail(`${applied} was not written`));
    else if (labelled) {
      const labels = { metadata: { labels: { [key]: value } } };
      await this.ask('PATCH', `/api/v1/namespaces/${labelled}`, labels, 'application/merge-patch+json');
    } else if (unlabelled) {
      const labels = { metadata: { labels: { [gone]: null } } };
      await this.ask('PATCH', `/api/v1/namespaces/${unlabelled}`, labels, 'application/merge-patch+json');
    } else if (created) this.createJob(created, from);
    else if (awaited)
      await vi.waitFor(() => expect(this.conditionOf(awaited)).toBe('Complete'), { timeout: 20_000 });
    else expect.fail(`the page has a line that is not run: ${line}`);
    return '';
  }

  createCronJob(name: string, spec: object): void {
    const metadata = { name, namespace: 'payroll', uid: name, generation: 1 };
    ensureObject(this.emulator.world, { apiVersion: 'batch/v1', kind: 'CronJob', metadata, spec });
  }

  cronJob(name: string): CronJob {
    return this.emulator.world.store.get<CronJob>('cronjobs', 'payroll', name) ?? expect.fail(`no ${name}`);
  }

  createJob(name: string, cronJob: string): void {
    const { metadata, spec } = this.cronJob(cronJob);
    const { name: from, uid } = metadata;
    const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: from, uid, controller: true };
    this.emulator.world.createJob({
      metadata: { name, namespace: 'payroll', ownerReferences: [owner] },
      spec: structuredClone(spec.jobTemplate.spec),
    } as JobManifest);
  }

  conditionOf(job: string): string | undefined {
    const { status } =
      this.emulator.world.store.get<Job>('jobs', 'payroll', job) ?? expect.fail(`no job ${job}`);
    return status.conditions?.find((each) => ['Complete', 'Failed'].includes(each.type))?.type;
  }

  podOf(job: string): Pod {
    const pods = this.emulator.world.store.list<Pod>('pods', 'payroll');
    return (
      pods.find(({ metadata }) => metadata.labels?.['job-name'] === job) ?? expect.fail(`no pod of ${job}`)
    );
  }

  /** Waits until a pod has been stuck for longer than --min-age. */
  untilStuck(job: string, mainName = 'main'): Promise<void> {
    return vi.waitFor(
      () => {
        const main = this.podOf(job).status.containerStatuses?.find(({ name }) => name === mainName);
        const ended = Date.parse(main?.state.terminated?.finishedAt ?? '');
        expect(this.emulator.clock.now().getTime() - ended).toBeGreaterThan(6 * 60_000);
      },
      { timeout: 30_000 },
    );
  }
}

const template = {
  metadata: { annotations: vaultAnnotations },
  spec: { restartPolicy: 'Never', containers: [work] },
};

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.start();
  ensureNamespace(desk.emulator.world, 'payroll');
  const schedule = '0 3 * * *';
  desk.createCronJob('payroll', { schedule, jobTemplate: { spec: { backoffLimit: 0, template } } });
});
afterAll(() => desk.stop());

describe('docs/cure.md', () => {
  const lines = [...read('docs/cure.md').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.trimEnd().split('\n'),
  );

  it('takes an operator from advice to a namespace in which an agent that exits with 143 never sticks', async () => {
    desk.createJob('payroll-before', 'payroll');
    await desk.untilStuck('payroll-before');
    expect(desk.conditionOf('payroll-before')).toBeUndefined();

    const printed = new Map<string, string>();
    for (const line of lines) printed.set(line, await desk.run(line));
    expect(printed.get(lines[0] ?? '')).toContain(
      'cure for vault-agent in all new pods: an admission policy',
    );
    expect(printed.get(lines[0] ?? '')).toContain(lines.find((line) => line.startsWith('kubectl label')));
    expect(printed.get(lines[0] ?? '')).toContain(
      lines[1]?.replace(' > native-sidecars.yaml', ' | kubectl apply'),
    );

    const { spec } = desk.podOf('payroll-now');
    expect(spec.containers.map(({ name }) => name)).toEqual(['main']);
    expect(spec.initContainers?.at(-1)).toMatchObject({ ...agent, restartPolicy: 'Always' });
    // The Job of before was as stuck as ever, until the last line.
    expect(printed.get(lines.at(-1) ?? '')).toContain('payroll-before');
    await vi.waitFor(() => expect(desk.conditionOf('payroll-before')).toBe('Complete'), { timeout: 20_000 });
  });

  it('is undone by its last label: the agent of the next Job is a regular container again', async () => {
    const undo = /`(kubectl label namespace payroll \S+-)`/.exec(read('docs/cure.md'))?.[1] ?? expect.fail();
    await desk.run(undo);
    desk.createJob('payroll-undone', 'payroll');
    const names = () => desk.podOf('payroll-undone').spec.containers.map(({ name }) => name);
    await vi.waitFor(() => expect(names()).toEqual(['main', 'vault-agent']));
  });
});

/** The CronJob of SREGym's cronjob_sidecar_blocks_completion (#814), as far as its oracle looks, and what that accepts. */
describe("SREGym's problem", () => {
  const [primary, sidecar] = ['archiver', 'fluent-bit-sidecar'];
  const image = 'busybox:1.36';
  const port = 24_224;
  const schedule = '* * * * *';
  const template = {
    spec: {
      restartPolicy: 'Never',
      containers: [
        { name: primary, image },
        {
          name: sidecar,
          image,
          ports: [{ name: 'forward', containerPort: port, protocol: 'TCP' }],
          startupProbe: { tcpSocket: { port }, periodSeconds: 1, failureThreshold: 30 },
        },
      ],
    },
  };

  function isAccepted({ spec }: CronJob): boolean {
    const { activeDeadlineSeconds, template } = spec.jobTemplate.spec;
    const { containers, initContainers = [], ...pod } = template.spec;
    const regular = containers.map(({ name }) => name);
    const native = initContainers.filter(({ name }) => name === sidecar);
    return (
      [spec['suspend'], activeDeadlineSeconds, pod['activeDeadlineSeconds']].every((each) => !each) &&
      spec['schedule'] === schedule &&
      regular.includes(primary) &&
      !regular.includes(sidecar) &&
      native.map(({ restartPolicy }) => restartPolicy).join() === 'Always'
    );
  }

  it('is solved by the patch that advise prints for its CronJob, and a fresh Job of it completes', async () => {
    const name = 'audit-log-archiver';
    const path = `/apis/batch/v1/namespaces/payroll/cronjobs/${name}`;
    desk.createCronJob(name, { schedule, jobTemplate: { spec: { backoffLimit: 0, template } } });
    desk.createJob('archiver-1', name);
    await desk.untilStuck('archiver-1', primary);
    const before = desk.cronJob(name);

    const rules = [{ name: 'log-shippers', containers: [sidecar] }];
    const advised = ['sidecar-sweeper advise -n payroll -o json', ...policyFlag({ rules })].join(' ');
    const { owners }: Advice = JSON.parse(await desk.sweeper(advised));
    const { patch } = owners.find((owner) => owner.name === name)?.cures[0] ?? expect.fail('no advice');
    await desk.ask('PATCH', path, patch, 'application/json-patch+json');

    expect([isAccepted(before), isAccepted(desk.cronJob(name))]).toEqual([false, true]);
    desk.createJob('archiver-2', name);
    await vi.waitFor(() => expect(desk.conditionOf('archiver-2')).toBe('Complete'), { timeout: 20_000 });
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
    const { store } = desk.emulator.world;
    if (!store.get('validatingadmissionpolicies', undefined, 'sidecar-sweeper-regular-sidecars'))
      await desk.apply(warningPolicy());
    const metadata = { name: what.toLowerCase().replaceAll(' ', '-') };
    const { headers } = await desk.ask('POST', `/apis/batch/v1/namespaces/default/${plural}`, {
      metadata,
      spec,
    });
    const warning = expect.stringContaining('keeps these pods from ending: move it to initContainers');
    expect(headers?.['warning']).toEqual(warns ? warning : undefined);
  });
});
