import { readFile, writeFile } from 'node:fs/promises';
import type { Figures } from './figures.ts';

const page = new URL('../../docs/reliability.md', import.meta.url);

/** Writes the figures of a run into docs/reliability.md. */
export async function writeFigures(figures: Figures, first: number): Promise<void> {
  const text = await readFile(page, 'utf8');
  const between = /(<!-- figures -->\n)[\s\S]*(<!-- \/figures -->)/;
  await writeFile(page, text.replace(between, `$1${tableOf(figures, first)}$2`));
}

function tableOf(figures: Figures, first: number): string {
  const { clusters, sweeps, pods, unclean, failed, outcomes, unproven, differences, longest } = figures;
  const rows: readonly (readonly [string, number | string])[] = [
    ['clusters', `${clusters} (seeds ${first} to ${first + clusters - 1})`],
    ['sweeps', sweeps],
    ['pods reported', pods],
    ['unclean ends of finished work, without `allow`', unclean],
    ['finished Jobs or indexes that failed, without `allow`', failed],
    ['outcomes compared with the cluster', outcomes],
    ['of these not known or under way', unproven],
    ['outcomes that differ', differences],
    ["longest sweep, of the cluster's time", `${longest / 1_000} s`],
  ];
  return [
    '| figure | value |',
    '|---|---|',
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
    '',
  ].join('\n');
}
