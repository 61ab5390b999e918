import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runValidate } from '../../../src/cli/policy.ts';
import { runHere } from '../../kit/run-here.ts';
import { fileIn, temporaryFolder } from '../../kit/started.ts';

const folder = temporaryFolder('policies');

const head = 'apiVersion: sidecar-sweeper.dev/v1\nkind: SweepPolicy\n';

const policy = (name: string, text: string) => fileIn(folder, name, head + text);

const wrong = policy(
  'wrong.yaml',
  'minAge: soon\nprofiles:\n  - name: a\n    containers: [a]\n    images: [a]\n    steps:\n      - htpp: { port: 1 }\nnope: 1\n',
);
const soon = 'minAge: write a duration such as 90s, 5m or 1h30m';

describe('validate', () => {
  it.each([
    ['10m', 0, 'stdin is a valid SweepPolicy\n', ''],
    ['soon', 2, '', `stdin:3: ${soon}\n`],
  ])('reads stdin, which has lines as well: %s', async (minAge, exitCode, stdout, stderr) => {
    const [out, err] = [new PassThrough(), new PassThrough()];
    const stdin = Readable.from([`${head}minAge: ${minAge}\n`]);
    expect(await runValidate('-', { stdin, stdout: out, stderr: err })).toBe(exitCode);
    expect([await text(out.end()), await text(err.end())]).toEqual([stdout, stderr]);
  });
});

it('a sweep with an invalid policy prints the first problem and points to validate', async () => {
  const stderr = `sidecar-sweeper: ${wrong}:3: ${soon} (and 2 more; validate lists them)\n`;
  expect(await runHere(['--policy', wrong])).toEqual({ exitCode: 2, stdout: '', stderr });
});
