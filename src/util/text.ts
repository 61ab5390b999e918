import { closestMatch } from 'leven';
import { UsageError } from './usage-error.ts';

/** Untrusted text as one line of bounded length, without characters that could control a terminal. */
export function printable(text: string, limit = 512): string {
  const line = text
    .slice(0, 4 * limit)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if (line.length <= limit) return line;
  // Do not cut a surrogate pair in half.
  return `${line.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The word that was most likely meant; undefined if none is like it. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  // Two letters that changed places are two that are wrong.
  const maxDistance = Math.min(3, Math.floor(word.length * 0.5));
  return closestMatch(word, [...words], { maxDistance });
}

/** The question whether that word was meant; empty if none is like it. */
export function didYouMean(word: string, words: readonly string[]): string {
  const meant = nearest(word, words);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

/** Whether the name and the password in a URL can be read: a `%` that begins no byte makes decodeURIComponent throw. */
export function hasReadableLogin({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

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
