import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runValidate } from '../../../src/cli/commands/validate.ts';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { profileList } from '../../../src/report/profiles.ts';
import { runHere } from '../../kit/run-here.ts';
import { temporaryFolder } from '../../kit/started.ts';

const folder = temporaryFolder('policies');

const head = 'apiVersion: sidecar-sweeper.dev/v1\nkind: SweepPolicy\n';

function policy(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, head + text);
  return file;
}

const wrong = policy(
  'wrong.yaml',
  'minAge: soon\nprofiles:\n  - name: a\n    containers: [a]\n    images: [a]\n    steps:\n      - htpp: { port: 1 }\nnope: 1\n',
);
const soon = 'minAge: write a duration such as 90s, 5m or 1h30m';

describe('validate', () => {
  it('prints every problem with its line', async () => {
    const problems = [
      `:3: ${soon}`,
      ':9: profiles.0.steps.0: unknown field: htpp',
      ':10: the policy: unknown field: nope',
    ];
    const stderr = problems.map((problem) => `${wrong}${problem}\n`).join('');
    expect(await runHere(['validate', wrong])).toEqual({ exitCode: 2, stdout: '', stderr });
  });

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

describe('profiles', () => {
  const names = (stdout: string) => profileList.parse(JSON.parse(stdout)).profiles.map(({ name }) => name);

  it('prints the catalogue as JSON and as a table', async () => {
    const { stdout } = await runHere(['profiles', '-o', 'json']);
    expect(names(stdout)).toEqual(catalogue.map(({ name }) => name));
    expect(JSON.parse(stdout).profiles[0].steps[0]).toBe('POST :15020/quitquitquit, ends with 0, within 15s');
    const table = (await runHere(['profiles', '-o', 'table'])).stdout;
    expect(table).toMatch(/^istio: container istio-proxy of image proxyv2, /m);
    expect(table).toMatch(/^ {2}1\. POST :15020\/quitquitquit, ends with 0, within 15s$/m);
    for (const { name } of catalogue) expect(table).toContain(`${name}: container `);
  });
});
