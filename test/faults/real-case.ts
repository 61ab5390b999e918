import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { StopReason } from '../../src/model/outcome.ts';
import type { SweepReport } from '../../src/report/schema.ts';
import type { CliOptions, CliRun } from '../kit/cli.ts';
import type { Emulator, KubeObject, Pod, RequestRecord } from '../kit/emulator/index.ts';
import { mainOf } from '../kit/random/read-pod.ts';
import { TestCluster } from '../kit/stuck-pods.ts';

export interface Sweeper {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when its log has this, or when it has ended. */
  hasLogged(text: string): Promise<void>;
  /** Reads nothing more of what it writes. */
  leave(): void;
}

export interface Struck {
  readonly run: CliRun;
  /** From the strike to the end of the process, in milliseconds. */
  readonly wentOn: number;
  readonly requests: readonly RequestRecord[];
  readonly files: readonly string[];
  /** The text of the report file; undefined if there is none. */
  readonly file: string | undefined;
}

interface Lease extends KubeObject {
  readonly spec: { readonly leaseDurationSeconds: number; readonly holderIdentity: string };
}

/** Two stuck pods in a namespace of their own, which the built command sweeps. */
export class RealCase {
  readonly namespace: string;

  constructor(private readonly cluster: TestCluster) {
    this.namespace = cluster.placeCase({ name: 'pod-0' }, { name: 'pod-1' });
  }

  get faults(): Emulator['faults'] {
    return this.cluster.emulator.faults;
  }

  get holder(): string | undefined {
    const [lease] = this.cluster.emulator.world.store.list<Lease>('leases', this.namespace);
    return lease?.spec.holderIdentity;
  }

  get pods(): readonly Pod[] {
    return this.cluster.emulator.world.store.list<Pod>('pods', this.namespace);
  }

  /** Sweeps, and strikes while the server serves this request of the sweep. */
  async sweep(
    index = Number.POSITIVE_INFINITY,
    strike: (sweeper: Sweeper) => void | Promise<void> = () => undefined,
    options: Pick<CliOptions, 'env'> = {},
  ): Promise<Struck> {
    const { emulator } = this.cluster;
    const folder = await mkdtemp(join(tmpdir(), 'sidecar-sweeper-real-'));
    const argv = ['-n', this.namespace, '--lock', this.namespace, '--concurrency', '1'];
    const from = emulator.requests.length;
    let struckAt = performance.now();
    let sweeper: Sweeper | undefined;
    const run = async () => {
      struckAt = performance.now();
      if (sweeper) await strike(sweeper);
    };
    const clear = emulator.faults.add({}, { kind: 'Before', run }, { skip: index, times: 1 });
    const ended = await this.cluster.run([...argv, '--report-file', join(folder, 'report')], {
      ...options,
      onStart: (child) => {
        sweeper = sweeperOf(child);
      },
    });
    const wentOn = performance.now() - struckAt;
    clear();
    const files = await readdir(folder);
    const file = files.includes('report') ? await readFile(join(folder, 'report'), 'utf8') : undefined;
    await rm(folder, { recursive: true });
    return { run: ended, wentOn, requests: emulator.requests.slice(from), files, file };
  }

  /** Lets more than a minute pass for the Lease of a sweep that was killed: the server tells the time in whole seconds. */
  expireLease(): void {
    const { store } = this.cluster.emulator.world;
    const renewTime = new Date(Date.now() - 62_000).toISOString().replace('Z', '000Z');
    for (const { metadata, spec } of store.list<Lease>('leases', this.namespace)) {
      if (spec.leaseDurationSeconds > 60) throw new Error(`held for ${spec.leaseDurationSeconds} seconds`);
      store.update<Lease>('leases', this.namespace, metadata.name, (lease) => ({
        ...lease,
        spec: { ...lease.spec, renewTime },
      }));
    }
  }
}

/** Plays cases side by side, on so many clusters: a sweep waits most of its time. */
export async function playAll<T>(
  cases: readonly T[],
  play: (case_: RealCase, one: T) => Promise<void>,
  lanes = 8,
): Promise<void> {
  const left = [...cases];
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      const cluster = await TestCluster.start();
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        await play(new RealCase(cluster), next);
      }
      await cluster.stop();
    }),
  );
}

function sweeperOf(child: ChildProcess): Sweeper {
  return {
    pid: child.pid ?? 0,
    kill: (signal) => void child.kill(signal),
    hasLogged: (text) => logged(child, text),
    leave() {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
}

async function logged(child: ChildProcess, text: string): Promise<void> {
  let log = '';
  const over = new AbortController();
  const until = once(child, 'close', over);
  const said = new Promise<void>((resolve) => {
    child.stderr?.on('data', (chunk: string) => {
      log += chunk;
      if (log.includes(text)) resolve();
    });
  });
  await Promise.race([said, until]);
}

/** How long a process that is stopped may go on, in milliseconds. */
export const longestEnd = 5_000;

export async function allIndexes(): Promise<readonly number[]> {
  const indexes: number[] = [];
  await playAll(
    [0],
    async (undisturbed) => {
      const { run, requests } = await undisturbed.sweep();
      expect(run.exitCode).toBe(0);
      indexes.push(...requests.keys());
    },
    1,
  );
  expect(indexes.length).toBeGreaterThan(10);
  return indexes;
}

export function signalled({ requests }: Struck, from = 0): readonly string[] {
  return requests.slice(from).flatMap(({ subresource, name, status }) => {
    return subresource === 'exec' && status === 101 ? [name] : [];
  });
}

/** Whatever there is, is whole. */
export function expectNotTorn({ file }: Struck): void {
  if (file !== undefined) expect(JSON.parse(file)).toHaveProperty('kind', 'SweepReport');
}

const exitCodes = { Signal: 5, InternalError: 1 } as const satisfies Partial<Record<StopReason, number>>;

export function expectReported(
  { namespace, pods }: RealCase,
  { file, run }: Struck,
  reason: keyof typeof exitCodes | undefined,
): SweepReport {
  const report: SweepReport = JSON.parse(file ?? 'none');
  expect(run.exitCode, namespace).toBe(reason ? exitCodes[reason] : 0);
  expect(report.run.stoppedEarly).toBe(reason);
  const summary = JSON.parse(run.stdout.trimEnd().split('\n').at(-1) ?? '');
  expect(summary['run.stoppedEarly']).toBe(reason);
  if (report.unread.length === 0) expect(report.pods.map(({ name }) => name)).toEqual(['pod-0', 'pod-1']);
  for (const { name, outcome } of report.pods) {
    const phase = pods.find(({ metadata }) => metadata.name === name)?.status?.phase;
    if (outcome.kind === 'Ended') expect(phase, `${namespace}/${name}`).toBe('Succeeded');
  }
  return report;
}

/** The sweep that follows ends what is left, signals nothing that has ended, and touches no main. */
export async function expectConverges(one: RealCase): Promise<void> {
  const running = one.pods.flatMap(({ metadata, status }) => {
    const sidecar = status?.containerStatuses?.find(({ name }) => name === 'sidecar');
    return sidecar?.state?.running ? [metadata.name] : [];
  });
  const next = await one.sweep();
  expect(next.run.exitCode, next.run.stderr).toBe(0);
  // A pod whose sidecar was ending already is none of its pods, and may show its phase a moment later.
  await expect
    .poll(() => one.pods.map(({ status }) => status?.phase), { timeout: 10_000 })
    .toEqual(['Succeeded', 'Succeeded']);
  expect(one.pods.map((pod) => mainOf(pod)?.restartCount)).toEqual([0, 0]);
  expect(running).toEqual(expect.arrayContaining([...signalled(next)]));
}
