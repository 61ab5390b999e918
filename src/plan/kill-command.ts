import { problemOfWord } from '../methods/allowlist.ts';
import { bounds } from '../model/bounds.ts';

export type KillCommand =
  | { readonly kind: 'Command'; readonly words: readonly string[] }
  | { readonly kind: 'Bad'; readonly problem: string };

/**
 * Reads a kill command as Argo Workflows writes it: a JSON array of strings. Whatever else stands there is a
 * mistake of its owner and is told, never replaced by something they did not ask for.
 */
export function parseKillCommand(text: string): KillCommand {
  if (Buffer.byteLength(text) > bounds.instructions) return bad(`longer than ${bounds.instructions} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return bad('not JSON');
  }
  if (!Array.isArray(value)) return bad('not a JSON array');
  if (value.length === 0) return bad('an empty array');
  if (value.length > bounds.words) return bad(`more than ${bounds.words} words`);
  if (!value.every((word): word is string => typeof word === 'string')) return bad('not only strings');
  if (value[0] === '') return bad('no program: the first string is empty');
  for (const word of value) {
    const problem = problemOfWord(word);
    if (problem !== undefined) return bad(problem);
  }
  return { kind: 'Command', words: value };
}

function bad(problem: string): KillCommand {
  return { kind: 'Bad', problem };
}
