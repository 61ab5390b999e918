import * as z from 'zod';

const placeholder = '<word>';

/** What `<word>` may stand for, and with what it may begin. */
const inside = /^[A-Za-z0-9._/-]$/;
const initial = /^[A-Za-z0-9._/]$/;
/** It has one of these at least: dots alone would be a pattern that fits every process. */
const telling = /^[A-Za-z0-9]$/;

/**
 * Whether a text matches a pattern in which `<word>` stands for letters, digits and `._/-`. It goes through the text once with every
 * place of the pattern that it may be at; an expression with several words would try all ways to divide the text among them.
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

/** Before a part, by its index; or within a word, which is enough of one or not yet, by that index and a fraction. */
type Place = number;
const begun = 0.25;
const enough = 0.5;

function step(place: Place, character: string, parts: readonly string[]): readonly Place[] {
  const index = Math.floor(place);
  const part = parts[index];
  if (part !== placeholder) return part === character ? [index + 1] : [];
  if (!(place === index ? initial : inside).test(character)) return [];
  const isEnough = place === index + enough || telling.test(character);
  return isEnough ? [index + enough, index + 1] : [index + begun];
}

/** Placeholders, and single characters between them. */
function partsOf(pattern: string): readonly string[] {
  return pattern
    .split(placeholder)
    .flatMap((between, index) => [...(index > 0 ? [placeholder] : []), ...between]);
}

/**
 * Kill commands in a pod's annotations that may be run. Not everyone who may write an annotation may exec into the pod, so the
 * default is a list. In a word, `<word>` stands for letters, digits and `._/-`, so that a shell sees one word.
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
