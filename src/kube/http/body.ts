import type { Problem } from '../../model/reading.ts';

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
  return Buffer.concat(kept).subarray(0, limit).toString('utf8');
}

export function tooLarge(what: string, limit: number): BodyError {
  const message = `${what} has more than ${limit / 1024 / 1024} MiB`;
  return new BodyError({ kind: 'TooLarge', message });
}
