// `npm run bench`: every figure is a ratio of what was measured side by side in one run. See docs/performance.md.
import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { readMachine } from './page/machine.ts';
import { fillPage } from './page/page.ts';
import { type Part, toJson } from './part.ts';
import { parts } from './parts.ts';
import { printPart } from './print.ts';
import { type Fill, realParts } from './real/parts.ts';

const page = new URL('../docs/performance.md', import.meta.url);

interface Flags {
  readonly only?: string;
  readonly json?: boolean;
  readonly write?: boolean;
  readonly rounds: number;
  readonly real?: boolean;
  readonly fill?: number;
  readonly namespace?: string;
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
  .option('--real', 'measure scans of the cluster of the current kubeconfig; writes nothing there')
  .option(
    '--fill <pods>',
    'with --real, also measure sweeps of this many pods, in a namespace that is made and removed',
    Number,
  )
  .option('--namespace <name>', 'the name of that namespace, which must not exist (default: generated)')
  .parse()
  .opts<Flags>();
const problem = problemOf(flags);
if (problem !== undefined) fail(problem);
const offered = flags.real ? realParts(fillOf(flags)) : parts;
const names = flags.only?.split(',') ?? Object.keys(offered);
const unknown = names.find((name) => !(name in offered));
if (unknown !== undefined)
  fail(`there is no part ${unknown}; the parts are ${Object.keys(offered).join(', ')}`);

const machine = readMachine();
const measured: Record<string, Part> = {};
const seconds: Record<string, number> = {};
for (const name of names) {
  process.stderr.write(`${name}\n`);
  const began = performance.now();
  const part = await offered[name]?.(flags.rounds);
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

function problemOf({ real, fill, namespace, write, only, rounds }: Flags): string | undefined {
  const isCount = (value: number) => Number.isInteger(value) && value > 0;
  if (!isCount(rounds)) return '--rounds takes a whole number from 1';
  if (fill !== undefined && !isCount(fill)) return '--fill takes a whole number from 1';
  if (fill !== undefined && !real) return '--fill needs --real';
  if (namespace !== undefined && fill === undefined) return '--namespace needs --fill';
  if (write && (real || only !== undefined))
    return '--write needs all parts, so it excludes --only and --real';
  return undefined;
}

function fillOf({
  fill,
  namespace = `sidecar-sweeper-bench-${Math.random().toString(36).slice(2, 9)}`,
}: Flags): Fill | undefined {
  return fill === undefined ? undefined : { namespace, pods: fill };
}

function fail(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}
