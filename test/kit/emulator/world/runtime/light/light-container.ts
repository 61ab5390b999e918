import { constants } from 'node:os';
import type { EmulatorClock } from '../../../clock.ts';
import {
  type ContainerExit,
  ExecError,
  type ExecIo,
  type ExecProcess,
  type RunningContainer,
} from '../../runtime.ts';
import { noSuchProgram } from '../exec-messages.ts';
import type { LightBehaviour, LightEnd } from './behaviour.ts';
import { signalsToChooseFrom, signalToInit } from './kill-command.ts';

/** A declared container without a process; it has a timer only while it is about to end. */
export class LightContainer implements RunningContainer {
  readonly exited: Promise<ContainerExit>;
  #end: (exit: ContainerExit) => void = () => {};
  #cancel: (() => void) | undefined;
  #ended = false;

  constructor(
    readonly id: string,
    readonly imageID: string,
    readonly user: RunningContainer['user'],
    private readonly behaviour: LightBehaviour,
    private readonly options: { readonly clock: EmulatorClock; readonly execsDie: boolean },
    /** Set with shareProcessNamespace: PID 1 is the sandbox, so signals to it do not reach this container. */
    private readonly signalSandbox: ((signal: NodeJS.Signals) => void) | undefined,
    private readonly exitCode: (end: LightEnd) => number,
  ) {
    this.exited = new Promise((resolve) => {
      this.#end = resolve;
    });
    if (behaviour.ends) this.endsWith(behaviour.ends);
  }

  logs(): string {
    return '';
  }

  follow(): () => void {
    return () => {};
  }

  kill(signal: NodeJS.Signals): void {
    if (signal === 'SIGKILL') this.endsWith({ exitCode: 128 + constants.signals.SIGKILL });
    else this.signalled(signal);
  }

  /** Receives a signal as PID 1 does from inside its namespace: without a handler, the kernel drops it. */
  signalled(signal: NodeJS.Signals): void {
    const end = this.behaviour.on?.[signal];
    if (end && signal !== 'SIGKILL') this.endsWith(end);
  }

  /** Emulates a script that reads /proc/1/status; returns its output. */
  #signalledWith(choice: readonly NodeJS.Signals[]): string {
    const caught = choice.find((signal) => signal !== 'SIGKILL' && this.behaviour.on?.[signal]);
    if (!caught) return 'immune PID 1 has no handler\n';
    this.signalled(caught);
    return `sent ${caught.slice(3)} to PID 1\n`;
  }

  endsWith(how: LightEnd): void {
    if (this.#ended) return;
    this.#cancel?.();
    this.#cancel = undefined;
    const end = () => {
      this.#ended = true;
      this.#end({ exitCode: this.exitCode(how) });
    };
    const { after = 0 } = how;
    if (after === 0) end();
    else this.#cancel = this.options.clock.after(after, end);
  }

  /** Ends without resolving `exited`, because the pod no longer exists. */
  forget(): void {
    this.#cancel?.();
    this.#ended = true;
  }

  async exec(command: readonly string[], io: ExecIo): Promise<ExecProcess> {
    if (this.#ended) throw new ExecError(`container ${this.id} is not running`);
    if (this.behaviour.shell === false) throw new ExecError(noSuchProgram(command[0] ?? ''));
    const choice = signalsToChooseFrom(command);
    if (choice) io.onStdout(Buffer.from(this.#signalledWith(choice)));
    const signal = signalToInit(command);
    if (signal && this.signalSandbox) this.signalSandbox(signal);
    else if (signal) this.signalled(signal);
    const exitCode = this.options.execsDie && this.#ended ? 128 + constants.signals.SIGKILL : 0;
    return { write: () => {}, exited: Promise.resolve(exitCode), kill: () => {} };
  }
}
