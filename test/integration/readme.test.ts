import { expect, it } from 'vitest';
import { sweepReport } from '../../src/report/schema.ts';
import { normalise, outputInReadme, runDemo } from '../demo/readme.ts';
import { processesAvailable } from '../emulator/world/runtime/processes.ts';

const why = processesAvailable();
const skipped = why === undefined ? '' : ` (skipped, README shows real processes: ${why})`;

it.skipIf(why !== undefined)(`README shows what the demo prints${skipped}`, async () => {
  expect(normalise(await outputInReadme())).toBe(normalise(await runDemo()));
});

it('the demo prints nothing but the report when JSON is asked for', async () => {
  const report: unknown = JSON.parse(await runDemo(['-o', 'json']));
  expect(sweepReport.safeParse(report).error).toBeUndefined();
});
