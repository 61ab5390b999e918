import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from '../kit/run-here.ts';

const folder = join(import.meta.dirname, '..', '..', 'examples', 'policies');

it.each(readdirSync(folder))('validate finds nothing wrong with examples/policies/%s', async (name) => {
  const file = join(folder, name);
  const valid = { exitCode: 0, stdout: `${file} is a valid SweepPolicy\n`, stderr: '' };
  expect(await runHere(['validate', file], {})).toEqual(valid);
});
