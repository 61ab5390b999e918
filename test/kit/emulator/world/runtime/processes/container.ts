import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Container } from '../../objects.ts';
import {
  type ContainerExit,
  ExecError,
  type ExecIo,
  execMessage,
  notFound,
  type RunningContainer,
} from '../runtime.ts';
import { type Helper, HelperError, runHelper } from './helper.ts';

interface Settings {
  readonly env: Record<string, string>;
  /** `key=value` for the helper: user, directory, cgroup. */
  readonly args: readonly string[];
  /** The content of its termination log, once it has ended. */
  readonly lastWords: (exitCode: number) => string;
}

export class ProcessContainer implements RunningContainer {
  readonly exited: Promise<ContainerExit>;
  readonly pid: number;
  #ended = false;

  constructor(
    readonly id: string,
    readonly imageID: string,
    readonly user: RunningContainer['user'],
    helper: Helper,
    private readonly output: readonly Buffer[],
    private readonly settings: Settings,
  ) {
    this.pid = helper.pid;
    this.exited = helper.exited.then((exitCode) => {
      this.#ended = true;
      const message = settings.lastWords(exitCode);
      return { exitCode, ...(message === '' ? {} : { message }) };
    });
  }

  logs(): string {
    return Buffer.concat(this.output).toString();
  }

  kill(signal: NodeJS.Signals): void {
    if (this.#ended) return;
    try {
      process.kill(this.pid, constants.signals[signal]);
    } catch {
      // It has already ended; `exited` is about to resolve.
    }
  }

  async exec(command: readonly string[], io: ExecIo): Promise<number> {
    if (this.#ended) throw new ExecError(`container ${this.id} is not running`);
    const { env, args } = this.settings;
    const words = [`parent=${process.pid}`, `target=${this.pid}`, ...args, '--', ...command];
    const helper = await runHelper('exec', words, { env, ...io }).catch((error) => {
      throw new ExecError(execMessage(causeOf(error)));
    });
    return helper.exited;
  }
}

export function causeOf(error: unknown): string {
  if (!(error instanceof HelperError)) throw error;
  const { kind, message } = error;
  if (kind === 'stat' || kind === 'path') return notFound(message);
  return kind === 'permission' ? `exec: ${JSON.stringify(message)}: permission denied` : message;
}

const mostBytes = 4096;
const mostFallbackBytes = 2048;
const mostFallbackLines = 80;

/** A container's termination log: a file on the node, mounted into the container. */
export class TerminationLog {
  readonly file: string;

  constructor(id: string) {
    this.file = join(tmpdir(), `sidecar-sweeper-termination-${id}`);
    writeFileSync(this.file, '');
    // The container may run as any user.
    chmodSync(this.file, 0o666);
  }

  /** Its content. With FallbackToLogsOnError, a failed container without any gets the end of its output. */
  take(container: Container, exitCode: number, output: string): string {
    const written = readFileSync(this.file).subarray(0, mostBytes).toString();
    this.remove();
    if (written !== '' || exitCode === 0) return written;
    if (container['terminationMessagePolicy'] !== 'FallbackToLogsOnError') return '';
    const lines = output.split('\n').slice(-mostFallbackLines).join('\n');
    return Buffer.from(lines).subarray(-mostFallbackBytes).toString();
  }

  remove(): void {
    rmSync(this.file, { force: true });
  }
}
