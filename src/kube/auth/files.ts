import { constants, createReadStream, fstat, open } from 'node:fs';
import { access } from 'node:fs/promises';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { bounds } from '../../model/bounds.ts';
import { onAbort, untilAborted } from '../../util/concurrency.ts';
import { inTime, type Millis } from '../../util/time.ts';

export type Source =
  | { readonly kind: 'Text'; readonly text: string }
  | { readonly kind: 'File'; readonly path: string };

export interface Patience {
  readonly time: Millis;
  readonly abort: AbortSignal;
}

const patience: Patience = { time: bounds.fileTime, abort: new AbortController().signal };

/** Each file on a hung mount blocks a thread of Node, for which `process.exit` would wait forever, so none is read twice. */
const unanswered = new Set<string>();

/** Whether the process can end only by a signal that nothing waits for. */
export function isHeldByFile(): boolean {
  return unanswered.size > 0;
}

/** If its file system does not answer, the read will say so. */
export async function isAccessible(path: string, mode: number = constants.F_OK): Promise<boolean> {
  try {
    await answered(path, patience, () => access(path, mode));
    return true;
  } catch {
    return unanswered.has(path);
  }
}

/** A pipe, such as that of `<(command)`, is read until its writer closes it. */
export async function readBounded(
  path: string,
  most: number = bounds.kubeconfig,
  within = patience,
): Promise<string> {
  return await answered(path, within, (abort) => read(path, most, abort));
}

async function answered<T>(
  path: string,
  { time, abort }: Patience,
  ask: (ending: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new Error(`it could not be read within ${time / 1000}s`);
  if (unanswered.has(path)) throw late;
  return await inTime(time, late, abort, (ending) => {
    onAbort(ending, () => unanswered.add(path));
    const answer = ask(ending).finally(() => unanswered.delete(path));
    return untilAborted(answer, ending);
  });
}

async function read(path: string, most: number, abort: AbortSignal): Promise<string> {
  // Otherwise, a pipe without a writer or a silent terminal would be waited for in a thread that cannot be stopped.
  const fd = await promisify(open)(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const isPipe = (await promisify(fstat)(fd)).isFIFO();
  const stream = isPipe ? new Socket({ fd, readable: true, writable: false }) : createReadStream('', { fd });
  onAbort(abort, () => stream.destroy());
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) throw new Error(`it has more than ${most / 1024 / 1024} MiB`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export async function readSource(source: Source | undefined, within?: Patience): Promise<string | undefined> {
  return source?.kind === 'File' ? await readBounded(source.path, bounds.credential, within) : source?.text;
}
