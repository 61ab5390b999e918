/**
 * A flag, and what it changes: something that the command says, asks the cluster for or writes with the flag, and not without it,
 * or the other way round. In all words, `{folder}` is that of the files beside the cluster, and `{written}` that of what a run writes.
 */
export interface FlagCase {
  /** The flag, with its value. */
  readonly words: string;
  /** Words that the run without the flag has as well. */
  readonly beside?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How wide the terminal is on which it shows; missing if it shows in a pipe. */
  readonly columns?: number;
  readonly shows?: RegExp;
  readonly hides?: RegExp;
  /** Why the flag changes nothing that can be seen here; what it is for is tested there. */
  readonly same?: string;
  /** For a flag that must not be given together with the others of its command. */
  readonly alone?: true;
}

export interface CommandCases {
  /** The name of the command; empty for a sweep. */
  readonly command: string;
  /** What it is called with; before the words beside a flag. */
  readonly usual: string;
  readonly cases: readonly FlagCase[];
}

/** The flag as its help has it, in full: `--namespace` of `--namespace billing`. */
export function flagOf({ words }: FlagCase): string {
  return words.split(' ')[0] ?? '';
}

/** The same cases beside words that all of them need. */
export function besides(words: string, cases: readonly FlagCase[]): readonly FlagCase[] {
  return cases.map((each) => ({ ...each, beside: `${words} ${each.beside ?? ''}`.trim() }));
}

/** Command lines that together have every flag with every value, each with as many as go together. */
export function packsOf({ cases }: CommandCases): readonly string[] {
  const packs: string[][] = [[]];
  const alone: string[] = [];
  for (const { words, beside = '', alone: isAlone } of cases) {
    if (isAlone) alone.push(`${beside} ${words}`);
    else {
      const [flag = ''] = words.split(' ');
      const free = packs.find((pack) => !pack.some((line) => line.includes(flag)));
      if (free) free.push(`${beside} ${words}`);
      else packs.push([`${beside} ${words}`]);
    }
  }
  return [...packs.map((pack) => pack.join(' ')), ...alone];
}
