import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { problemOf } from './check-call.ts';
import { optionOf, runLine } from './stand-ins.ts';
import { readWorkflow, steps } from './workflows.ts';

const lines = steps.flatMap(({ run, env = {} }) => (run === undefined ? [] : [{ line: run, env }]));
const runs = await Promise.all(
  lines.map(async (each) => ({ ...each, ...(await runLine(each.line, each.env)) })),
);
const calls = runs.flatMap((run) => run.calls);

describe('a run line of the workflows', () => {
  it.each(runs)('$line', (run) => {
    const hint = 'a program that must not run in a test needs a stand-in (stand-ins.ts, check-call.ts)';
    expect(run, hint).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.calls.map(problemOf)).toEqual(run.calls.map(() => undefined));
    expect(run.calls).not.toEqual([]);
  });
});

it('.ci/run installs what is missing, then runs everything, with nothing skipped', () => {
  const script = runs.find(({ line }) => line.endsWith('.ci/run'))?.calls ?? [];
  expect(script.map(({ program, args }) => [program, ...args].join(' '))).toEqual([
    'apt-get update -qq',
    expect.stringMatching(
      /^apt-get install -y -qq --no-install-recommends kubernetes-client procps .* chromium$/,
    ),
    'npm ci',
    'npm test',
    'npm run test:slow',
    'npm run test:faults',
    'npm run test:properties',
    'npm run demo',
  ]);
  const ofNpm = script.filter(({ program }) => program === 'npm');
  expect(ofNpm.map(({ nothingSkipped }) => nothingSkipped)).toEqual(ofNpm.map(() => '1'));
});

it('the e2e suite swaps in the image that was built and loaded', () => {
  const [built, loaded] = ['docker', 'kind'].map(
    (name) => calls.find(({ program }) => program === name)?.args,
  );
  const image = optionOf(built ?? [], '--tag');
  const suite = runs.find(({ line }) => line === 'npm run test:e2e');
  expect(loaded?.slice(0, 3)).toEqual(['load', 'docker-image', image]);
  expect(suite?.env['E2E_NOOP_IMAGE']).toBe(`docker.io/library/${image}`);
});

it('a tag that is not the version of the package releases nothing', async () => {
  const [check = ''] = readWorkflow('release.yml').jobs['test']?.steps.flatMap(({ run }) => run ?? []) ?? [];
  expect((await runLine(check)).exitCode).toBe(0);
  expect((await runLine(check, { GITHUB_REF_NAME: 'v99.0.0' })).exitCode).toBe(1);
});

it('a release has the archive, which is also published, and the krew manifest with its sum', () => {
  const sum = createHash('sha256').update('packed\n').digest('hex');
  const manifest = runs.map(({ files }) => files['sweep-sidecars.yaml']).find((text) => text !== undefined);
  const { platforms } = parse(manifest ?? '').spec;
  expect(platforms.map(({ sha256 }: { readonly sha256: string }) => sha256)).toEqual([sum]);
  const archive = 'sidecar-sweeper-*.tgz';
  const [published, released] = ['npm publish', 'gh release'].map((start) =>
    calls.map(({ program, args }) => [program, ...args].join(' ')).find((call) => call.startsWith(start)),
  );
  expect(published).toContain(archive);
  expect(released).toContain(archive);
  expect(released).toContain('sweep-sidecars.yaml');
});

describe('what tries the lines', () => {
  it.each([
    ['helm version', 'a program without a stand-in'],
    ['sudo -E npm ci', "sudo without the caller's PATH"],
    ['false\nnpm ci', 'a script of which a line fails before the last'],
  ])('fails %s: %s', async (line) => {
    expect((await runLine(line)).exitCode).not.toBe(0);
  });

  it.each([
    'npm run test:e3e',
    'docker build --target nop .',
    'kind load docker-image noop:1 --name kind',
    'apt-get upgrade',
  ])('says why %s cannot work', async (line) => {
    const { exitCode, calls } = await runLine(line);
    expect(exitCode).toBe(0);
    expect(calls.map(problemOf)).toEqual([expect.any(String)]);
  });
});
