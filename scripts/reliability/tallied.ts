import { type Counted, counted, type Tally } from '../../test/faults/tally.ts';

/** What a run counted, in all and by row of the catalogue. */
export type Tallied = Readonly<Record<Counted, { readonly all: number; readonly by: Counts }>>;
type Counts = Readonly<Record<string, number>>;

/** What must not have happened even once. */
const never = ['mainsTouched', 'outcomesLost', 'falseEnds', 'leaks'] as const satisfies readonly Counted[];

/** Sums the lines that tests have written, one JSON object each. */
export function sumTally(text: string): Tallied {
  const lines: readonly Tally[] = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const sums = counted.map((what) => {
    const own = lines.filter((line) => line.what === what);
    const rows = [...new Set(own.map(({ row }) => row))];
    const by = Object.fromEntries(rows.map((row) => [row, total(own.filter((line) => line.row === row))]));
    return [what, { all: total(own), by }] as const;
  });
  return Object.fromEntries(sums) as Tallied;
}

/** What happened that must never happen. */
export function broken(tallied: Tallied): readonly string[] {
  return never.filter((what) => tallied[what].all > 0).map((what) => `${what}: ${tallied[what].all}`);
}

function total(lines: readonly Tally[]): number {
  return lines.reduce((sum, { count }) => sum + count, 0);
}
