// Plays random clusters, ten side by side, and leaves their figures where `npm run reliability` finds them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tally } from '../../faults/tally.ts';
import { type ClusterFigures, clustersFile } from './cluster-table.ts';
import { type Figures, noFigures, sum } from './figures.ts';
import { playSeeds } from './run.ts';

const clusters = Number(process.env['PROPERTIES_CLUSTERS'] ?? 1_200);
const first = Number(process.env['PROPERTIES_SEED'] ?? 1);
const batch = 10;

let figures: Figures = noFigures;
let problems = 0;
const started = performance.now();
for (let done = 0; done < clusters; done += batch) {
  const count = Math.min(batch, clusters - done);
  const seeds = Array.from({ length: count }, (_, index) => first + done + index);
  for (const played of await playSeeds(seeds)) {
    figures = sum(figures, played.figures);
    for (const problem of played.problems) console.log(`seed ${played.seed}: ${problem}`);
    problems += played.problems.length;
  }
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`${figures.clusters} of ${clusters} clusters in ${seconds} s: ${JSON.stringify(figures)}`);
}
tally('sweeps', 'random clusters', figures.sweeps);
mkdirSync(new URL('.', clustersFile), { recursive: true });
writeFileSync(clustersFile, JSON.stringify({ ...figures, first } satisfies ClusterFigures));
process.exitCode = problems > 0 ? 1 : 0;
