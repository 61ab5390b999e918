// `npm run test:properties`: plays random clusters, ten side by side, and leaves their figures for `npm run reliability`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tally } from '../../faults/tally.ts';
import { type ClusterFigures, clustersFile, type Figures, noFigures, sum } from './figures.ts';
import { playByProcesses } from './process-shards.ts';
import { drawn, type PlayedCluster, playClusters } from './seeds.ts';

const clusters = Number(process.env['PROPERTIES_CLUSTERS'] ?? 1_200);
const first = Number(process.env['PROPERTIES_SEED'] ?? 30_001);
const batch = 10;
/** One cluster in so many is swept by processes as well, in real time. */
const perProcesses = 50;

const started = performance.now();
let figures: Figures = noFigures;
let problems = 0;
for (let done = 0; done < clusters; done += batch) {
  count(await playClusters(range(first + done, Math.min(batch, clusters - done))));
}
const byProcesses = Math.ceil(clusters / perProcesses);
for (let done = 0; done < byProcesses; done += batch) {
  count(await playByProcesses(range(first + done, Math.min(batch, byProcesses - done))));
}

tally('sweeps', 'random clusters', figures.sweeps);
mkdirSync(new URL('.', clustersFile), { recursive: true });
writeFileSync(clustersFile, JSON.stringify({ ...figures, first } satisfies ClusterFigures));
process.exitCode = problems > 0 ? 1 : 0;

function range(from: number, length: number) {
  return Array.from({ length }, (_, index) => drawn(from + index));
}

function count(all: readonly PlayedCluster[]): void {
  for (const played of all) {
    figures = sum(figures, played.figures);
    for (const problem of played.problems) console.log(`seed ${played.seed}: ${problem}`);
    problems += played.problems.length;
  }
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`${figures.clusters} of ${clusters} clusters in ${seconds} s: ${JSON.stringify(figures)}`);
}
