import { appendFileSync, mkdirSync } from 'node:fs';

/** What a run of the tests in this folder counts, for docs/internals/reliability.md. */
export const counted = [
  /** Faults served, and survived: each at one point where it can happen. */
  'faults',
  /** Inputs that are wrong on purpose: files, annotations, answers, frames. */
  'badInputs',
  /** Subsets of what an account may do. */
  'permissions',
  /** Orders in which the requests of two sweepers arrive. */
  'interleavings',
  /** Sweeps after which the cluster was compared with the report. */
  'sweeps',
  'mainsTouched',
  'outcomesLost',
  'falseEnds',
  'leaks',
] as const;

export type Counted = (typeof counted)[number];

export interface Tally {
  readonly what: Counted;
  /** The row of the catalogue, such as `A11`, or what was tried. */
  readonly row: string;
  readonly count: number;
}

const folder = new URL('../../reports/faults/', import.meta.url);
export const tallyFile = new URL('tally.jsonl', folder);

/** Counts what a test has seen. Count cases after what is asserted of them, so that none counts that failed. */
export function tally(what: Counted, row: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  // Lines this short are written whole, also by several processes at once.
  appendFileSync(tallyFile, `${JSON.stringify({ what, row, count } satisfies Tally)}\n`);
}
