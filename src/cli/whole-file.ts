import { fstatSync, writeSync } from 'node:fs';
import { Writable } from 'node:stream';
import type { Output } from './surroundings.ts';

/**
 * The same output, but a file gets each piece as a whole. Node writes to a file once (its SyncWriteStream): if a disk has space for
 * the beginning of the last piece only, the rest is lost without an error.
 */
export function wholeFile(output: Output & { readonly fd: number }): Output {
  return isFile(output.fd) ? new FileOutput(output.fd) : output;
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

class FileOutput extends Writable {
  constructor(private readonly fd: number) {
    super();
    // It is told by the write.
    this.on('error', () => undefined);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    try {
      for (let written = 0; written < chunk.length; ) written += writeSync(this.fd, chunk, written);
      done();
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
