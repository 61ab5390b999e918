import { isDeepStrictEqual } from 'node:util';
import type { EmulatorClock } from '../../clock.ts';
import type { Container, Pod } from '../objects.ts';
import type { Runtime, Sandbox } from '../runtime/runtime.ts';
import { type Store, StoreConflict } from '../store.ts';
import type { Role } from './container-status.ts';
import { ContainerWorker } from './container-worker.ts';
import { nextPodStatus, type PodFailure } from './pod-status.ts';
import { containersOf, endOrder, nextSteps, restarts } from './steps.ts';
import { Alarms, type Timings } from './timings.ts';

const SHORTEST_GRACE_IN_TURN = 2;

export interface Node {
  readonly store: Store;
  readonly clock: EmulatorClock;
  readonly runtime: Runtime;
  readonly timings: Timings;
  nextPodIP(): string;
}

/**
 * The kubelet's work on one pod, from its sandbox to its final phase. Every event (a new spec, the end of a
 * container or of a back-off) leads to `sync`, which looks at the whole pod and starts what is due.
 */
export class PodWorker {
  readonly #containers = new Map<string, ContainerWorker>();
  readonly #alarms: Alarms;
  #pod: Pod;
  sandbox: Sandbox | undefined;
  #creatingSandbox = false;
  #podIP: string | undefined;
  #cancelDeadline = () => {};
  #failure: PodFailure | undefined;
  isEnding = false;
  /** Whether the kubelet itself stopped the last containers. */
  #killed = false;
  #endBy = Number.POSITIVE_INFINITY;
  #over: boolean;
  /** Whether nothing of the pod is left on the node. */
  #isCleanedUp: boolean;
  #gone = false;

  constructor(
    private readonly node: Node,
    pod: Pod,
  ) {
    this.#alarms = new Alarms(node.clock);
    this.#pod = pod;
    this.#podIP = pod.status['podIP'] as string | undefined;
    this.#over = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
    this.#isCleanedUp = this.#over;
    this.#takeContainers();
    this.#adopt();
  }

  container(name: string): ContainerWorker | undefined {
    return this.#containers.get(name);
  }

  /** Takes the pod as stored after a write by another client, and syncs. */
  update(pod: Pod): void {
    this.#pod = pod;
    this.#takeContainers();
    this.sync();
  }

  /** Takes the pod as stored after this worker's own write. */
  keep(pod: Pod): void {
    this.#pod = pod;
  }

  /** Removes everything of a pod that no longer exists in the API. */
  async destroy(): Promise<void> {
    this.#gone = true;
    this.#cancelDeadline();
    this.#alarms.cancel();
    for (const container of this.#containers.values()) container.forget();
    await this.sandbox?.destroy();
  }

  sync(): void {
    if (this.#gone) return;
    this.#armDeadline();
    const { deletionTimestamp, deletionGracePeriodSeconds } = this.#pod.metadata;
    if (this.#over) this.#reap();
    else if (deletionTimestamp) this.#end(deletionGracePeriodSeconds ?? this.#grace());
    else if (!this.isEnding) this.#step();
  }

  #step(): void {
    const steps = nextSteps(this.#pod, this.#containers);
    if (steps.some(({ kind }) => kind === 'Start' || kind === 'Restart') && !this.sandbox) {
      this.#createSandbox();
      return;
    }
    for (const step of steps) {
      if (step.kind === 'End') {
        this.#end(this.#grace());
        continue;
      }
      const container = this.#containers.get(step.name);
      if (step.kind === 'Start') container?.start();
      else if (step.kind === 'Restart') container?.restart();
    }
    const replaced = steps.flatMap((step) => {
      const container = step.kind === 'Replace' ? this.#containers.get(step.name) : undefined;
      return container?.reserve() ? [container] : [];
    });
    void this.#replace(replaced);
    this.publish();
  }

  /**
   * Each gets the whole grace period, one after the other. The new ones start when all have ended, even if the pod is deleted
   * meanwhile (seen on a real 1.36 kubelet).
   */
  async #replace(containers: readonly ContainerWorker[]): Promise<void> {
    const starts: (() => void)[] = [];
    for (const container of containers) starts.push(await container.replace(this.#grace()));
    for (const start of starts) start();
  }

  #createSandbox(): void {
    this.publish();
    if (this.#creatingSandbox) return;
    this.#creatingSandbox = true;
    this.#alarms.after(this.node.timings.createSandbox, async () => {
      const sandbox = await this.node.runtime.createSandbox(this.#pod);
      this.#creatingSandbox = false;
      if (this.#gone || this.#over) return sandbox.destroy();
      this.#podIP = this.node.nextPodIP();
      this.#hold(sandbox);
      this.publish();
      this.sync();
    });
  }

  #hold(sandbox: Sandbox): void {
    this.sandbox = sandbox;
    void sandbox.ended.then(() => {
      if (this.sandbox === sandbox) this.sandbox = undefined;
    });
  }

  #end(graceSeconds: number): void {
    const first = !this.isEnding;
    this.isEnding = true;
    if (first) for (const container of this.#containers.values()) container.giveUp();
    this.#cancelDeadline();
    this.#endBy = Math.min(this.#endBy, this.node.clock.now().getTime() + graceSeconds * 1000);
    this.publish();
    if (first) this.#goOnEnding();
    else this.#stopContainers();
  }

  /** Stops the containers that are next in order. Once none is running, the pod ends a moment later. */
  #goOnEnding(): void {
    if (this.#isRunning()) this.#stopContainers();
    else this.#alarms.after(this.node.timings.settlePhase, () => this.#finish());
  }

  #isRunning(): boolean {
    return [...this.#containers.values()].some(({ status }) => status.state.running);
  }

  #stopContainers(): void {
    const left = Math.max(0, (this.#endBy - this.node.clock.now().getTime()) / 1000);
    for (const container of endOrder([...this.#containers.values()])) {
      this.#killed = true;
      // The regular containers may have used up the grace period before it is a native sidecar's turn.
      container.stop(container.role === 'sidecar' ? Math.max(left, SHORTEST_GRACE_IN_TURN) : left);
    }
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#cancelDeadline();
    for (const container of this.#containers.values()) container.writeOff();
    const sandbox = this.sandbox;
    this.sandbox = undefined;
    this.publish();
    void sandbox?.destroy();
    this.#alarms.after(this.node.timings.removePod, () => {
      this.#isCleanedUp = true;
      this.#reap();
    });
  }

  /** Lets go of a deleted pod: its object is removed once it has no finalizers. */
  #reap(): void {
    if (!this.#isCleanedUp) return;
    const { namespace, name, uid } = this.#pod.metadata;
    const current = this.node.store.get<Pod>('pods', namespace, name)?.metadata;
    if (current?.uid !== uid || !current.deletionTimestamp || current.finalizers?.length) return;
    this.node.store.delete('pods', namespace, name);
  }

  publish(): void {
    if (this.#gone) return;
    const { namespace, name, uid } = this.#pod.metadata;
    try {
      this.node.store.update<Pod>('pods', namespace, name, (current) => {
        if (current.metadata.uid !== uid) return current;
        const status = this.#status(current);
        return isDeepStrictEqual(status, current.status) ? current : { ...current, status };
      });
    } catch (error) {
      // The pod was deleted in the meantime.
      if (!(error instanceof StoreConflict)) throw error;
    }
  }

  #status(pod: Pod): Pod['status'] {
    return nextPodStatus(pod, {
      containers: [...this.#containers.values()],
      podIP: this.#podIP,
      sandboxReady: this.sandbox !== undefined,
      failure: this.#failure,
      terminal: this.isEnding,
      over: this.#over,
      now: this.node.clock.now(),
    });
  }

  /** A pod's activeDeadlineSeconds counts from its startTime, and can be set or lowered while the pod runs. */
  #armDeadline(): void {
    this.#cancelDeadline();
    const { spec, status } = this.#pod;
    if (this.isEnding || this.#over || spec.activeDeadlineSeconds === undefined || !status.startTime) return;
    const end = Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1000;
    this.#cancelDeadline = this.clock.after(Math.max(0, end - this.clock.now().getTime()), () => {
      const message = 'Pod was active on the node longer than the specified deadline';
      this.#failure = { reason: 'DeadlineExceeded', message };
      this.#end(this.#grace());
    });
  }

  #takeContainers(): void {
    for (const podContainer of containersOf(this.#pod)) {
      const { container } = podContainer;
      const known = this.#containers.get(container.name);
      if (known) known.container = container;
      else this.#containers.set(container.name, new ContainerWorker(this, podContainer));
    }
  }

  get clock(): EmulatorClock {
    return this.node.clock;
  }

  get timings(): Timings {
    return this.node.timings;
  }

  /** `name_namespace(uid)`, as in the kubelet's messages. */
  get name(): string {
    const { name, namespace, uid } = this.#pod.metadata;
    return `${name}_${namespace}(${uid})`;
  }

  restarts(role: Role, container: Container, exitCode: number): boolean {
    return restarts(this.#pod, role, container, exitCode);
  }

  changed(): void {
    // The kubelet knows that the containers it has killed are gone: it writes the final phase at once.
    if (this.#killed && !this.#over && !this.#isRunning()) {
      this.#finish();
      return;
    }
    this.publish();
    if (this.isEnding && !this.#over) this.#goOnEnding();
    else this.sync();
  }

  #adopt(): void {
    const running = [...this.#containers.values()].filter(({ status }) => status.state.running);
    const sandbox = running.length > 0 && !this.#over ? this.node.runtime.adopt?.(this.#pod) : undefined;
    if (!sandbox) return;
    this.#hold(sandbox);
    for (const worker of running) {
      const id = worker.status.containerID?.replace('containerd://', '') ?? '';
      worker.adopt(sandbox.resume(worker.container, id));
    }
  }

  #grace(): number {
    return this.#pod.spec.terminationGracePeriodSeconds ?? 30;
  }
}
