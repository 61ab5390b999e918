// `npm run bench`: every figure is a ratio of what was measured side by side in one run. See docs/performance.md.
import { readFile, writeFile } from 'node:fs/promises';
import { type Asked, readFlags } from './flags.ts';
import { readMachine } from './page/machine.ts';
import { fillPage, type Run } from './page/page.ts';
import { type Part, toJson } from './part.ts';
import { printPart } from './print.ts';

const page = new URL('../../docs/performance.md', import.meta.url);

const asked = readFlags();
const run = await runParts(asked);
if (asked.write) await writeFile(page, fillPage(await readFile(page, 'utf8'), run));
const results = Object.entries(run.parts);
if (asked.json) {
  const printed = Object.fromEntries(results.map(([name, part]) => [name, toJson(part)]));
  console.log(JSON.stringify(printed, undefined, 2));
} else for (const [name, part] of results) printPart(name, part);

/** A part that fails does not keep the others from running; the exit code is 1 then. */
async function runParts({ parts, rounds }: Asked): Promise<Run> {
  const machine = readMachine();
  const measured: Record<string, Part> = {};
  const seconds: Record<string, number> = {};
  for (const [name, measure] of Object.entries(parts)) {
    process.stderr.write(`${name}\n`);
    const began = performance.now();
    try {
      measured[name] = await measure(rounds);
    } catch (error) {
      process.stderr.write(`error: ${name}: ${error instanceof Error ? error.message : error}\n`);
      process.exitCode = 1;
    }
    seconds[name] = (performance.now() - began) / 1_000;
    process.stderr.write(`  took ${Math.round(seconds[name])} s\n`);
  }
  return { machine, parts: measured, seconds };
}
