import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { missingPrograms } from '../../kit/needs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const bench = (...argv: readonly string[]) =>
  run(process.execPath, ['--import', 'tsx', 'scripts/bench/main.ts', ...argv], { cwd: root });

const positive = z.number().positive();
const row = z.strictObject({
  name: z.string(),
  ratio: z.string().optional(),
  rounds: z.literal(1),
  wallMs: positive,
  cpuMs: z.number().nonnegative(),
  peakMiB: positive.optional(),
  serverShare: positive,
});
const part = z.object({
  wallMs: positive,
  cpuMs: positive,
  peakMiB: positive,
  rounds: z.literal(1),
  spread: z.record(z.string(), z.tuple([positive, positive])),
  leftOut: z.record(z.string(), z.string()),
  rows: z.array(row),
});
const hasKubectl = missingPrograms('kubectl') === undefined;

it('prints the ratios of a scan under plain names, with their spread', async () => {
  const ratios = {
    vsBareRead: positive,
    vsPlainNode: positive,
    ...(hasKubectl && { vsKubectlSelector: positive, vsKubectlAll: positive }),
  };
  const shape = z.strictObject({ 'scan-1k': part.extend(ratios) });
  const { stdout } = await bench('--only', 'scan-1k', '--rounds', '1', '--json');
  const printed = shape.parse(JSON.parse(stdout))['scan-1k'];
  expect(Object.keys(printed.spread)).toEqual(expect.arrayContaining(Object.keys(ratios)));
});

it('prints the ratios of a sweep under plain names, with their spread', async () => {
  const ratios = {
    vsBareLoop: positive,
    vsSlotHolding: positive,
    ...(hasKubectl && { vsXargsKubectl: positive }),
    withoutWaitsOverBareLoop: z.number(),
  };
  const shape = z.strictObject({ 'sweep-100-clean': part.extend({ ...ratios, waitsMs: positive }) });
  const { stdout } = await bench('--only', 'sweep-100-clean', '--rounds', '1', '--json');
  const printed = shape.parse(JSON.parse(stdout))['sweep-100-clean'];
  expect(Object.keys(printed.spread)).toEqual(expect.arrayContaining(Object.keys(ratios)));
});

it('answers an unknown part with one line and exit code 2', async () => {
  await expect(bench('--only', 'scan-2k', '--json')).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^error: there is no part scan-2k; the parts are start-version, .*limited\n$/,
    ),
  });
});
