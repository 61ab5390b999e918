// The end of `npm run mutation`: puts what Stryker found into docs/mutation.md.
import { readFileSync, writeFileSync } from 'node:fs';

interface MutationReport {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage';
  readonly location: { readonly start: { readonly line: number } };
  readonly mutatorName: string;
}

const report: MutationReport = JSON.parse(readFileSync('reports/mutation/mutation.json', 'utf8'));
const files = Object.entries(report.files).map(([name, { mutants }]) => ({ name, mutants }));
const rows = [
  { name: '**all**', mutants: files.flatMap(({ mutants }) => mutants) },
  ...files.sort((a, b) => (a.name < b.name ? -1 : 1)),
];

writeFileSync(
  'docs/mutation.md',
  `# Mutation testing of judging

\`npm run mutation\` changes \`src/judge\` in one small way after the other ([Stryker](https://stryker-mutator.io)) and runs the tables that hold it to
its rules (\`test/unit/judge\`, without generated pods) against every change. A change that no test notices survives. It takes some minutes, writes this
page, and fails below 90 %.

| file | score | killed | survived, in line |
|---|---|---|---|
${rows.map(row).join('\n')}

Most of what survives changes nothing: a default for an annotation that is not there, a check that another one makes as well.
`,
);

function row({ name, mutants }: (typeof rows)[number]): string {
  const survivors = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const killed = mutants.length - survivors.length;
  const lines = survivors.map(({ location }) => location.start.line).sort((a, b) => a - b);
  const where = name.startsWith('**') ? survivors.length : [...new Set(lines)].join(', ');
  return `| ${name} | ${((100 * killed) / mutants.length).toFixed(2)} % | ${killed} of ${mutants.length} | ${where} |`;
}
