import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Duplex, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

type Script = 'sandbox' | 'start' | 'exec' | 'forward' | 'api';

/** A helper failed; `kind` is the step that failed. */
export class HelperError extends Error {
  constructor(
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}

/** A small Perl program that starts a process and stays as its parent. */
export interface Helper {
  readonly child: ChildProcess;
  /** The PID of the process it started, in the emulator's PID namespace. */
  readonly pid: number;
  /** The exit code of that process; resolves after all its output has been read. */
  readonly exited: Promise<number>;
  end(): void;
}

interface HelperOptions {
  readonly env?: Record<string, string>;
  readonly stdin?: boolean;
  readonly onStdout?: (chunk: Buffer) => void;
  readonly onStderr?: (chunk: Buffer) => void;
}

export async function runHelper(
  script: Script,
  args: readonly string[],
  options: HelperOptions = {},
): Promise<Helper> {
  const path = fileURLToPath(new URL(`helpers/${script}.pl`, import.meta.url));
  const child = spawn('/usr/bin/perl', [path, ...args], {
    cwd: '/',
    env: options.env ?? {},
    stdio: [options.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  if (options.onStdout) child.stdout?.on('data', options.onStdout);
  const heard: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => {
    heard.push(chunk);
    options.onStderr?.(chunk);
  });
  // A closed stdin is not an error: the helper reports how the process ended.
  child.stdin?.on('error', () => {});

  return new Promise((resolve, reject) => {
    let exitCode = 137;
    let end: (exitCode: number) => void = () => {};
    const exited = new Promise<number>((resolveExit) => {
      end = resolveExit;
    });
    createInterface(child.stdio[3] as Readable).on('line', (line) => {
      const [word, first = '', ...rest] = line.split(' ');
      if (word === 'started')
        resolve({ child, pid: Number(first), exited, end: () => child.kill('SIGTERM') });
      if (word === 'failed') reject(new HelperError(first, rest.join(' ')));
      if (word === 'exited') exitCode = Number(first);
    });
    child.on('error', reject);
    child.on('close', () => {
      reject(new HelperError('setup', `${script} helper: ${Buffer.concat(heard).toString().trim()}`));
      end(exitCode);
    });
  });
}

/** Combines a forward helper's stdin and stdout into one stream. Closing it ends the helper. */
export function portStream({ child: { stdin, stdout }, end }: Helper): Duplex {
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
      end();
      done(error);
    },
  });
  stdout?.on('data', (chunk: Buffer) => {
    if (!stream.push(chunk)) stdout.pause();
  });
  stdout?.on('end', () => stream.push(null));
  return stream;
}
