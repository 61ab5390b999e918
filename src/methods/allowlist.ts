import * as z from 'zod';

const placeholder = '<word>';

/** The characters of a `<word>`, and those that it may begin with. */
const inside = /^[A-Za-z0-9._/-]$/;
const initial = /^[A-Za-z0-9._/]$/;
/** It needs one of these: dots alone would be a pattern that matches every process. */
const required = /^[A-Za-z0-9]$/;

/**
 * Whether a text matches a pattern in which `<word>` stands for letters, digits and `._/-`. It reads the text once and tracks every
 * possible position in the pattern; a regular expression with several words would backtrack excessively.
 */
export function matchesWords(pattern: string, text: string): boolean {
  const parts = partsOf(pattern);
  let places = new Set<Place>([0]);
  for (const character of text) {
    const next = new Set<Place>();
    for (const place of places) for (const each of step(place, character, parts)) next.add(each);
    if (next.size === 0) return false;
    places = next;
  }
  return places.has(parts.length);
}

/** The index of the next part; within a word, the index of that plus a fraction, which says whether the word may end here. */
type Place = number;
const incomplete = 0.25;
const complete = 0.5;

function step(place: Place, character: string, parts: readonly string[]): readonly Place[] {
  const index = Math.floor(place);
  const part = parts[index];
  if (part !== placeholder) return part === character ? [index + 1] : [];
  if (!(place === index ? initial : inside).test(character)) return [];
  const isComplete = place === index + complete || required.test(character);
  return isComplete ? [index + complete, index + 1] : [index + incomplete];
}

/** Placeholders, and single characters between them. */
function partsOf(pattern: string): readonly string[] {
  return pattern
    .split(placeholder)
    .flatMap((between, index) => [...(index > 0 ? [placeholder] : []), ...between]);
}

/**
 * Kill commands in a pod's annotations that may be run. Permission to write an annotation does not imply permission to exec, so
 * the default is a list. In a word, `<word>` stands for letters, digits and `._/-`, so that a shell sees one word.
 */
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
