/** What was to be printed could not be written, for example because a disk is full. */
export class Unwritten extends Error {
  constructor(error: unknown) {
    super(whyUnwritten(error));
  }
}

/** Node's message, such as `ENOSPC: no space left on device, write`, without what only programs need. */
export function whyUnwritten(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message.replace(/^E[A-Z0-9]+: (.*?), \w+(?: '.*)?$/s, '$1');
}

/** Whether the reader of a pipe has closed it, or a terminal is gone: `| head` is not an error. */
export function isReaderGone(error: Error, { isTTY }: { readonly isTTY?: boolean }): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return isTTY === true || ['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED'].includes(code);
}
