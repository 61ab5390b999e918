import type { Duplex } from 'node:stream';
import type { Container, Pod } from './objects.ts';

/**
 * What the kubelet needs from a container runtime. There are two. `processes` starts real processes in PID
 * namespaces, with a network namespace for each pod, so that the kernel decides what a signal does. `light`
 * only keeps state, for clusters of 100,000 pods.
 */
export interface Runtime {
  /** Creates the pod's sandbox: a network namespace and, with shareProcessNamespace, the pause process. */
  createSandbox(pod: Pod): Promise<Sandbox>;
  /** Takes over a pod whose status has running containers. Only a runtime without processes can. */
  adopt?(pod: Pod): AdoptedPod;
}

export interface AdoptedPod {
  readonly sandbox: Sandbox;
  readonly running: ReadonlyMap<string, RunningContainer>;
}

export interface Sandbox {
  /** Resolves when the sandbox itself has ended, for example after a signal to a shared PID 1. */
  readonly ended: Promise<void>;
  /** Rejects with StartError if the image is missing or lacks the program. */
  start(container: Container, options: StartOptions): Promise<RunningContainer>;
  /** Connects to a port on the sandbox's loopback for port-forward. Rejects if the connection fails. */
  connect(port: number): Promise<Duplex>;
  destroy(): Promise<void>;
}

export interface StartOptions {
  /** The container whose PID namespace to join, for an ephemeral container with a targetContainerName. */
  readonly target?: RunningContainer;
}

export interface RunningContainer {
  /** 64 hexadecimal digits. */
  readonly id: string;
  readonly imageID: string;
  /** As in `status.containerStatuses[].user`. */
  readonly user: { readonly uid: number; readonly gid: number };
  readonly exited: Promise<ContainerExit>;
  /** Everything written to stdout and stderr so far. */
  logs(): string;
  /** Calls the listener with new output. Returns a function that stops it. */
  follow(listener: (chunk: Buffer) => void): () => void;
  /** Sends a signal from outside the PID namespace, as the runtime does: SIGKILL always ends PID 1. */
  kill(signal: NodeJS.Signals): void;
  /** Starts a process in the container, as its user. Rejects with ExecError if it cannot start. */
  exec(command: readonly string[], io: ExecIo): Promise<ExecProcess>;
}

export interface ContainerExit {
  readonly exitCode: number;
  readonly signal?: number;
  /** Set if it does not follow from the exit code, for example OOMKilled. */
  readonly reason?: string;
  /** The content of its termination log. */
  readonly message?: string;
}

export interface ExecIo {
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
}

export interface ExecProcess {
  /** Writes bytes to its stdin; undefined closes stdin. */
  write(chunk: Buffer | undefined): void;
  /** The exit code; 137 if it died with the container. */
  readonly exited: Promise<number>;
  kill(): void;
}

/** The container could not start. Its state becomes terminated or waiting, with this reason. */
export class StartError extends Error {
  constructor(
    readonly reason: 'StartError' | 'ErrImagePull' | 'ErrImageNeverPull' | 'CreateContainerConfigError',
    message: string,
    /** Set if the image exists and only its program could not start. */
    readonly imageID = '',
  ) {
    super(message);
  }
}

/** The runtime could not start a program in a container. The program has no exit code. */
export class ExecError extends Error {}

/** The kubelet's interface for the API server: exec, port-forward and logs use it. */
export interface Kubelet {
  /** The pod's sandbox, if it has one. */
  sandbox(podUid: string): Sandbox | undefined;
  /** A running container, including init and ephemeral ones. */
  running(podUid: string, container: string): RunningContainer | undefined;
  /** The logs of a container's current or previous instance; undefined if there are none. */
  logs(podUid: string, container: string, previous: boolean): ContainerLogs | undefined;
}

export interface ContainerLogs {
  text(): string;
  /** Undefined once the container has ended. */
  readonly follow: RunningContainer['follow'] | undefined;
  readonly ended: Promise<unknown>;
}
