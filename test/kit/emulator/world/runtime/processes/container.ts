import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Container } from '../../objects.ts';
import {
  type ContainerExit,
  ExecError,
  type ExecIo,
  type ExecProcess,
  execMessage,
  notFound,
  notPermitted,
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
    const helper = await runHelper('exec', args, { env, ...io }).catch((error) => {
      throw new ExecError(execMessage(causeOf(error)));
    });
    return { exited: helper.exited.then(({ exitCode }) => exitCode) };
  }
}

/** The OCI runtime's message for why a program could not start. */
export function causeOf(error: unknown): string {
  if (!(error instanceof HelperError)) throw error;
  switch (error.kind) {
    case 'stat':
    case 'path':
      return notFound(error.message);
    case 'permission':
      return notPermitted(error.message);
  }
  return error.message;
}

export class Output {
  readonly #chunks: Buffer[] = [];

  readonly write = (chunk: Buffer): void => void this.#chunks.push(chunk);

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
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
