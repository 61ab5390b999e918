// Checks every model-based property with many draws, and counts them for `npm run reliability`.
import { tally } from '../../../faults/tally.ts';
import { type FamilyName, families, playModels } from './run.ts';

const runs = Number(process.env['PROPERTIES_RUNS'] ?? 1_000);
const seed = Number(process.env['PROPERTIES_SEED'] ?? 1);

for (const family of Object.keys(families) as readonly FamilyName[]) {
  const { names } = families[family];
  const began = performance.now();
  const problems = await playModels(family, runs, seed);
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
  else for (const name of names) tally('propertyRuns', name, runs);
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`${family}: ${names.length} properties, ${runs} runs in ${seconds} s`);
}
