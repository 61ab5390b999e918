import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { everywhere } from '../../../kit/cli.ts';
import { ensureObject, type RequestRecord } from '../../../kit/emulator/index.ts';
import { podsOfJob } from '../../../kit/stuck-jobs.ts';
import { type StuckPod, sidecars, stuckPod, TestCluster } from '../../../kit/stuck-pods.ts';

/** As long as names of CronJobs' pods are. */
export const longName = 'nightly-customer-reconciliation-29384756-x7k2p';

/** Nothing that a sweep sends ends these: every run finds the same cluster. */
const { immune } = sidecars;
const inDemo: StuckPod = { sidecar: immune, labels: { app: 'report' } };

// biome-ignore format: one row a line
const policies = {
  'billing.yaml': { namespaces: ['billing'] },
  'one-in-a-namespace.yaml': { maxPodsPerNamespace: 1 },
  'one-on-a-node.yaml': { maxPodsPerNode: 1 },
  'our-proxy.yaml': { profiles: [{ name: 'our-proxy', containers: ['our-proxy'], images: ['acme/our-proxy'], steps: [{ signal: ['INT'] }] }] },
  'wrong.yaml': { minAge: 'soon' },
} as const;

/** A cluster in which every flag of every command changes something, and a folder with what flags name. */
export class FlagCluster {
  readonly written: string;
  readonly kubeconfig: string;
  #mostExecs = 0;

  private constructor(
    readonly cluster: TestCluster,
    readonly folder: string,
  ) {
    this.written = join(folder, 'written');
    this.kubeconfig = join(folder, 'kubeconfig');
  }

  get requests(): readonly RequestRecord[] {
    return this.cluster.emulator.requests;
  }

  /** The most execs that were under way at a time since the last call. */
  takeMostExecs(): number {
    const most = this.#mostExecs;
    this.#mostExecs = 0;
    return most;
  }

  /** The words of a command line: `{folder}` stands for the folder, and `{written}` for what is written. */
  argvOf(words: string): readonly string[] {
    const whole = words.replaceAll('{folder}', this.folder).replaceAll('{written}', this.written);
    return everywhere(whole.split(' ').filter(Boolean));
  }

  static async start(): Promise<FlagCluster> {
    const cluster = await TestCluster.start();
    const { world } = cluster.emulator;
    const namespaces = { demo: { team: 'reports' }, billing: {}, many: {} };
    for (const [name, labels] of Object.entries(namespaces)) {
      ensureObject(world, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, labels: { 'kubernetes.io/metadata.name': name, ...labels } },
        status: { phase: 'Active' },
      });
    }
    const owned = { ...inDemo, name: longName, restartPolicy: 'OnFailure' as const };
    world.placePods([
      ...podsOfJob(world, { name: 'report', spec: { backoffLimit: 0 }, pod: owned }),
      stuckPod({ ...inDemo, name: 'opted-out', annotations: { 'sidecar-sweeper.dev/skip': 'true' } }),
      stuckPod({ name: 'immune', namespace: 'billing', labels: { app: 'immune' }, sidecar: immune }),
      stuckPod({
        name: 'annotated',
        namespace: 'billing',
        labels: { app: 'annotated' },
        sidecar: immune,
        annotations: { 'sidecar-sweeper.dev/kill-cmd-sidecar': '["touch","/tmp/quit"]' },
      }),
      stuckPod({ ...inDemo, name: 'waiting-for-an-image', states: { sidecar: { kind: 'waiting' } } }),
      ...Array.from({ length: 20 }, (_, index) =>
        stuckPod({ name: `pod-${index}`, namespace: 'many', sidecar: immune }),
      ),
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-flags-'));
    const started = new FlagCluster(cluster, folder);
    started.#addFaults();
    await started.#writeFiles();
    await started.#writeReports();
    return started;
  }

  async stop(): Promise<void> {
    await this.cluster.stop();
    await rm(this.folder, { recursive: true });
  }

  #addFaults(): void {
    const { faults, requests } = this.cluster.emulator;
    // A swap would change the pod for the runs that follow; a plan only tries it.
    const isMeant = ({ path }: RequestRecord) => !path.includes('dryRun=');
    faults.add({ verb: 'patch', resource: 'pods', when: isMeant }, { kind: 'Answer', status: 403 });
    const exec = { subresource: 'exec', namespace: 'many' };
    faults.add(exec, {
      kind: 'Before',
      run: () => {
        const execs = requests.filter(({ subresource, status }) => subresource === 'exec' && status === 0);
        this.#mostExecs = Math.max(this.#mostExecs, execs.length);
      },
    });
    faults.add(exec, { kind: 'Delay', milliseconds: 60 });
  }

  async #writeFiles(): Promise<void> {
    const write = (name: string, content: object) => writeFile(join(this.folder, name), stringify(content));
    const known = parse(this.cluster.emulator.kubeconfig());
    await mkdir(this.written);
    await write('kubeconfig', withOthers(known));
    await write('stranger', { ...withOthers(known), 'current-context': 'stranger' });
    for (const [name, policy] of Object.entries(policies)) {
      await write(name, { apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy', ...policy });
    }
  }

  /** What sweeps have said: one of a whole namespace, and two of its halves. */
  async #writeReports(): Promise<void> {
    const runs = { 'sweep.json': [], 'shard-0.json': ['--shard', '0/2'], 'shard-1.json': ['--shard', '1/2'] };
    for (const [name, flags] of Object.entries(runs)) {
      const { run } = await this.cluster.sweepHere(['--namespace', 'demo,many', ...flags]);
      await writeFile(join(this.folder, name), run.stdout);
    }
  }
}

/** A kubeconfig with two more contexts: one whose server is not trusted, and one whose user is unknown. */
function withOthers(known: ReturnType<typeof parse>): object {
  const [{ cluster, name }] = known.clusters;
  const { 'certificate-authority-data': _ca, ...untrusted } = cluster;
  return {
    ...known,
    clusters: [...known.clusters, { name: 'untrusted', cluster: untrusted }],
    users: [...known.users, { name: 'stranger', user: { token: 'unknown' } }],
    contexts: [
      ...known.contexts,
      { name: 'untrusted', context: { cluster: 'untrusted', user: known.users[0].name } },
      { name: 'stranger', context: { cluster: name, user: 'stranger' } },
    ],
  };
}
