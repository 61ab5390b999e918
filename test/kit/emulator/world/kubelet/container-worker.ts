import { randomBytes } from 'node:crypto';
import type { Container, ContainerStatus } from '../objects.ts';
import { type ContainerExit, type RunningContainer, StartError } from '../runtime/runtime.ts';
import * as statuses from './container-status.ts';
import { runHook, type Stop, stopContainer } from './hooks.ts';
import type { PodWorker } from './pod-worker.ts';
import { nextBackOff, nextPullBackOff, type PodContainer } from './steps.ts';
import { Alarms } from './timings.ts';

export class ContainerWorker {
  readonly role: statuses.Role;
  status: ContainerStatus;
  container: Container;
  /** The image it last started with; undefined before the first start. */
  image: string | undefined;
  instance: RunningContainer | undefined;
  readonly #alarms: Alarms;
  /** Whether it is being started or replaced, or is in back-off. Nothing else may start meanwhile. */
  #busy = false;
  #stop: Stop | undefined;
  #backOff: number | undefined;
  /** The image to which the back-off applies: another image makes another container, which starts at once. */
  #backOffImage: string | undefined;
  /** Set while it waits for the end of its back-off; a later value makes an earlier wait void. */
  #wait: object | undefined;
  #pullBackOff: number | undefined;
  /** Set while it waits to pull its image again. */
  #pull: { readonly image: string } | undefined;
  #forgotten = false;
  /** The last instance that has ended, even if the kubelet has not noticed yet. */
  #ended: RunningContainer | undefined;
  /** The last one that a new image took the place of: the client that stopped it has seen its end. */
  #replaced: RunningContainer | undefined;

  constructor(
    private readonly host: PodWorker,
    { role, container, status }: PodContainer,
  ) {
    this.role = role;
    this.container = container;
    this.status = status;
    this.image = status.containerID ? status.image : undefined;
    this.#alarms = new Alarms(host.clock);
  }

  /** The instance that really runs now, whatever the status says. */
  get running(): RunningContainer | undefined {
    return this.status.state.running && this.instance !== this.#ended ? this.instance : undefined;
  }

  start(): void {
    this.#dropPull();
    if (this.#busy) return;
    this.#busy = true;
    void this.#launch(this.status);
  }

  restart(): void {
    this.#dropPull();
    const changed = this.container.image !== this.#backOffImage;
    if (this.#busy && !(this.#wait && changed)) {
      this.#showBackOff();
      return;
    }
    this.#busy = true;
    if (this.#pullBackOff !== undefined) {
      // The wait for its image is over. No container has been created, so there is no other back-off.
      void this.#launch(statuses.restartedStatus(this.status));
      return;
    }
    this.#backOff = nextBackOff(changed ? undefined : this.#backOff, secondsOf(this.status));
    this.#backOffImage = this.container.image;
    const wait = {};
    this.#wait = wait;
    const again = () => {
      if (this.host.isEnding || this.#wait !== wait) return;
      this.#wait = undefined;
      this.#showBackOff();
      void this.#launch(statuses.restartedStatus(this.status));
    };
    // The sync that reports a failed start tries again before anyone can react to the report.
    const isFirstRetry = this.#backOff === 0 && this.status.state.waiting !== undefined;
    if (isFirstRetry) again();
    else this.#alarms.after(this.#backOff * 1000 || this.host.timings.firstRestart, again);
  }

  /** Reserves it for `replace`. One that has ended by itself is not: only its restart policy could start it again. */
  reserve(): boolean {
    if (this.#busy || !this.instance || this.instance === this.#ended) return false;
    this.#busy = true;
    this.#replaced = this.instance;
    return true;
  }

  /** Stops it without publishing a status. Returns what starts its new image. */
  async replace(graceSeconds: number): Promise<() => void> {
    const { instance, host } = this;
    if (!instance) return () => {};
    this.#stop ??= stopContainer(instance, this.container, graceSeconds, host.clock);
    const exit = await this.#stop.exited;
    this.#stop = undefined;
    const ended = statuses.terminatedStatus(this.status, this.role, exit, host.clock.now());
    return () => {
      if (this.#forgotten) return;
      if (!host.sandbox) this.status = ended;
      // Whatever else happens in the pod until then, nobody is to take this container for one that stays ended.
      void this.#launch(statuses.restartedStatus(ended));
    };
  }

  /** Stops it within the grace period, which can only shorten an earlier one. */
  stop(graceSeconds: number): void {
    if (!this.instance) return;
    if (this.#stop) this.#stop.shorten(graceSeconds);
    else this.#stop = stopContainer(this.instance, this.container, graceSeconds, this.host.clock);
  }

  adopt(instance: RunningContainer): void {
    this.instance = instance;
    void instance.exited.then((exit) => this.#exited(instance, exit));
  }

  /** The pod is ending: a run that it waits for will not come. */
  giveUp(): void {
    this.status = statuses.givenUpStatus(this.status);
  }

  /** Once the pod has ended, marks a container that never started as such. */
  writeOff(): void {
    if (this.status.state.terminated || this.role === 'ephemeral') return;
    this.status = statuses.unknownStatus(this.status, this.role);
  }

  /** Stops reporting, because the pod no longer exists. */
  forget(): void {
    this.#forgotten = true;
    this.#alarms.cancel();
  }

  async #launch(base: ContainerStatus): Promise<void> {
    const { host, container } = this;
    const target = host.container(container.targetContainerName ?? '')?.instance;
    try {
      if (!host.sandbox) {
        // The sandbox has just died. The pod gets a new one before this container starts.
        this.#alarms.after(0, () => this.#idle());
        return;
      }
      const instance = await host.sandbox.start(container, target);
      // Until the hook has ended, the kubelet does nothing else. A container whose hook fails is killed.
      if ((await runHook(instance, container.lifecycle?.postStart, host.clock)) !== undefined)
        instance.kill('SIGKILL');
      if (this.#forgotten) return;
      this.adopt(instance);
      this.#pullBackOff = undefined;
      this.status = statuses.runningStatus(base, container, this.role, instance, host.clock.now());
    } catch (error) {
      if (this.#forgotten) return;
      if (!(error instanceof StartError)) throw error;
      if (error.reason === 'StartError') this.#notStarted(base, container, error);
      else this.#notCreated(base, error);
      return;
    }
    this.image = container.image;
    this.#idle();
  }

  /** The kubelet reports a failed start when it next looks, about a second later. */
  #notStarted(base: ContainerStatus, container: Container, error: StartError): void {
    const { role, host } = this;
    const id = randomBytes(32).toString('hex');
    const created = { id, imageID: error.imageID, user: { uid: 0, gid: 0 } };
    const now = host.clock.now();
    const failed = statuses.startErrorStatus(base, container, role, created, error.message, now);
    this.image = container.image;
    this.#alarms.after(host.timings.noticeExit, () => {
      const again = !host.isEnding && host.restarts(role, container, 128);
      this.status = again ? statuses.startRetriedStatus(failed) : failed;
      this.#idle();
    });
  }

  #notCreated(base: ContainerStatus, error: StartError): void {
    const { terminated } = base.lastState;
    // Only its restart policy could start it again: the old container is not replaced any more, and its end is the container's.
    // https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/kubelet/container/helpers.go (ShouldContainerBeRestarted)
    if (terminated && !this.host.restarts(this.role, this.container, terminated.exitCode)) {
      this.status = { ...this.status, state: { terminated }, ready: false, started: false };
      this.#ended = this.instance;
      this.#idle();
      return;
    }
    const again = this.#pullBackOff !== undefined && error.reason === 'ErrImagePull';
    this.#pullBackOff = nextPullBackOff(this.#pullBackOff);
    this.status = statuses.notPulledStatus(this.status, this.container, base.lastState, error, again);
    this.host.publish();
    const pull = { image: this.container.image };
    this.#pull = pull;
    this.#alarms.after(this.#pullBackOff * 1000, () => {
      if (this.#pull !== pull) return;
      this.#pull = undefined;
      this.#idle();
    });
  }

  #idle(): void {
    this.#busy = false;
    this.host.changed();
  }

  /** An image that could not be pulled is of no interest once the container has another. */
  #dropPull(): void {
    if (this.#pull === undefined || this.#pull.image === this.container.image) return;
    this.#pull = undefined;
    this.#pullBackOff = undefined;
    this.#busy = false;
  }

  /** CrashLoopBackOff appears only when the kubelet next syncs the pod during the back-off, not at once. */
  #showBackOff(): void {
    const { terminated, waiting } = this.status.state;
    if (!this.#backOff || !(terminated || waiting?.reason === 'RunContainerError')) return;
    const who = `container=${this.status.name} pod=${this.host.name}`;
    this.status = statuses.backOffStatus(this.status, `back-off ${this.#backOff}s restarting failed ${who}`);
    this.host.publish();
  }

  #exited(instance: RunningContainer, exit: ContainerExit): void {
    if (this.instance === instance) this.#ended = instance;
    if (this.#forgotten || this.#replaced === instance || this.instance !== instance) return;
    const finishedAt = this.host.clock.now();
    this.#alarms.after(this.host.timings.noticeExit, () => {
      if (this.#replaced === instance) return;
      this.#stop = undefined;
      this.status = statuses.terminatedStatus(this.status, this.role, exit, finishedAt);
      this.host.changed();
    });
  }
}

/** How long the last run took. A container that could not start has not run at all. */
function secondsOf({ state }: ContainerStatus): number {
  const { terminated } = state;
  if (!terminated || terminated.reason === 'StartError') return 0;
  return (Date.parse(terminated.finishedAt) - Date.parse(terminated.startedAt)) / 1000;
}
