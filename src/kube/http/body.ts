import type { Problem } from '../../model/observation.ts';

/** A body as it arrives. */
export type Bytes = AsyncIterable<Uint8Array>;

/** The API server stores no object of more than 1.5 MiB, but JSON may need a few more bytes to say the same. */
export const largestObject = 2 * 1024 * 1024;
/** A Status, and whatever else has a message for people. */
export const largestMessage = 64 * 1024;

/** A body is not what was asked for, though the connection did not fail. */
export class BodyError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** The text of an object; of what explains a failure, only the beginning. */
export async function readText(bytes: Bytes, status: number): Promise<string> {
  return (await readWhole(bytes, status)).toString('utf8');
}

/** The bytes of an object; of what explains a failure, only the beginning. */
export async function readWhole(bytes: Bytes, status: number): Promise<Buffer> {
  const isObject = status < 300;
  const limit = isObject ? largestObject : largestMessage;
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    kept.push(chunk);
    size += chunk.length;
    if (size <= limit) continue;
    if (isObject) throw tooLarge('the answer', limit);
    break;
  }
  return Buffer.concat(kept).subarray(0, limit);
}

/** Ends with a BodyError what would go on for longer. */
export async function* upTo(limit: number, bytes: Bytes, what: string): Bytes {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > limit) throw tooLarge(what, limit);
    yield chunk;
  }
}

export function tooLarge(what: string, limit: number): BodyError {
  const message = `${what} has more than ${limit / 1024 / 1024} MiB`;
  return new BodyError({ kind: 'TooLarge', message });
}
