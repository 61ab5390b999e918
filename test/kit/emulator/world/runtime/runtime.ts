import { createHash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Container, Pod } from '../objects.ts';

/**
 * What the kubelet needs from a container runtime. There are two. `processes` starts real processes in PID
 * namespaces, with a network namespace for each pod, so that the kernel decides what a signal does. `light`
 * only keeps state, for clusters of 100,000 pods.
 */
export interface Runtime {
  /** Creates the pod's sandbox: a network namespace and, with shareProcessNamespace, the pause process. */
  createSandbox(pod: Pod): Promise<Sandbox>;
  /** Takes over a pod whose status has running containers. Only a runtime without processes can. */
  adopt?(pod: Pod): Sandbox & { resume(container: Container, id: string): RunningContainer };
}

export interface Sandbox {
  /** Resolves when the sandbox itself has ended, for example after a signal to a shared PID 1. */
  readonly ended: Promise<void>;
  /**
   * Rejects with StartError if the image is missing or lacks the program. An ephemeral container with a targetContainerName joins
   * the PID namespace of that container.
   */
  start(container: Container, target: RunningContainer | undefined): Promise<RunningContainer>;
  /** Connects to a port on the sandbox's loopback for port-forward. Rejects if the connection fails. */
  connect(port: number): Promise<Duplex>;
  destroy(): Promise<void>;
}

export interface RunningContainer {
  /** 64 hexadecimal digits. */
  readonly id: string;
  readonly imageID: string;
  /** As in `status.containerStatuses[].user`. */
  readonly user: { readonly uid: number; readonly gid: number };
  readonly exited: Promise<ContainerExit>;
  logs(): string;
  /** Sends a signal from outside the PID namespace, as the runtime does: SIGKILL always ends PID 1. */
  kill(signal: NodeJS.Signals): void;
  /**
   * Runs a process in the container, as its user. Resolves to its exit code, 137 if it died with the container, and rejects with
   * ExecError if it cannot start.
   */
  exec(command: readonly string[], io: ExecIo): Promise<number>;
}

export interface ContainerExit {
  readonly exitCode: number;
  /** The content of its termination log. */
  readonly message?: string;
}

export interface ExecIo {
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
}

/** The container could not start. Its state becomes terminated or waiting, with this reason. */
export class StartError extends Error {
  constructor(
    readonly reason: 'StartError' | 'ErrImagePull' | 'ErrImageNeverPull',
    message: string,
    /** Set if the image exists and only its program could not start. */
    readonly imageID = '',
  ) {
    super(message);
  }
}

/** The runtime could not start a program in a container. The program has no exit code. */
export class ExecError extends Error {}

/** What pods need to reach the API server as their service account. */
export interface InCluster {
  readonly port: number;
  readonly ca: string;
  token(namespace: string, serviceAccount: string): string;
}

/** The cluster IP of the `kubernetes` service, where every pod finds the API server. */
export const apiServiceIP = '10.96.0.1';

/** The OCI runtime's message for a missing program, given by path or looked up in $PATH. */
export function notFound(program: string): string {
  const quoted = `exec: ${JSON.stringify(program)}`;
  return program.includes('/')
    ? `${quoted}: stat ${program}: no such file or directory`
    : `${quoted}: executable file not found in $PATH`;
}

/** The kubelet's message for a command that could not start in a container. */
export function execMessage(cause: string): string {
  const id = randomBytes(32).toString('hex');
  return (
    'error executing command in container: failed to exec in container: ' +
    `failed to start exec "${id}": OCI runtime exec failed: exec failed: unable to start container process: ${cause}`
  );
}

/** The error for an image that neither the node nor a registry has. */
export function pullError({ image, imagePullPolicy }: Container): StartError {
  if (imagePullPolicy === 'Never') {
    return new StartError(
      'ErrImageNeverPull',
      `Container image "${image}" is not present with pull policy of Never`,
    );
  }
  return new StartError(
    'ErrImagePull',
    `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
  );
}

/** The kubelet's message for a container whose program could not start. */
export function startMessage(cause: string): string {
  return (
    'failed to create containerd task: failed to create shim task: OCI runtime create failed: ' +
    `runc create failed: unable to start container process: ${cause}`
  );
}

/** An image's ID in containerd's form, derived from its name. */
export function imageID(image: string): string {
  return `sha256:${createHash('sha256').update(image).digest('hex')}`;
}

/** The user that a container runs as. Without a gid, the image's /etc/passwd decides; the default is 0. */
export function userOf(pod: Pod, container: Container, imageUser = 0): { uid: number; gid?: number } {
  const uid = container.securityContext?.runAsUser ?? pod.spec.securityContext?.runAsUser ?? imageUser;
  const gid = container.securityContext?.runAsGroup ?? pod.spec.securityContext?.runAsGroup;
  return gid === undefined ? { uid } : { uid, gid };
}
