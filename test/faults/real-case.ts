import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CliRun } from '../kit/cli.ts';
import {
  type Emulator,
  ensureNamespace,
  type KubeObject,
  type Pod,
  type RequestRecord,
} from '../kit/emulator/index.ts';
import { stuckPod, TestCluster } from '../kit/stuck-pods.ts';

/** What a test does to the process that sweeps. */
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
  /** The files beside the report. */
  readonly files: readonly string[];
  /** The text of the report file; undefined if there is none. */
  readonly file: string | undefined;
}

/** What else a sweep is run with. */
interface With {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Lease extends KubeObject {
  readonly spec: { readonly leaseDurationSeconds: number; readonly holderIdentity: string };
}

/** Two stuck pods in a namespace of their own, which the built command sweeps. */
export class RealCase {
  static #count = 0;
  readonly namespace = `case-${RealCase.#count++}`;

  constructor(private readonly cluster: TestCluster) {
    const { world } = cluster.emulator;
    ensureNamespace(world, this.namespace);
    world.placePods([0, 1].map((index) => stuckPod({ namespace: this.namespace, name: `pod-${index}` })));
  }

  get faults(): Emulator['faults'] {
    return this.cluster.emulator.faults;
  }

  /** Who holds the Lease. */
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
    { argv: more = [], env = {} }: With = {},
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
    const ended = await this.cluster.run([...argv, ...more, '--report-file', join(folder, 'report')], {
      env,
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
