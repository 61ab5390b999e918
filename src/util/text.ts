import { closestMatch } from 'leven';

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

/** `NoSuchProgram` as `no such program`. */
export function spelledOut(name: string, between = ' '): string {
  return name.replace(/\B[A-Z]/g, (letter) => between + letter).toLowerCase();
}

/** `a, b, c and 17 more`. */
export function someOf(texts: readonly string[], most = 3): string {
  const more = texts.length - most;
  return more > 0 ? `${texts.slice(0, most).join(', ')} and ${more} more` : texts.join(', ');
}

export function nearest(word: string, words: readonly string[]): string | undefined {
  // Two swapped letters count as two errors.
  const maxDistance = Math.min(3, Math.floor(word.length * 0.5));
  return closestMatch(word, [...words], { maxDistance });
}

export function didYouMean(word: string, words: readonly string[]): string {
  const meant = nearest(word, words);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

export function shellWord(word: string): string {
  return /^[\w./:@=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Describes a value of a union by a sentence for each kind, with what the kind has in its fields. */
export function sentences<Union extends { readonly kind: string }>(
  all: {
    readonly [Kind in Union['kind']]: string | ((one: Extract<Union, { readonly kind: Kind }>) => string);
  },
) {
  const describe = (one: Union): string => {
    const sentence = all[one.kind as Union['kind']] as string | ((one: Union) => string);
    return typeof sentence === 'string' ? sentence : sentence(one);
  };
  return Object.assign(describe, { kinds: Object.keys(all).sort() });
}
