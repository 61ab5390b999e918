import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { runHere } from '../../kit/run-here.ts';
import { hangingPod, stuckPod, TestCluster } from '../../kit/stuck-pods.ts';

const cluster = TestCluster.startedOnce([
  stuckPod(),
  stuckPod({ name: 'young', endedMinutesAgo: 1 }),
  stuckPod({ name: 'waiting', states: { sidecar: { kind: 'waiting' } } }),
  hangingPod({ name: 'hanging' }),
]);

const validator = new Ajv2020({
  formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) },
});

function problemsOf(schema: string, document: unknown): unknown {
  const published = readFileSync(new URL(`../../../dist/schemas/${schema}.json`, import.meta.url), 'utf8');
  const parsed = JSON.parse(published);
  const validate = validator.getSchema(parsed.$id) ?? validator.compile(parsed);
  validate(document);
  return validate.errors;
}

it.each([
  ['scan', ['scan']],
  ['advice', ['advise']],
  ['pod-explanation', ['explain', 'demo/stuck']],
  ['access-report', ['check-access']],
  ['profile-list', ['profiles']],
])('the published schema %s describes what %j prints', async (schema, argv) => {
  const env = { KUBECONFIG: await cluster.kubeconfig() };
  const { stdout } = await runHere([...argv, '-o', 'json'], env);
  expect(problemsOf(schema, JSON.parse(stdout))).toBeNull();
});

it('schema prints each of them, and without a name the names', async () => {
  const folder = new URL('../../../dist/schemas/', import.meta.url);
  const names = (await runHere(['schema'])).stdout.trimEnd().split('\n');
  expect(readdirSync(folder).sort()).toEqual(names.map((name) => `${name}.json`).sort());
  const { stdout, exitCode } = await runHere(['schema', 'sweep-report']);
  expect(exitCode).toBe(0);
  expect(stdout).toBe(readFileSync(new URL('sweep-report.json', folder), 'utf8'));
});

it('the published schema sweep-report describes what a sweep prints', async () => {
  const { report } = await cluster.sweepHere(['--verbose']);
  expect(problemsOf('sweep-report', report)).toBeNull();
});
