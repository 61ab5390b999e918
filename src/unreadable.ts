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

export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return reasons[code] ?? code;
}
