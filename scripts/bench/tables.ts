import type { Part, Ratio, Row } from './part.ts';

/** A Markdown table; its first row holds the headings. */
export function table(rows: readonly (readonly string[])[]): string {
  const [headings = [], ...cells] = rows;
  return [headings, headings.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const headings = [
  ...['part', 'way', 'rounds', 'time', 'CPU', 'peak memory', "emulator's CPU"],
  ...['name of the ratio', 'time ÷ ours', 'memory ÷ ours'],
];

/** All ways of each part, the sweeper's first, how each compares with it, and what else there is to say. */
export function figures(parts: Readonly<Record<string, Part>>): string {
  const all = Object.entries(parts);
  const others = all.flatMap(([name, part]) => othersOf(part).map((row) => [name, ...row]));
  const ways = table([headings, ...all.flatMap(([name, part]) => waysOf(part).map((row) => [name, ...row]))]);
  return others.length === 0 ? ways : `${ways}\n\n${table([['part', 'ratio', 'figure'], ...others])}`;
}

function waysOf({ rows, ratios }: Part): readonly (readonly string[])[] {
  return rows.map((row) => [
    row.name,
    `${row.rounds}`,
    seconds(row.wallMs),
    seconds(row.cpuMs),
    mebibytes(row),
    row.serverShare === undefined ? '' : `${Math.round(row.serverShare * 100)} %`,
    row.ratio === undefined ? '' : `\`${row.ratio}\``,
    withSpread(ratios[row.ratio ?? '']),
    withSpread(ratios[`${row.ratio}Memory`]),
  ]);
}

/** Ratios that are no other way's, and ways that were left out. */
function othersOf({ rows, ratios, leftOut }: Part): readonly (readonly string[])[] {
  const compared = rows.flatMap(({ ratio }) => [ratio, `${ratio}Memory`]);
  const own = Object.entries(ratios).filter(([name]) => !compared.includes(name));
  return [
    ...own.map(([name, ratio]) => [`\`${name}\``, withSpread(ratio)]),
    ...Object.entries(leftOut).map(([name, why]) => [`\`${name}\``, `left out: ${why}`]),
  ];
}

function withSpread(ratio: Ratio | undefined): string {
  if (!ratio) return '';
  const [least, most] = ratio.spread;
  return `${figure(ratio.value)}${least === most ? '' : ` (${figure(least)} to ${figure(most)})`}`;
}

function seconds(milliseconds: number): string {
  return `${figure(milliseconds / 1000)} s`;
}

function mebibytes({ peakMiB }: Row): string {
  return `${Math.round(peakMiB)} MiB`;
}

/** Three digits, as many as can be told apart. */
function figure(value: number): string {
  return value >= 100 ? `${Math.round(value)}` : `${Number(value.toPrecision(3))}`;
}
