import * as z from 'zod';

const placeholder = '<word>';

/** `<word>` stands for letters, digits and `._/-`; not for an option, nor for dots alone, which match every process. */
export function matchesWords(pattern: string, text: string): boolean {
  const [before = '', after, ...more] = pattern.split(placeholder);
  if (after === undefined) return pattern === text;
  if (more.length > 0 || !text.startsWith(before) || !text.endsWith(after)) return false;
  const word = text.slice(before.length, text.length - after.length);
  return /^[\w./][\w./-]*$/.test(word) && /[A-Za-z0-9]/.test(word);
}

/** Permission to write an annotation does not imply permission to exec, so the default is a list. */
export const shippedAllowlist: readonly (readonly string[])[] = [
  ['pilot-agent', 'request', 'POST', 'quitquitquit'],
  ['pilot-agent', 'request', '--debug-port', '15020', 'POST', 'quitquitquit'],
  ['sh', '-c', 'kill -%d 1'],
  ['/bin/sh', '-c', 'kill -%d 1'],
  ['sh', '-c', 'kill -%d $(pidof <word>)'],
  ['/bin/sh', '-c', 'kill -%d $(pidof <word>)'],
  ['kill', '-%d', '1'],
  ['/bin/kill', '-%d', '1'],
  ['pkill', '-f', '<word>'],
  ['pkill', '<word>'],
  ['killall', '<word>'],
  ['/cloud-sql-proxy', 'shutdown'],
];

export const allowedCommands = z.array(
  z
    .array(z.string().refine((text) => text.split(placeholder).length <= 2, `write ${placeholder} only once`))
    .min(1),
);

/** Whether a command fits one of the patterns, word by word. */
export function isAllowed(words: readonly string[], patterns: readonly (readonly string[])[]): boolean {
  return patterns.some(
    (pattern) =>
      pattern.length === words.length &&
      pattern.every((part, index) => matchesWords(part, words[index] ?? '')),
  );
}

/** Why a text cannot be an argument of a program; undefined if it can. */
export function problemOfWord(text: string): string | undefined {
  // A NUL byte cannot be part of an argument on Linux.
  if (text.includes('\0')) return 'a NUL character in it';
  // Half a character cannot be sent: it would arrive as another one.
  return /\p{Cs}/u.test(text) ? 'half a character in it' : undefined;
}

/** An argument of a program. */
export const word = z.string().refine((text) => problemOfWord(text) === undefined, {
  error: ({ input }) => problemOfWord(String(input)),
});
