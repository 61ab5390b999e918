import { UsageError } from './usage-error.ts';

/** Of what is to be read, or to be written. */
export const isDirectory = 'it is a directory; name a file in it';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: isDirectory,
  EACCES: 'permission denied',
};

/** What to say of a file that cannot be read. */
export function unreadable(file: string, error: unknown): UsageError {
  return new UsageError(`${file === '-' ? 'stdin' : file} cannot be read: ${whyUnreadable(error)}`);
}

/** An error of the file system is known by its code; other errors say what is wrong. */
export function whyUnreadable(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (!('code' in error)) return error.message;
  const code = String(error.code);
  return reasons[code] ?? code;
}
