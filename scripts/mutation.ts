// The last step of `npm run mutation`: writes the results to docs/internals/mutation.md, and fails below the limits.
import { readFileSync, writeFileSync } from 'node:fs';

interface MutationReport {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly status: string;
  readonly location: { readonly start: { readonly line: number } };
}

interface Area {
  readonly folder: string;
  /** The score in percent below which the run fails. */
  readonly least: number;
}

const areas: readonly Area[] = [
  { folder: 'src/judge', least: 96 },
  { folder: 'src/plan', least: 97 },
  { folder: 'src/methods', least: 96 },
  { folder: 'src/apply', least: 95 },
  { folder: 'src/model', least: 95 },
];

interface Row {
  readonly name: string;
  readonly mutants: readonly Mutant[];
}

const report: MutationReport = JSON.parse(readFileSync('reports/mutation/mutation.json', 'utf8'));
const files: readonly Row[] = Object.entries(report.files)
  .map(([name, { mutants }]) => ({ name, mutants: mutants.filter(isTested) }))
  .filter(({ mutants }) => mutants.length > 0)
  .sort((a, b) => (a.name < b.name ? -1 : 1));

const results = areas.map(({ folder, least }) => {
  const own = files.filter(({ name }) => name.startsWith(`${folder}/`));
  return { folder, least, own, score: scoreOf(own.flatMap(({ mutants }) => mutants)) };
});

writeFileSync(
  'docs/internals/mutation.md',
  `# Mutation testing

How well the unit tests detect changes to the code that makes decisions. \`npm run mutation\` makes one small change at a time to that code
([Stryker](https://stryker-mutator.io)) and runs its unit tests against each change, without generated pods and real processes. A change that no test
detects survives. Changes to tables that are read only once, when a file is loaded, are left out. A run takes hours, writes this page, and
fails if an area is below its limit.

| area | score | limit |
|---|---|---|
${results.map(({ folder, least, score }) => `| ${folder} | ${score.toFixed(2)} % | ${least} % |`).join('\n')}

| file | score | killed | survived, in line |
|---|---|---|---|
${results.flatMap(({ own }) => own.map(describeRow)).join('\n')}

Most surviving changes do not affect behaviour: a default for a missing annotation, or a check that another one repeats.
`,
);

for (const { folder, least, score } of results) {
  console.log(`${folder}: ${score.toFixed(2)} % (limit ${least} %)`);
  // Negated so that an area without mutants, whose score is NaN, also fails.
  if (!(score >= least)) process.exitCode = 1;
}

function isTested({ status }: Mutant): boolean {
  return status !== 'Ignored' && status !== 'CompileError';
}

function isKilled({ status }: Mutant): boolean {
  return status === 'Killed' || status === 'Timeout';
}

function scoreOf(mutants: readonly Mutant[]): number {
  return (100 * mutants.filter(isKilled).length) / mutants.length;
}

function describeRow({ name, mutants }: Row): string {
  const survivors = mutants.filter((mutant) => !isKilled(mutant));
  const lines = [...new Set(survivors.map(({ location }) => location.start.line))].sort((a, b) => a - b);
  const killed = mutants.length - survivors.length;
  return `| ${name} | ${scoreOf(mutants).toFixed(2)} % | ${killed} of ${mutants.length} | ${lines.join(', ')} |`;
}
