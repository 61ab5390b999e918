// `npm run bench`: every figure is a ratio of what was measured side by side in one run. See docs/performance.md.
import { Command } from 'commander';
import { type Part, toJson } from './part.ts';
import { parts } from './parts.ts';

interface Flags {
  readonly only?: string;
  readonly json?: boolean;
  readonly rounds: number;
}

const flags = new Command('npm run bench --')
  .option('--only <parts>', `run these parts, separated by commas: ${Object.keys(parts).join(', ')}`)
  .option(
    '--rounds <number>',
    'how often each way is measured; a part of a minute begins no other round',
    Number,
    5,
  )
  .option('--json', 'print one JSON object on stdout, with a key for each part')
  .parse()
  .opts<Flags>();
const names = flags.only?.split(',') ?? Object.keys(parts);
const unknown = names.find((name) => !(name in parts));
if (unknown !== undefined)
  fail(`there is no part ${unknown}: the parts are ${Object.keys(parts).join(', ')}`);
if (!Number.isInteger(flags.rounds) || flags.rounds < 1) fail('--rounds takes a whole number from 1');

const measured: Record<string, Part> = {};
for (const name of names) {
  process.stderr.write(`${name}\n`);
  const part = await parts[name]?.(flags.rounds);
  if (part) measured[name] = part;
}
if (flags.json) {
  const printed = Object.entries(measured).map(([name, part]) => [name, toJson(part)]);
  console.log(JSON.stringify(Object.fromEntries(printed), undefined, 2));
} else for (const [name, part] of Object.entries(measured)) printTable(name, part);

function fail(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

function printTable(name: string, { rows, ratios, spread, leftOut }: Part): void {
  console.log(`\n${name}`);
  for (const { name: way, wallMs, cpuMs, peakMiB } of rows) {
    const memory = peakMiB === undefined ? '' : `, ${peakMiB.toFixed(0)} MiB`;
    console.log(
      `  ${way.padEnd(40)} ${(wallMs / 1000).toFixed(2)} s, ${(cpuMs / 1000).toFixed(2)} s CPU${memory}`,
    );
  }
  for (const [peer, value] of Object.entries(ratios)) {
    const [least, most] = spread[peer] ?? [];
    console.log(`  ${peer}: ${value} (${least} to ${most})`);
  }
  for (const [peer, why] of Object.entries(leftOut)) console.log(`  ${peer} left out: ${why}`);
}
