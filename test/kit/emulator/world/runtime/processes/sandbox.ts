import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { pullError } from '../../kubelet/images.ts';
import type { Container, Pod } from '../../objects.ts';
import type { Store } from '../../store.ts';
import {
  apiServiceIP,
  connectionRefused,
  type InCluster,
  imageID,
  type RunningContainer,
  type Runtime,
  type Sandbox,
  StartError,
  type StartOptions,
  startMessage,
  userOf,
} from '../runtime.ts';
import { causeOf, Output, ProcessContainer, TerminationLog } from './container.ts';
import { environment, expand, mountedFiles } from './files.ts';
import { type Helper, HelperError, portStream, runHelper } from './helper.ts';
import { builtInImages, type Image, type Images, type RootEntry } from './images.ts';
import { type Cgroups, findCgroups, processesMode } from './machine.ts';

/** Why this machine cannot run real processes; undefined if it can. */
export function processesAvailable(): string | undefined {
  const mode = processesMode();
  return mode.kind === 'none' ? mode.reason : undefined;
}

/** Why pods cannot share a PID namespace on this machine; undefined if they can. */
export function sharedPidNamespaceAvailable(): string | undefined {
  const reason = processesAvailable();
  if (reason) return reason;
  return findCgroups() ? undefined : 'needs a writable cgroup hierarchy';
}

/** Why pods cannot reach the API server on this machine; undefined if they can. */
export function inClusterApiAvailable(): string | undefined {
  const mode = processesMode();
  switch (mode.kind) {
    case 'root':
      return undefined;
    case 'rootless':
      return 'pods can reach the API server only if the emulator runs as root';
    case 'none':
      return mode.reason;
  }
}

/** Runs containers as real processes in their own namespaces, so that the kernel decides what signals do. */
export function processRuntime(store: Store, images: Images = {}, inCluster?: () => InCluster): Runtime {
  const mode = processesMode();
  if (mode.kind === 'none') throw new Error(`cannot run real processes: ${mode.reason}`);
  const host = {
    mode: mode.kind,
    images: { ...builtInImages, ...images },
    cgroups: findCgroups(),
    store,
    inCluster,
    // Any directory that containers do not need. Only their own mount namespaces see what is mounted on it.
    rootDirectory: fileURLToPath(new URL('helpers', import.meta.url)),
  };
  return { createSandbox: (pod) => createSandbox(host, pod) };
}

interface Host {
  readonly mode: 'root' | 'rootless';
  readonly images: Images;
  readonly cgroups: Cgroups | undefined;
  /** The directory on which every container mounts its root, each in its own mount namespace. */
  readonly rootDirectory: string;
  readonly store: Store;
  readonly inCluster: (() => InCluster) | undefined;
}

/** Starts a pod's pause process in a new network and PID namespace. */
async function createSandbox(host: Host, pod: Pod): Promise<ProcessSandbox> {
  if (pod.spec.shareProcessNamespace && !host.cgroups) {
    throw new Error('shareProcessNamespace needs a writable cgroup hierarchy');
  }
  const id = randomBytes(32).toString('hex');
  const cgroup = host.cgroups?.create(id) ?? '';
  const pause = await runHelper('sandbox', [String(process.pid), host.mode, cgroup]);
  const sandbox = new ProcessSandbox(host, pod, pause);
  await sandbox.reachApi();
  return sandbox;
}

class ProcessSandbox implements Sandbox {
  readonly ended: Promise<void>;
  readonly #helpers = new Set<Helper>();

  constructor(
    private readonly host: Host,
    private readonly pod: Pod,
    private readonly pause: Helper,
  ) {
    this.ended = pause.exited.then(() => undefined);
  }

  /** Connects the pod to the API server if it has its own service account. */
  async reachApi(): Promise<void> {
    const inCluster = this.#inCluster();
    // Only root can return from the sandbox's network namespace to the server's.
    if (!inCluster || this.host.mode !== 'root') return;
    const args = [process.pid, this.pause.pid, apiServiceIP, inCluster.port].map(String);
    this.#keep(await runHelper('api', args));
  }

  async start(container: Container, { target }: StartOptions): Promise<RunningContainer> {
    const image = this.host.images[container.image];
    if (!image) throw pullError(container);
    const id = randomBytes(32).toString('hex');
    const user = this.#user(image, container);
    const env = environment(this.pod, container, image.env);
    const settings = [
      `mode=${this.host.mode}`,
      `uid=${user.uid}`,
      `gid=${user.gid}`,
      `cwd=${container['workingDir'] ?? '/'}`,
      `cgroup=${this.host.cgroups?.create(id) ?? ''}`,
      `quit=${image.shellIgnoresQuit ? 1 : ''}`,
      `readonly=${container.securityContext?.['readOnlyRootFilesystem'] ? 1 : ''}`,
    ];
    const lastWords = new TerminationLog(id);
    const volumes = { store: this.host.store, inCluster: this.#inCluster() };
    const args = [
      `parent=${process.pid}`,
      `sandbox=${this.pause.pid}`,
      `pids=${this.#pidNamespaceOf(target) ?? ''}`,
      `root=${this.host.rootDirectory}`,
      ...settings,
      `termination=${lastWords.file}`,
      ...[...image.root(), ...mountedFiles(this.pod, container, volumes)].flatMap(entryArguments),
      '--',
      ...commandOf(image, container).map((word) => expand(word, env)),
    ];
    const output = new Output();
    const helper = await runHelper('start', args, {
      env,
      onStdout: output.write,
      onStderr: output.write,
    }).catch((error) => {
      lastWords.remove();
      throw new StartError('StartError', startMessage(causeOf(error)), imageID(container.image));
    });
    this.#keep(helper);
    return new ProcessContainer(id, imageID(container.image), user, helper, output, {
      env,
      args: settings,
      lastWords: (exitCode) => lastWords.take(container, exitCode, output.text()),
    });
  }

  async connect(port: number): Promise<Duplex> {
    const args = [process.pid, this.host.mode, this.pause.pid, port].map(String);
    try {
      const helper = await runHelper('forward', args, { stdin: true });
      this.#keep(helper);
      const { stdin, stdout } = helper.child;
      return portStream({ stdin, stdout, kill: () => helper.end() });
    } catch (error) {
      if (error instanceof HelperError && error.kind === 'connect') throw connectionRefused(port);
      throw error;
    }
  }

  async destroy(): Promise<void> {
    const helpers = [...this.#helpers, this.pause];
    for (const helper of helpers) helper.end();
    await Promise.all(helpers.map(({ exited }) => exited));
  }

  #keep(helper: Helper): void {
    this.#helpers.add(helper);
    void helper.exited.then(() => this.#helpers.delete(helper));
  }

  #inCluster(): InCluster | undefined {
    const account = this.pod.spec.serviceAccountName ?? 'default';
    return account === 'default' ? undefined : this.host.inCluster?.();
  }

  /** A shared PID namespace is the sandbox's; an ephemeral container joins its target's. */
  #pidNamespaceOf(target: RunningContainer | undefined): number | undefined {
    if (this.pod.spec.shareProcessNamespace) return this.pause.pid;
    return target instanceof ProcessContainer ? target.pid : undefined;
  }

  #user(image: Image, container: Container): { readonly uid: number; readonly gid: number } {
    const { uid, gid } = userOf(this.pod, container);
    if (gid !== undefined) return { uid, gid };
    const passwd = image.root().find(({ path }) => path === '/etc/passwd');
    const lines = passwd?.kind === 'file' ? passwd.content.split('\n') : [];
    const fields = lines.map((line) => line.split(':')).find(([, , user]) => user === String(uid));
    return { uid, gid: Number(fields?.[3] ?? 0) };
  }
}

/** The container's `command` replaces the image's entry point; its `args` follow. */
function commandOf(image: Image, { command, args = [] }: Container): string[] {
  const words = [...(command ?? image.entrypoint ?? []), ...args];
  if (words.length === 0) throw new StartError('StartError', startMessage('no command specified'));
  return words;
}

function entryArguments(entry: RootEntry): string[] {
  switch (entry.kind) {
    case 'mount':
      return [entry.kind, entry.path, entry.source];
    case 'link':
      return [entry.kind, entry.path, entry.target];
    case 'file':
      return [entry.executable ? 'program' : 'file', entry.path, entry.content];
  }
}
