import { fstatSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { StopReason } from '../model/outcome.ts';
import { onAbort } from '../util/concurrency.ts';
import { printable } from '../util/text.ts';
import type { Millis } from '../util/time.ts';

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /** The words that run the program, such as `kubectl sweep-sidecars`. */
  readonly program: string;
  /** Calls back on the first SIGTERM, SIGINT or SIGHUP, and after an internal error. */
  onStop(callback: (reason: StopReason) => void): void;
}

export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

export class WriteError extends Error {
  constructor(error: unknown) {
    super(writeProblem(error));
  }
}

/** Node's message, such as `ENOSPC: no space left on device, write`, without its code and the system call. */
export function writeProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/^E[A-Z0-9]+: (.*?), \w+(?: '.*)?$/s, '$1');
}

/** Resolves even if a pipe has lost its reader; rejects with a WriteError. */
export function write(output: Output, text: string): Promise<void> {
  return new Promise((resolve, reject) =>
    output.write(text, (error) => {
      if (error && !isReaderGone(error, output)) reject(new WriteError(error));
      else resolve();
    }),
  );
}

/** `| head` is not an error. */
function isReaderGone(error: Error, { isTTY }: Output): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return isTTY === true || ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'].includes(code);
}

/** For texts that are not the output: a command does not fail without them. */
export function print(output: Output, text: string): Promise<void> {
  return new Promise((resolve) => output.write(text, () => resolve()));
}

export async function complain({ stderr }: Pick<Io, 'stderr'>, message: string): Promise<void> {
  await print(stderr, `sidecar-sweeper: ${printable(message)}\n`);
}

/** Waits for a write; rejects with a ReaderStopped if the reader takes too long. */
export type WaitForReader = <T>(write: Promise<T>) => Promise<T>;

export class ReaderStopped extends Error {
  constructor() {
    super('its reader has stopped reading');
  }
}

/** A log collector restarts within less. */
const timeToRead: Millis = 60_000;

/** Also granted when the sweep must end: a reader that reads takes less. */
const leastTime: Millis = 200;

/** A reader that has stopped must not delay the next sweep; at a terminal, it may be a pager. */
export function waitForReaders({ stderr }: Pick<Io, 'stderr'>, over: AbortSignal): WaitForReader {
  return (write) =>
    new Promise((resolve, reject) => {
      const giveUp = () => reject(new ReaderStopped());
      let timer = stderr.isTTY ? undefined : setTimeout(giveUp, timeToRead);
      const forget = onAbort(over, () => {
        clearTimeout(timer);
        timer = setTimeout(giveUp, leastTime);
      });
      const end = () => {
        clearTimeout(timer);
        forget();
      };
      write.finally(end).then(resolve, reject);
    });
}

/** Node writes to a file once (its SyncWriteStream): if the disk becomes full, the rest is lost without an error. */
export function withWholeWrites(output: Output & { readonly fd: number }): Output {
  const { fd } = output;
  if (!fstatSync(fd).isFile()) return output;
  const file = new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        for (let written = 0; written < chunk.length; ) written += writeSync(fd, chunk, written);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  // The callback of the write reports it.
  return file.on('error', () => undefined);
}
