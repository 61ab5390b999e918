import { closestMatch } from 'leven';

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
