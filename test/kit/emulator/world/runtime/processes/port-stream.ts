import type { ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';

/** Combines a forward helper's stdin and stdout into one stream. Closing it ends the helper. */
export function portStream({
  stdin,
  stdout,
  kill,
}: Pick<ChildProcess, 'stdin' | 'stdout'> & { kill(): void }): Duplex {
  const stream = new Duplex({
    // Once the server has closed its side, further writes cannot arrive.
    allowHalfOpen: false,
    read: () => stdout?.resume(),
    write(chunk: Buffer, _encoding, done) {
      if (stdin?.writable) stdin.write(chunk, () => done());
      else done();
    },
    final(done) {
      stdin?.end();
      done();
    },
    destroy(error, done) {
      kill();
      done(error);
    },
  });
  stdout?.on('data', (chunk: Buffer) => {
    if (!stream.push(chunk)) stdout.pause();
  });
  stdout?.on('end', () => stream.push(null));
  return stream;
}
