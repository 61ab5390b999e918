import { PassThrough } from 'node:stream';
import { createLog } from '../../../../src/cli/sweep/log.ts';
import type { Cluster } from '../../../../src/model/ports.ts';
import type { SweepEvent } from '../../../../src/plan/sweep-event.ts';
import type { PodPlan } from '../../../../src/plan/sweep-plan.ts';
import { type PolicyFlags, resolvePolicy } from '../../../../src/policy/policy.ts';
import { exitCodeOf } from '../../../../src/report/exit-code.ts';
import type { SweepReport } from '../../../../src/report/schema.ts';
import { ensureNamespace, type Pod, type RequestRecord } from '../../emulator/index.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';
import { Ends } from './ends.ts';
import { addFault, type RandomFault } from './faults.ts';
import { Gauge } from './gauge.ts';
import { type crash, done, manifestOf, password, type RandomPod } from './pods.ts';
import { untrue } from './truth.ts';
import { type Sent, Watch } from './watch.ts';

export interface RandomSweep {
  readonly dryRun: boolean;
  readonly uncleanExit: 'allow' | 'forbid';
  readonly lastResort: 'none' | 'deadline' | 'evict' | 'delete';
  readonly concurrency: number;
}

/** Everything that is known of one sweep: what the invariants are about. */
export interface History {
  readonly sweep: RandomSweep;
  readonly report: SweepReport;
  readonly events: readonly { readonly event: SweepEvent; readonly at: number }[];
  readonly requests: readonly RequestRecord[];
  readonly sent: readonly Sent[];
  readonly before: readonly Pod[];
  /** The uids of pods with which something happened since the sweep began, and when. */
  readonly touched: readonly { readonly uid: string; readonly at: number }[];
  readonly started: number;
  readonly ended: number;
  readonly stoppedAt: number | undefined;
  readonly gauge: Gauge;
  readonly ends: Ends;
  /** What was concluded and did not hold at that moment. */
  readonly untrue: readonly string[];
  readonly log: string;
  readonly secrets: readonly string[];
}

/** In milliseconds: a main must have ended that long ago. */
export const minAge = 5_000;

/** A namespace that things happen to, and at most one sweep of it at a time. */
export class Subject {
  /** How many milliseconds requests about a pod are on their way, and their answers again. */
  readonly delays = new Map<string, number>();
  readonly #touched: { uid: string; at: number }[] = [];
  readonly #faults: (() => void)[] = [];
  readonly #watch: Watch;
  readonly #ends: Ends;
  #pods = 0;
  #sweeping:
    | {
        readonly over: Promise<Omit<History, 'touched'>>;
        readonly stop: (reason: 'Signal' | 'Deadline') => void;
      }
    | undefined;

  constructor(
    readonly on: SimulatedCluster,
    readonly namespace: string,
  ) {
    ensureNamespace(on.emulator.world, namespace);
    this.#watch = new Watch(on.emulator, namespace, minAge);
    this.#ends = new Ends(on.emulator, namespace);
  }

  add(pod: RandomPod, name = `pod-${this.#pods++}`): void {
    this.on.emulator.world.createPod(manifestOf(pod, this.namespace, name));
  }

  /** Ends a container as if by itself. */
  end(which: number, container: 'main' | 'sidecar-0', signal: typeof done | typeof crash = done): void {
    const pod = this.#touch(which);
    if (pod) this.on.emulator.world.kubelet.running(pod.metadata.uid, container)?.kill(signal);
  }

  remove(which: number, gracePeriodSeconds: number): string | undefined {
    const pod = this.#touch(which);
    if (!pod || pod.metadata.deletionTimestamp) return undefined;
    const { name } = pod.metadata;
    this.on.emulator.world.deletePod(this.namespace, name, { gracePeriodSeconds });
    return name;
  }

  /** A fault about all pods, or one of them. */
  addFault(fault: RandomFault, name?: string): void {
    const { namespace } = this;
    this.#faults.push(addFault(fault, this.on, { namespace, ...(name !== undefined && { name }) }));
    this.#watch.seeLast();
  }

  removeFaults(): void {
    for (const remove of this.#faults.splice(0)) remove();
  }

  begin(sweep: RandomSweep, flags: Partial<PolicyFlags> = {}): void {
    const abort = new AbortController();
    let stoppedAt: number | undefined;
    const stop = (reason: 'Signal' | 'Deadline') => {
      stoppedAt ??= this.on.now;
      abort.abort(reason);
    };
    const over = this.#sweep(sweep, flags, abort).then((history) => ({ ...history, stoppedAt }));
    // The caller that ends the sweep hears of it.
    over.catch(() => undefined);
    this.#sweeping = { over, stop };
  }

  stop(reason: 'Signal' | 'Deadline'): void {
    this.#sweeping?.stop(reason);
  }

  /** Waits for the sweep that has begun; undefined if none has. */
  async finish(): Promise<History | undefined> {
    const history = await this.#sweeping?.over;
    this.#sweeping = undefined;
    return history && { ...history, touched: this.#touched.filter(({ at }) => at >= history.started) };
  }

  /** Leaves nothing that takes time. */
  async leave(): Promise<void> {
    this.removeFaults();
    this.stop('Signal');
    await this.finish();
    this.#watch.leave();
    this.#ends.leave();
    for (const { metadata } of this.pods()) {
      this.on.emulator.world.deletePod(this.namespace, metadata.name, { gracePeriodSeconds: 0 });
    }
  }

  pods(): readonly Pod[] {
    return this.on.emulator.world.store.list<Pod>('pods', this.namespace);
  }

  #touch(which: number): Pod | undefined {
    const pods = this.pods();
    const pod = pods[which % Math.max(pods.length, 1)];
    if (pod) this.#touched.push({ uid: pod.metadata.uid, at: this.on.now });
    return pod;
  }

  async #travel(about: unknown): Promise<void> {
    const name = typeof about === 'object' && about !== null && 'name' in about ? String(about.name) : '';
    const delay = this.delays.get(name) ?? 0;
    if (delay > 0) await this.on.simulation.pass(delay);
  }

  async #sweep(
    sweep: RandomSweep,
    own: Partial<PolicyFlags>,
    stop: AbortController,
  ): Promise<Omit<History, 'stoppedAt' | 'touched'>> {
    const { emulator } = this.on;
    const { uncleanExit, lastResort, concurrency, dryRun } = sweep;
    const before = this.pods();
    const from = emulator.requests.length;
    const started = this.on.now;
    const watch = this.#watch;
    const gauge = new Gauge();
    const events: { event: SweepEvent; at: number }[] = [];
    const wrong: string[] = [];
    let plans: readonly PodPlan[] = [];
    const stream = new PassThrough();
    const log = createLog({ stream, level: 'debug', plain: false, runId: this.namespace });
    const flags: PolicyFlags = {
      namespaces: [this.namespace],
      minAge,
      uncleanExit,
      lastResort: lastResort === 'none' ? [] : [lastResort],
      ...own,
    };
    const cluster: Cluster = gauge.on(this.on.held, (about) => this.#travel(about));
    watch.begin();
    const report = await this.on.sweep(
      this.namespace,
      resolvePolicy(flags, undefined),
      (event) => {
        if (event.kind === 'PlanMade') {
          watch.expect(event.plan);
          plans = event.plan.pods;
        }
        if (event.kind === 'PodConcluded') {
          const { conclusion } = event;
          const plan = plans.find(({ candidate }) => candidate.pod.ref.uid === conclusion.pod.uid);
          wrong.push(...untrue(conclusion, plan, emulator.world));
        }
        events.push({ event, at: this.on.now });
        log.hear(event);
      },
      { stop, dryRun, concurrency, cluster },
    );
    const ended = this.on.now;
    stream.resume();
    const written: string[] = [];
    stream.on('data', (chunk) => void written.push(String(chunk)));
    await log.finish(report, exitCodeOf(report));
    return {
      sweep,
      report,
      events,
      requests: emulator.requests.slice(from).filter(({ namespace }) => namespace === this.namespace),
      sent: watch.sent,
      before,
      started,
      ended,
      gauge,
      ends: this.#ends,
      untrue: wrong,
      log: written.join(''),
      secrets: [emulator.token, password],
    };
  }
}
