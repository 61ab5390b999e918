import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Container, Pod } from '../../objects.ts';
import type { Store } from '../../store.ts';
import {
  apiServiceIP,
  type InCluster,
  imageID,
  pullError,
  type RunningContainer,
  type Runtime,
  type Sandbox,
  StartError,
  startMessage,
  userOf,
} from '../runtime.ts';
import { causeOf, ProcessContainer, TerminationLog } from './container.ts';
import { environment, expand, mountedFiles } from './files.ts';
import { type Helper, portStream, runHelper } from './helper.ts';
import { builtInImages, type Image, type Images, type RootEntry } from './images.ts';
import { type Cgroups, findCgroups, processesMode } from './machine.ts';

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
  #isDestroyed = false;

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

  async start(container: Container, target: RunningContainer | undefined): Promise<RunningContainer> {
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
    const output: Buffer[] = [];
    const keep = (chunk: Buffer) => void output.push(chunk);
    const io = { onStdout: keep, onStderr: keep };
    const helper = await runHelper('start', args, { env, ...io }).catch((error) => {
      lastWords.remove();
      throw new StartError('StartError', startMessage(causeOf(error)), imageID(container.image));
    });
    this.#keep(helper);
    return new ProcessContainer(id, imageID(container.image), user, helper, output, {
      env,
      args: settings,
      lastWords: (exitCode) => lastWords.take(container, exitCode, Buffer.concat(output).toString()),
    });
  }

  async connect(port: number): Promise<Duplex> {
    const args = [process.pid, this.host.mode, this.pause.pid, port].map(String);
    const helper = await runHelper('forward', args, { stdin: true });
    this.#keep(helper);
    return portStream(helper);
  }

  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    const helpers = [...this.#helpers, this.pause];
    for (const helper of helpers) helper.end();
    await Promise.all(helpers.map(({ exited }) => exited));
  }

  #keep(helper: Helper): void {
    // What was still starting when the sandbox was destroyed ends now.
    if (this.#isDestroyed) helper.end();
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
