// `npm run bench`: every figure is a ratio of what was measured side by side in one run. See docs/performance.md.
import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { readMachine } from './page/machine.ts';
import { fillPage } from './page/page.ts';
import { type Part, toJson } from './part.ts';
import { parts } from './parts.ts';
import { printPart } from './print.ts';

const page = new URL('../docs/performance.md', import.meta.url);

interface Flags {
  readonly only?: string;
  readonly json?: boolean;
  readonly write?: boolean;
  readonly rounds: number;
}

const flags = new Command('npm run bench --')
  .option('--only <parts>', `run only these parts, separated by commas: ${Object.keys(parts).join(', ')}`)
  .option(
    '--rounds <number>',
    'how often each way is run; after a minute, a part begins no further round',
    Number,
    5,
  )
  .option('--json', 'print one JSON object on stdout, with a key for each part')
  .option('--write', 'write the figures of all parts into docs/performance.md')
  .parse()
  .opts<Flags>();
const names = flags.only?.split(',') ?? Object.keys(parts);
const unknown = names.find((name) => !(name in parts));
if (unknown !== undefined)
  fail(`there is no part ${unknown}; the parts are ${Object.keys(parts).join(', ')}`);
if (flags.write && flags.only !== undefined) fail('--write needs all parts, so it cannot go with --only');
if (!Number.isInteger(flags.rounds) || flags.rounds < 1) fail('--rounds takes a whole number from 1');

const machine = readMachine();
const measured: Record<string, Part> = {};
const seconds: Record<string, number> = {};
for (const name of names) {
  process.stderr.write(`${name}\n`);
  const began = performance.now();
  const part = await parts[name]?.(flags.rounds);
  if (!part) continue;
  measured[name] = part;
  seconds[name] = (performance.now() - began) / 1_000;
  process.stderr.write(`  took ${Math.round(seconds[name])} s\n`);
}
if (flags.write) {
  await writeFile(page, fillPage(await readFile(page, 'utf8'), { machine, parts: measured, seconds }));
}
if (flags.json) {
  const printed = Object.entries(measured).map(([name, part]) => [name, toJson(part)]);
  console.log(JSON.stringify(Object.fromEntries(printed), undefined, 2));
} else for (const [name, part] of Object.entries(measured)) printPart(name, part);

function fail(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}
