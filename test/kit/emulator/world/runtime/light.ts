import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { constants } from 'node:os';
import { type Duplex, duplexPair } from 'node:stream';
import type { EmulatorClock } from '../../clock.ts';
import type { Container, Pod } from '../objects.ts';
import {
  type Behaviours,
  behaviourOf,
  type LightBehaviour,
  type LightEnd,
  signalsToChooseFrom,
  signalToInit,
} from './light-behaviour.ts';
import { environment } from './processes/files.ts';
import {
  type ContainerExit,
  ExecError,
  type ExecIo,
  execMessage,
  imageID,
  notFound,
  pullError,
  type RunningContainer,
  type Runtime,
  type Sandbox,
  StartError,
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
    adopt: (pod) => new LightSandbox(pod, options, turns),
  };
}

class LightSandbox implements Sandbox {
  readonly ended: Promise<void>;
  readonly #running = new Set<LightContainer>();
  #end: () => void = () => {};

  constructor(
    readonly pod: Pod,
    readonly options: LightOptions,
    /** How many ends each image's exit codes in turn have had. */
    private readonly turns: Map<string, number>,
  ) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async start(container: Container, target: RunningContainer | undefined): Promise<RunningContainer> {
    const behaviour = behaviourOf(this.pod, container, this.options.behaviours);
    if (behaviour.image === 'missing') throw pullError(container);
    if (behaviour.image === 'lacks-program') {
      const message = startMessage(notFound(container.command?.[0] ?? '/sidecar'));
      throw new StartError('StartError', message, imageID(container.image));
    }
    const started = this.#run(container, behaviour, randomBytes(32).toString('hex'));
    const signal = signalToInit(container.command ?? []);
    if (target instanceof LightContainer && signal) {
      // An ephemeral container that signals its target dies with it, or exits 0 if the signal has no effect.
      target.signalled(signal);
      void target.exited.then(() => started.kill('SIGKILL'));
      this.options.clock.after(100, () => started.endsWith({ exitCode: 0 }));
    }
    return started;
  }

  resume(container: Container, id: string): RunningContainer {
    const { ends, ...behaviour } = behaviourOf(this.pod, container, this.options.behaviours);
    return this.#run(container, behaviour, id);
  }

  async connect(port: number): Promise<Duplex> {
    for (const container of this.#running) {
      const { quit } = container.behaviour;
      if (quit?.port === port) return quitStream(quit.path, () => container.endsWith(quit));
    }
    throw new Error('connection refused');
  }

  async destroy(): Promise<void> {
    for (const container of this.#running) container.forget();
    this.#end();
  }

  /** The pause process exits on SIGTERM and SIGINT. Its PID namespace ends with it: all containers die. */
  signalPause(signal: NodeJS.Signals): void {
    if (signal !== 'SIGTERM' && signal !== 'SIGINT') return;
    for (const container of this.#running) container.kill('SIGKILL');
    this.#end();
  }

  exitCode(container: Container, { exitCode, withEnv }: LightEnd): number {
    if (withEnv && environment(this.pod, container)[withEnv.name] === withEnv.value) return withEnv.exitCode;
    if (typeof exitCode === 'number') return exitCode;
    const key = `${this.pod.metadata.namespace}/${container.image}`;
    const turn = this.turns.get(key) ?? 0;
    this.turns.set(key, turn + 1);
    return exitCode[turn % exitCode.length] ?? 0;
  }

  #run(container: Container, behaviour: LightBehaviour, id: string): LightContainer {
    const running = new LightContainer(this, container, behaviour, id);
    this.#running.add(running);
    void running.exited.then(() => this.#running.delete(running));
    return running;
  }
}

/** A declared container without a process; it has a timer only while it is about to end. */
class LightContainer implements RunningContainer {
  readonly imageID: string;
  readonly user: RunningContainer['user'];
  readonly exited: Promise<ContainerExit>;
  #exit: (exit: ContainerExit) => void = () => {};
  #cancel = () => {};
  #ended = false;

  constructor(
    private readonly sandbox: LightSandbox,
    private readonly container: Container,
    readonly behaviour: LightBehaviour,
    readonly id: string,
  ) {
    const { uid, gid = 0 } = userOf(sandbox.pod, container, behaviour.user);
    this.user = { uid, gid };
    this.imageID = imageID(container.image);
    this.exited = new Promise((resolve) => {
      this.#exit = resolve;
    });
    if (behaviour.ends) this.endsWith(behaviour.ends);
  }

  logs(): string {
    return '';
  }

  kill(signal: NodeJS.Signals): void {
    if (signal === 'SIGKILL') this.endsWith({ exitCode: killed });
    else this.signalled(signal);
  }

  /** Receives a signal as PID 1 does from inside its namespace: without a handler, the kernel drops it. */
  signalled(signal: NodeJS.Signals): void {
    const end = this.behaviour.on?.[signal];
    if (end && signal !== 'SIGKILL') this.endsWith(end);
  }

  endsWith(how: LightEnd): void {
    if (this.#ended) return;
    this.#cancel();
    const end = () => {
      this.#ended = true;
      this.#exit({ exitCode: this.sandbox.exitCode(this.container, how) });
    };
    if (how.after) this.#cancel = this.sandbox.options.clock.after(how.after, end);
    else end();
  }

  /** Ends without resolving `exited`, because the pod no longer exists. */
  forget(): void {
    this.#cancel();
    this.#ended = true;
  }

  async exec(command: readonly string[], io: ExecIo): Promise<number> {
    if (this.#ended) throw new ExecError(`container ${this.id} is not running`);
    if (this.behaviour.shell === false) throw new ExecError(execMessage(notFound(command[0] ?? '')));
    const choice = signalsToChooseFrom(command);
    if (choice) io.onStdout(Buffer.from(this.#signalledWith(choice)));
    const signal = signalToInit(command);
    // With shareProcessNamespace, PID 1 is the sandbox's.
    if (signal && this.sandbox.pod.spec.shareProcessNamespace) this.sandbox.signalPause(signal);
    else if (signal) this.signalled(signal);
    return this.sandbox.options.execsDie && this.#ended ? killed : 0;
  }

  /** Emulates a script that reads /proc/1/status; returns its output. */
  #signalledWith(choice: readonly NodeJS.Signals[]): string {
    const caught = choice.find((signal) => signal !== 'SIGKILL' && this.behaviour.on?.[signal]);
    if (!caught) return 'immune PID 1 has no handler\n';
    this.signalled(caught);
    return `sent ${caught.slice(3)} to PID 1\n`;
  }
}

const killed = 128 + constants.signals.SIGKILL;

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
