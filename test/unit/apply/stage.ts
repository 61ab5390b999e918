import { type ApplyOptions, applyPlan } from '../../../src/apply/apply.ts';
import type { SendContext } from '../../../src/apply/send.ts';
import { createJobReader } from '../../../src/facts/job-reader.ts';
import { type Note, readNotes } from '../../../src/facts/notes.ts';
import type { StopReason } from '../../../src/model/outcome.ts';
import type { PodRef, PodView } from '../../../src/model/pod.ts';
import type { Cluster, ExecResult, WriteResult } from '../../../src/model/ports.ts';
import type { JobReading, PodReading } from '../../../src/model/reading.ts';
import type { PodConclusion, SweepEvent } from '../../../src/plan/sweep-event.ts';
import type { PodPlan } from '../../../src/plan/sweep-plan.ts';
import type { Policy } from '../../../src/policy/policy.ts';
import { createSlots } from '../../../src/util/concurrency.ts';
import type { Clock } from '../../../src/util/time.ts';
import { CountedSlots, clusterWith } from '../../builders/cluster.ts';
import { exited, now, podView } from '../../builders/pod-view.ts';
import { noFacts, policy } from '../../builders/policy.ts';
import { clockOf, whileTimePasses } from '../../builders/stepped-clock.ts';
import { type SteppedClock, steppedClock } from '../../kit/emulator/index.ts';

interface StageOptions {
  readonly pods?: readonly PodView[];
  /** How an exec ends, such as `term pod/sidecar`; it may change the pod, and take its time. */
  readonly asked?: (request: string, pod: PodView) => ExecResult | Promise<ExecResult>;
  readonly written?: (request: string) => WriteResult | Promise<WriteResult>;
  readonly job?: () => JobReading;
  readonly slots?: number;
  readonly policy?: Partial<Policy>;
  readonly cluster?: Partial<Cluster>;
}

export const ran: ExecResult = { kind: 'Exited', exitCode: 0, output: '' };

/** A cluster in memory, and all that apply works with around it. Time only moves in `finish`. */
export class Stage {
  readonly sent: string[] = [];
  readonly heard: SweepEvent[] = [];
  readonly noted: Note[] = [];
  readonly pods = new Map<string, PodView>();
  readonly time: SteppedClock = steppedClock(now);
  readonly clock: Clock = clockOf(this.time);
  reads = 0;
  /** What every read of a pod gives instead of it. */
  shown: PodReading | undefined;
  readonly stopping = new AbortController();
  readonly cutting = new AbortController();
  readonly cluster: Cluster;
  readonly policy: Policy;
  readonly slots: CountedSlots;

  constructor(private readonly options: StageOptions = {}) {
    const { pods = [podView()], asked = () => ran, written = () => ({ kind: 'Written' }) } = options;
    for (const pod of pods) this.pods.set(pod.ref.uid, pod);
    this.policy = policy(options.policy);
    this.slots = new CountedSlots(createSlots(options.slots ?? 4));
    const write = async (request: string) => {
      this.sent.push(request);
      return written(request);
    };
    this.cluster = clusterWith({
      readPod: async (ref) => {
        this.reads++;
        return this.shown ?? this.reading(ref.uid ?? '');
      },
      readJob: async () => options.job?.() ?? { kind: 'Gone' },
      listJobPods: async () => ({ kind: 'Read', items: [...this.pods.values()] }),
      exec: async ({ name, uid }, of, [word = '']) => {
        // That a sidecar runs is left to its status.
        if (word === '/bin/sh') return { kind: 'Refused', message: 'forbidden' };
        const request = `${word} ${name === podView().ref.name ? of : `${name}/${of}`}`;
        this.sent.push(request);
        return asked(request, this.pod(uid));
      },
      evict: async () => write('evict'),
      deletePod: async () => write('delete'),
      swapImages: async (_ref, swaps) =>
        write(swaps.map((one) => `swap ${one.container} for ${one.image}`).join(', ')),
      ...options.cluster,
    });
  }

  pod(uid = podView().ref.uid): PodView {
    return this.pods.get(uid) ?? podView();
  }

  reading(uid: string): PodReading {
    const pod = this.pods.get(uid);
    return pod ? { kind: 'Present', pod, asOf: this.clock.now() } : { kind: 'Gone' };
  }

  change(more: Partial<PodView>, uid = podView().ref.uid): void {
    this.pods.set(uid, { ...this.pod(uid), ...more });
  }

  changeContainer(name: string, more: Partial<PodView['containers'][number]>, uid?: string): void {
    const containers = this.pod(uid).containers.map((one) => (one.name === name ? { ...one, ...more } : one));
    this.change({ containers }, uid);
  }

  end(name = 'sidecar', exitCode = 0, uid?: string): void {
    this.changeContainer(name, { state: exited(exitCode, this.clock.now()) }, uid);
  }

  /** A sidecar ends, the phase follows, and the Job counts the pod. */
  finishPod({ ref: { uid } }: PodView, exitCode = 0): void {
    this.end('sidecar', exitCode, uid);
    const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    this.time.after(1_500, () => this.change({ phase, awaitsJobTracking: false }, uid));
  }

  get sendContext(): SendContext {
    const { cluster, clock, slots } = this;
    const emit = (event: SweepEvent) => void this.heard.push(event);
    const jobs = createJobReader(cluster, emit, slots.take);
    const signals = { stop: this.stopping.signal, cut: this.cutting.signal };
    return { cluster, policy: this.policy, readFacts: async () => noFacts, jobs, clock, emit, ...signals };
  }

  stop(reason: StopReason): void {
    this.stopping.abort(reason);
  }

  /** Sweeps some pods, and then others with the same gates, and moves time on until all are concluded. */
  async apply(plans: readonly PodPlan[], more: Partial<ApplyOptions> = {}, others: readonly PodPlan[] = []) {
    const { sendContext, slots, stopping } = this;
    const notes = await readNotes(undefined, this.clock, stopping.signal);
    const options: ApplyOptions = {
      ...sendContext,
      slots: slots.take,
      concurrency: this.options.slots ?? 4,
      random: () => 0,
      // So many that few pods are read by GET.
      listed: 1_000,
      notes: {
        ...notes,
        add: (note) => {
          this.noted.push(note);
          notes.add(note);
        },
      },
      ...more,
    };
    const portions = others.length === 0 ? [] : [[...others]];
    const next = async () => portions.pop();
    return this.finish(applyPlan({ asOf: now, pods: [...plans], next }, options));
  }

  finish<T>(work: Promise<T>): Promise<T> {
    return whileTimePasses(this.time, work, 500);
  }

  get conclusions(): readonly PodConclusion[] {
    return this.heard.flatMap((event) => (event.kind === 'PodConcluded' ? [event.conclusion] : []));
  }

  /** What became of each pod, by name, in the order in which they were concluded. */
  get outcomes(): readonly string[] {
    return this.conclusions.map(({ pod, outcome }) => {
      const why = 'reason' in outcome && typeof outcome.reason === 'string' ? ` ${outcome.reason}` : '';
      return `${pod.name} ${outcome.kind}${why}`;
    });
  }

  get warnings() {
    return this.heard.flatMap((event) => (event.kind === 'Warned' ? [event.warning] : []));
  }

  get elapsed(): number {
    return this.clock.now() - now;
  }
}

/** A stuck pod of this name, by default of its own Job. */
export function podNamed(name: string, more: Partial<PodView> = {}): PodView {
  const ref: PodRef = { namespace: 'demo', name, uid: name };
  const owner = { group: 'batch', kind: 'Job', name: `job-${name}`, uid: `job-${name}` };
  return podView({ ref, owner, ...more });
}
