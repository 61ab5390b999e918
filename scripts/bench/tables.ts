import type { Part, Row } from './part.ts';

/** A Markdown table; its first row holds the headings. */
export function table(rows: readonly (readonly string[])[]): string {
  const [headings = [], ...cells] = rows;
  return [headings, headings.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** All ways of a part, the sweeper's first, and how each compares with it. */
export function partTable(part: Part): string {
  const { rows, ratios, leftOut } = part;
  const compared = new Set(
    rows.flatMap(({ ratio }) => (ratio === undefined ? [] : [ratio, `${ratio}Memory`])),
  );
  const own = Object.keys(ratios).filter((name) => !compared.has(name));
  const withSpread = (name = '') => {
    const ratio = ratios[name];
    if (!ratio) return '';
    const [least, most] = ratio.spread;
    return `${figure(ratio.value)}${least === most ? '' : ` (${figure(least)} to ${figure(most)})`}`;
  };
  return [
    table([
      [
        'way',
        'rounds',
        'time',
        'CPU',
        'peak memory',
        "emulator's CPU",
        'name of the ratio',
        'time ÷ ours',
        'memory ÷ ours',
      ],
      ...rows.map((row) => [
        row.name,
        `${row.rounds}`,
        seconds(row.wallMs),
        seconds(row.cpuMs),
        mebibytes(row),
        row.serverShare === undefined ? '' : `${Math.round(row.serverShare * 100)} %`,
        row.ratio === undefined ? '' : `\`${row.ratio}\``,
        withSpread(row.ratio),
        withSpread(row.ratio && `${row.ratio}Memory`),
      ]),
    ]),
    ...own.map((name) => `\n\`${name}\`: ${withSpread(name)}.`),
    ...Object.entries(leftOut).map(([name, why]) => `\n\`${name}\` was left out: ${why}.`),
  ].join('\n');
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
