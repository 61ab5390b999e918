import { constants } from 'node:os';
import {
  type ContainerExit,
  ExecError,
  type ExecIo,
  type ExecProcess,
  type RunningContainer,
} from '../../runtime.ts';
import { execMessage } from '../exec-messages.ts';
import { causeOf } from './cause-of.ts';
import { type Helper, runHelper } from './helper.ts';
import type { Output } from './output.ts';

/** What starting further processes in a container needs. */
export interface Settings {
  readonly env: Record<string, string>;
  /** `key=value` for the helper: user, directory, cgroup. */
  readonly args: readonly string[];
  /** The content of its termination log, once it has ended. */
  readonly lastWords: (exitCode: number) => string;
}

/** A container made of real processes. */
export class ProcessContainer implements RunningContainer {
  readonly exited: Promise<ContainerExit>;
  #ended = false;

  constructor(
    readonly id: string,
    readonly imageID: string,
    readonly user: RunningContainer['user'],
    private readonly helper: Helper,
    private readonly output: Output,
    private readonly settings: Settings,
  ) {
    this.exited = helper.exited.then(({ exitCode, signal }) => {
      this.#ended = true;
      const message = settings.lastWords(exitCode);
      return { exitCode, ...(signal > 0 ? { signal } : {}), ...(message === '' ? {} : { message }) };
    });
  }

  get pid(): number {
    return this.helper.pid;
  }

  logs(): string {
    return this.output.text();
  }

  follow(listener: (chunk: Buffer) => void): () => void {
    return this.output.follow(listener);
  }

  kill(signal: NodeJS.Signals): void {
    if (this.#ended) return;
    try {
      process.kill(this.pid, constants.signals[signal]);
    } catch {
      // It has already ended; `exited` is about to resolve.
    }
  }

  async exec(command: readonly string[], io: ExecIo): Promise<ExecProcess> {
    if (this.#ended) throw new ExecError(`container ${this.id} is not running`);
    const args = [`parent=${process.pid}`, `target=${this.pid}`, ...this.settings.args, '--', ...command];
    const { env } = this.settings;
    const { stdin, onStdout, onStderr } = io;
    const helper = await runHelper('exec', args, { env, stdin, onStdout, onStderr }).catch((error) => {
      throw new ExecError(execMessage(causeOf(error)));
    });
    return {
      write: (chunk) => (chunk ? helper.child.stdin?.write(chunk) : helper.child.stdin?.end()),
      exited: helper.exited.then(({ exitCode }) => exitCode),
      kill: () => helper.end(),
    };
  }
}
