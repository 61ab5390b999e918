import type { Duplex } from 'node:stream';
import type { Container, Pod } from './objects.ts';

/**
 * What the emulator's kubelet needs of a container runtime. There are two: `processes` starts real processes in
 * their own PID (and per pod, network) namespaces, so that a signal does what the kernel does; `light` keeps
 * only state, for clusters of 100,000 pods.
 */
export interface Runtime {
  /** The pod's sandbox: its network namespace and, with shareProcessNamespace, the pause process as PID 1. */
  createSandbox(pod: Pod): Promise<Sandbox>;
  /** Takes over a pod whose status says that its containers run; only a runtime that keeps mere state can. */
  adopt?(pod: Pod): AdoptedPod;
}

export interface AdoptedPod {
  readonly sandbox: Sandbox;
  readonly running: ReadonlyMap<string, RunningContainer>;
}

export interface Sandbox {
  /** Resolves when the sandbox itself has ended, for instance by a signal to a shared PID 1. */
  readonly ended: Promise<void>;
  /** Rejects with StartError when the image is missing or does not have the program. */
  start(container: Container, options: StartOptions): Promise<RunningContainer>;
  /** A byte stream to a port of the sandbox's loopback, as port-forward opens it; rejects as `connect` does. */
  connect(port: number): Promise<Duplex>;
  destroy(): Promise<void>;
}

export interface StartOptions {
  /** The container whose PID namespace is joined: an ephemeral container with a targetContainerName. */
  readonly target?: RunningContainer;
}

export interface RunningContainer {
  /** 64 hexadecimal digits. */
  readonly id: string;
  readonly imageID: string;
  /** As `status.containerStatuses[].user` has it. */
  readonly user: { readonly uid: number; readonly gid: number };
  readonly exited: Promise<ContainerExit>;
  /** All that was written to stdout and stderr so far. */
  logs(): string;
  /** Hears log lines as they come; returns the way to stop. */
  follow(listener: (chunk: Buffer) => void): () => void;
  /** A signal from outside, as the runtime sends it: SIGKILL always ends PID 1. */
  kill(signal: NodeJS.Signals): void;
  /** A process in the container's namespaces, as its user. Rejects with ExecError when it cannot be started. */
  exec(command: readonly string[], io: ExecIo): Promise<ExecProcess>;
}

export interface ContainerExit {
  readonly exitCode: number;
  readonly signal?: number;
  /** When not derived from the exit code, as with OOMKilled. */
  readonly reason?: string;
  /** What it wrote to its termination log. */
  readonly message?: string;
}

export interface ExecIo {
  readonly stdin: boolean;
  readonly tty: boolean;
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
}

export interface ExecProcess {
  /** Bytes for its stdin; undefined ends it. */
  write(chunk: Buffer | undefined): void;
  /** The exit code; 137 when it died with the container. */
  readonly exited: Promise<number>;
  kill(): void;
}

/** The container could not be started: becomes state terminated, or waiting, with this reason. */
export class StartError extends Error {
  constructor(
    readonly reason: 'StartError' | 'ErrImagePull' | 'ErrImageNeverPull',
    message: string,
    /** The image, when it is there and only its program could not be started. */
    readonly imageID = '',
  ) {
    super(message);
  }
}

/** The runtime's words when a program cannot be started in a container; not an exit code of the program. */
export class ExecError extends Error {}

/** What the API server asks of a kubelet: exec, port-forward and logs go through it. */
export interface Kubelet {
  /** The sandbox of a pod that has one. */
  sandbox(podUid: string): Sandbox | undefined;
  /** A container (also init or ephemeral) that runs now. */
  running(podUid: string, container: string): RunningContainer | undefined;
  /** The logs of the current or the previous instance of a container; undefined when there is none to read. */
  logs(podUid: string, container: string, previous: boolean): ContainerLogs | undefined;
}

export interface ContainerLogs {
  text(): string;
  /** Undefined once the container has ended: there is nothing more to come. */
  readonly follow: RunningContainer['follow'] | undefined;
  readonly ended: Promise<unknown>;
}
