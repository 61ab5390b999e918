import * as z from 'zod';

/** Why a text cannot be handed to a program as it is; undefined if it can. */
export function problemOfWord(text: string): string | undefined {
  // A NUL byte cannot be part of an argument on Linux.
  if (text.includes('\0')) return 'a NUL character in it';
  // Half a character cannot be sent: it would arrive as another one.
  return /\p{Cs}/u.test(text) ? 'half a character in it' : undefined;
}

/** A text that is handed to a program. */
export const word = z.string().refine((text) => problemOfWord(text) === undefined, {
  error: ({ input }) => problemOfWord(String(input)),
});
