// `npm run hostile`: sweeps beside each hostile list with the memory of the manifests, and writes docs/reliability.md.
import { readFile, writeFile } from 'node:fs/promises';
import { innocent, sweepBeside } from '../../test/faults/beside-a-list.ts';
import { bytesOf, hostileLists } from '../../test/kit/hostile-lists.ts';
import { fillMark } from '../marks.ts';

const page = new URL('../../docs/reliability.md', import.meta.url);
const mostMiB = 300;

const rows: string[] = [];
for (const list of hostileLists) {
  const { report, peakMiB, seconds } = await sweepBeside(list, list.deadline);
  const swept = report.pods.filter((pod) => pod.namespace === 'demo' && pod.outcome.kind === 'Ended').length;
  const megabytes = Math.round(bytesOf(list) / 1_000_000);
  const row = [
    list.name,
    `${megabytes} MB`,
    `${peakMiB.toFixed(0)} MiB`,
    `${seconds.toFixed(1)} s`,
    `${list.deadline} s`,
    `${swept} of ${innocent}`,
  ];
  rows.push(`| ${row.join(' | ')} |`);
  console.log(rows.at(-1));
  if (peakMiB >= mostMiB || seconds > list.deadline + 1 || swept < innocent) process.exitCode = 1;
}
if (process.exitCode === undefined) {
  const head =
    '| list | bytes | peak memory | time | deadline | stuck pods of others that ended |\n|---|---|---|---|---|---|';
  const text = fillMark(await readFile(page, 'utf8'), 'hostile', [head, ...rows].join('\n'));
  await writeFile(page, text);
}
