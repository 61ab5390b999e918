import { UsageError } from '../usage-error.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
};

/** What to say of a file that cannot be read. */
export function unreadable(file: string, error: unknown): UsageError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return new UsageError(`${file === '-' ? 'stdin' : file} cannot be read: ${reasons[code] ?? code}`);
}
