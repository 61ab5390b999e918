import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { runValidate } from '../../../src/cli/commands/validate.ts';
import { catalogue } from '../../../src/policy/catalogue.ts';
import { profileList } from '../../../src/report/profiles/profiles.ts';
import { runCli } from '../../kit/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'sidecar-sweeper-policies-'));
afterAll(() => rmSync(folder, { recursive: true }));

const head = 'apiVersion: sidecar-sweeper.dev/v1\nkind: SweepPolicy\n';

function policy(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const wrong = policy(
  'wrong.yaml',
  `${head}minAge: soon\nprofiles:\n  - name: a\n    containers: [a]\n    images: [a]\n    steps:\n      - htpp: { port: 1 }\nnope: 1\n`,
);

describe('validate', () => {
  it('accepts a valid policy', async () => {
    const file = policy('right.yaml', `${head}minAge: 10m\n`);
    expect(await runCli(['validate', file])).toEqual({
      exitCode: 0,
      stdout: `${file} is a valid SweepPolicy\n`,
      stderr: '',
    });
  });

  it('prints every problem with its line, and exits 2', async () => {
    expect(await runCli(['validate', wrong])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: [
        `${wrong}:3: minAge: write a duration such as 90s, 5m or 1h30m\n`,
        `${wrong}:9: profiles.0.steps.0: unknown field: htpp\n`,
        `${wrong}:10: the policy: unknown field: nope\n`,
      ].join(''),
    });
  });

  it('prints names in a file without what could control a terminal', async () => {
    const file = policy('raw.yaml', `${head}"\\e]0;mine\\a\\u202e": 1\n`);
    expect(await runCli(['validate', file])).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `${file}:3: the policy: unknown field:  ]0;mine\n`,
    });
  });

  it('reads stdin, which has lines as well', async () => {
    const piped = async (policy: string) => {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const exitCode = await runValidate('-', { stdin: Readable.from([policy]), stdout, stderr });
      return { exitCode, stdout: await text(stdout.end()), stderr: await text(stderr.end()) };
    };
    expect(await piped(`${head}minAge: 10m\n`)).toEqual({
      exitCode: 0,
      stdout: 'stdin is a valid SweepPolicy\n',
      stderr: '',
    });
    expect(await piped(`${head}minAge: soon\n`)).toMatchObject({
      exitCode: 2,
      stderr: 'stdin:3: minAge: write a duration such as 90s, 5m or 1h30m\n',
    });
  });

  it.each([
    ['a missing file', join(folder, 'missing.yaml'), 'cannot be read: it does not exist'],
    ['a folder', folder, 'cannot be read: it is a directory'],
    ['invalid YAML', policy('no.yaml', 'kind: SweepPolicy\na: [1\n'), 'no.yaml:3: '],
    ['an empty file', policy('empty.yaml', ''), 'empty.yaml:1: '],
    [
      'a manifest of another kind',
      policy('pod.yaml', 'apiVersion: v1\nkind: Pod\n'),
      'pod.yaml:1: apiVersion',
    ],
  ])('of %s prints the problem without a stack trace, and exits 2', async (_what, file, message) => {
    const { exitCode, stderr } = await runCli(['validate', file]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

it('a sweep with an invalid policy prints the first problem and points to validate', async () => {
  expect(await runCli(['--policy', wrong])).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `sidecar-sweeper: ${wrong}:3: minAge: write a duration such as 90s, 5m or 1h30m (and 2 more; validate lists them)\n`,
  });
});

describe('profiles', () => {
  const names = (stdout: string) => profileList.parse(JSON.parse(stdout)).profiles.map(({ name }) => name);

  it('prints the catalogue as JSON and as a table', async () => {
    const { stdout } = await runCli(['profiles', '-o', 'json']);
    expect(names(stdout)).toEqual(catalogue.map(({ name }) => name));
    expect(JSON.parse(stdout).profiles[0].steps[0]).toEqual({
      method: 'Http',
      does: 'POST :15020/quitquitquit',
      exitCode: 0,
      graceMs: 15_000,
    });
    const table = (await runCli(['profiles', '-o', 'table'])).stdout;
    expect(table).toMatch(/^istio: container istio-proxy of image proxyv2, /m);
    expect(table).toMatch(/^ {2}1\. +POST :15020\/quitquitquit +ends with 0 +within 15s$/m);
    for (const { name } of catalogue) expect(table).toContain(`${name}: container `);
  });

  it('reflects the changes of a policy', async () => {
    const own = { name: 'mine', containers: ['mine'], images: ['acme/mine'], steps: [{ signal: ['INT'] }] };
    const istio = { ...own, name: 'istio' };
    const change = { profiles: [own, istio], removeProfiles: ['dapr'] };
    const file = policy(
      'change.json',
      JSON.stringify({ apiVersion: 'sidecar-sweeper.dev/v1', kind: 'SweepPolicy', ...change }),
    );
    const { stdout } = await runCli(['profiles', '-o', 'json', '--policy', file]);
    const others = catalogue.map(({ name }) => name).filter((name) => name !== 'istio' && name !== 'dapr');
    expect(names(stdout)).toEqual(['mine', 'istio', ...others]);
    expect(JSON.parse(stdout).profiles[1].containers).toEqual(['mine']);
  });
});
