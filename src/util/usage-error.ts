/** Flags, a policy, a kubeconfig or a file cannot be used. The message says in one line what to do; the exit code is 2. */
export class UsageError extends Error {}

/** The problem of a path that should be a file, to read or to write. */
export const isDirectory = 'it is a directory; name a file in it';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: isDirectory,
  EACCES: 'permission denied',
};

export function unreadable(file: string, error: unknown): UsageError {
  return new UsageError(`${file === '-' ? 'stdin' : file || "''"} cannot be read: ${whyUnreadable(error)}`);
}

export function whyUnreadable(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (!('code' in error)) return error.message;
  const code = String(error.code);
  return reasons[code] ?? code;
}

/** Whether the name and the password in a URL can be decoded: decodeURIComponent throws on a `%` without two digits. */
export function hasReadableLogin({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
