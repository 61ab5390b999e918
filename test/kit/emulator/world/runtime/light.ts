import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import type { EmulatorClock } from '../../clock.ts';
import { pullError } from '../kubelet/images.ts';
import type { Container, Pod } from '../objects.ts';
import {
  type Behaviours,
  behaviourOf,
  type LightBehaviour,
  LightContainer,
  type LightEnd,
  signalToInit,
} from './light-container.ts';
import { environment } from './processes/files.ts';
import {
  type AdoptedPod,
  connectionRefused,
  imageID,
  notFound,
  type RunningContainer,
  type Runtime,
  type Sandbox,
  StartError,
  type StartOptions,
  startMessage,
  userOf,
} from './runtime.ts';

interface LightOptions {
  readonly clock: EmulatorClock;
  readonly behaviours: Behaviours | undefined;
  /** Whether an exec dies with the container that it ends: on a busy node, it is too slow to exit first. */
  readonly execsDie: boolean;
}

/** A runtime that only keeps state, for clusters of 100,000 pods. The behaviour of containers is declared. */
export function lightRuntime(options: LightOptions): Runtime {
  const turns = new Map<string, number>();
  return {
    createSandbox: async (pod) => new LightSandbox(pod, options, turns),
    adopt(pod) {
      const sandbox = new LightSandbox(pod, options, turns);
      return { sandbox, running: sandbox.adopt() };
    },
  };
}

class LightSandbox implements Sandbox {
  readonly ended: Promise<void>;
  readonly #running: { readonly container: LightContainer; readonly behaviour: LightBehaviour }[] = [];
  #end: () => void = () => {};

  constructor(
    private readonly pod: Pod,
    private readonly options: LightOptions,
    /** How many ends each image's exit codes in turn have had. */
    private readonly turns: Map<string, number>,
  ) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async start(container: Container, options: StartOptions): Promise<RunningContainer> {
    const behaviour = behaviourOf(this.pod, container, this.options.behaviours);
    if (behaviour.image === 'missing') throw pullError(container);
    if (behaviour.image === 'lacks-program') {
      const message = startMessage(notFound(container.command?.[0] ?? '/sidecar'));
      throw new StartError('StartError', message, imageID(container.image));
    }
    const started = this.#run(container, behaviour, randomBytes(32).toString('hex'));
    const signal = signalToInit(container.command ?? []);
    if (options.target instanceof LightContainer && signal) this.#signalFrom(started, options.target, signal);
    return started;
  }

  adopt(): AdoptedPod['running'] {
    const {
      initContainerStatuses = [],
      containerStatuses = [],
      ephemeralContainerStatuses = [],
    } = this.pod.status;
    const { initContainers = [], containers, ephemeralContainers = [] } = this.pod.spec;
    const specs = new Map(
      [...initContainers, ...containers, ...ephemeralContainers].map((spec) => [spec.name, spec]),
    );
    const running = new Map<string, RunningContainer>();
    for (const status of [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses]) {
      const container = specs.get(status.name);
      if (!status.state.running || !container) continue;
      const { ends, ...behaviour } = behaviourOf(this.pod, container, this.options.behaviours);
      const id = status.containerID?.replace('containerd://', '') ?? '';
      running.set(status.name, this.#run(container, behaviour, id));
    }
    return running;
  }

  async connect(port: number): Promise<Duplex> {
    const server = this.#running.find(({ behaviour }) => behaviour.quit?.port === port);
    const quit = server?.behaviour.quit;
    if (!server || !quit) throw connectionRefused(port);
    return quitStream(quit.path, () => server.container.endsWith(quit));
  }

  async destroy(): Promise<void> {
    for (const { container } of this.#running) container.forget();
    this.#end();
  }

  #run(container: Container, behaviour: LightBehaviour, id: string): LightContainer {
    const signalSandbox = this.pod.spec.shareProcessNamespace
      ? (signal: NodeJS.Signals) => this.#signalPause(signal)
      : undefined;
    const user = userOf(this.pod, container, behaviour.user);
    const running = new LightContainer(
      id,
      imageID(container.image),
      { uid: user.uid, gid: user.gid ?? 0 },
      behaviour,
      this.options,
      signalSandbox,
      (end) => this.#exitCode(container, end),
    );
    const entry = { container: running, behaviour };
    this.#running.push(entry);
    void running.exited.then(() => this.#running.splice(this.#running.indexOf(entry), 1));
    return running;
  }

  #exitCode(container: Container, { exitCode, withEnv }: LightEnd): number {
    if (withEnv && environment(this.pod, container)[withEnv.name] === withEnv.value) return withEnv.exitCode;
    if (typeof exitCode === 'number') return exitCode;
    const key = `${this.pod.metadata.namespace}/${container.image}`;
    const turn = this.turns.get(key) ?? 0;
    this.turns.set(key, turn + 1);
    return exitCode[turn % exitCode.length] ?? 0;
  }

  /** The pause process exits on SIGTERM and SIGINT. Its PID namespace ends with it: all containers die. */
  #signalPause(signal: NodeJS.Signals): void {
    if (signal !== 'SIGTERM' && signal !== 'SIGINT') return;
    for (const { container } of this.#running) container.kill('SIGKILL');
    this.#end();
  }

  /** An ephemeral container that signals its target dies with it, or exits 0 if the signal has no effect. */
  #signalFrom(sender: LightContainer, target: LightContainer, signal: NodeJS.Signals): void {
    target.signalled(signal);
    void target.exited.then(() => sender.kill('SIGKILL'));
    this.options.clock.after(100, () => sender.endsWith({ exitCode: 0 }));
  }
}

/** A byte stream to an HTTP server that answers one path with `OK` and calls `onQuit`; others are 404. */
function quitStream(path: string, onQuit: () => void): Duplex {
  const server = createServer((request, response) => {
    const known = request.method === 'POST' && request.url === path;
    if (known) onQuit();
    const body = known ? 'OK\n' : '';
    response.sendDate = false;
    response.writeHead(known ? 200 : 404, { 'Content-Length': body.length, Connection: 'close' });
    response.end(body);
  });
  const [near, far] = duplexPair();
  server.emit('connection', far);
  return near;
}
