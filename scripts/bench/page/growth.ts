import type { Part, Row } from '../part.ts';
import { mebibytes, seconds, table } from './tables.ts';

/** One line of a plot: a way, and its row at each size, if it was measured there. */
export interface Line {
  readonly name: string;
  readonly rows: readonly (Row | undefined)[];
}

/** One line for each way; a part that failed is a gap. */
export function linesOf(parts: readonly (Part | undefined)[]): readonly Line[] {
  const names = new Set(parts.flatMap((part) => part?.rows.map(({ name }) => name) ?? []));
  return [...names].map((name) => ({
    name,
    rows: parts.map((part) => part?.rows.find((row) => row.name === name)),
  }));
}

/** Time and memory of each way by size. */
export function growthTable(sizes: readonly string[], lines: readonly Line[]): string {
  return table([
    ['way', ...sizes],
    ...lines.map(({ name, rows }) => [
      name,
      ...rows.map((row) => (row ? [seconds(row.wallMs), mebibytes(row)].filter(Boolean).join(', ') : '')),
    ]),
  ]);
}

export interface Axis {
  readonly title: string;
  readonly measureOf: (row: Row) => number | undefined;
}

/** A plot that GitHub draws. It has no legend, so the lines are named below it, the highest at the right first. */
export function plot(sizes: readonly string[], lines: readonly Line[], { title, measureOf }: Axis): string {
  const drawn = lines
    .map(({ name, rows }) => ({ name, values: rows.map((row) => row && measureOf(row)) }))
    .filter((line): line is { name: string; values: number[] } => !line.values.includes(undefined))
    .sort((a, b) => (b.values.at(-1) ?? 0) - (a.values.at(-1) ?? 0));
  return [
    '```mermaid',
    'xychart-beta',
    `  x-axis "pods" [${sizes.map((size) => `"${size}"`).join(', ')}]`,
    `  y-axis "${title}"`,
    ...drawn.map(
      ({ values }) => `  line [${values.map((value) => Number(value.toPrecision(3))).join(', ')}]`,
    ),
    '```',
    '',
    `The lines, from the top at the right end: ${drawn.map(({ name }) => name).join('; ')}.`,
  ].join('\n');
}
