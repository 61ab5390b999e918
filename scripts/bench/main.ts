// `npm run bench`: every figure is a ratio of what was measured side by side in one run. See docs/internals/performance.md.
import { readFile, writeFile } from 'node:fs/promises';
import { type Asked, readFlags } from './flags.ts';
import { readMachine } from './machine.ts';
import { fillPage } from './page.ts';
import { type Part, toJson } from './part.ts';
import { figures } from './tables.ts';

const page = new URL('../../docs/internals/performance.md', import.meta.url);

const asked = readFlags();
const machine = readMachine();
const measured = await runParts(asked);
if (asked.write && process.exitCode !== 1) {
  await writeFile(page, fillPage(await readFile(page, 'utf8'), machine, measured));
}
if (asked.json) {
  const printed = Object.entries(measured).map(([name, part]) => [name, toJson(part)]);
  console.log(JSON.stringify(Object.fromEntries(printed), undefined, 2));
} else console.log(figures(measured));

/** A part that fails does not keep the others from running; the exit code is 1 then. */
async function runParts({ parts, rounds }: Asked): Promise<Readonly<Record<string, Part>>> {
  const measured: Record<string, Part> = {};
  for (const [name, measure] of Object.entries(parts)) {
    process.stderr.write(`${name}\n`);
    const began = performance.now();
    try {
      measured[name] = await measure(rounds);
    } catch (error) {
      process.stderr.write(`error: ${name}: ${error instanceof Error ? error.message : error}\n`);
      process.exitCode = 1;
    }
    process.stderr.write(`  took ${Math.round((performance.now() - began) / 1_000)} s\n`);
  }
  return measured;
}
