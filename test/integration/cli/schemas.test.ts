import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../../cli.ts';
import { stuckPod, TestCluster } from '../stuck-pods.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await TestCluster.start([stuckPod(), stuckPod({ name: 'young', endedMinutesAgo: 1 })]);
});
afterAll(() => cluster.stop());

const validator = new Ajv2020({
  formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) },
});

/** What a published schema finds wrong with a document. */
function problemsOf(schema: string, document: unknown): unknown {
  const published = readFileSync(new URL(`../../../docs/${schema}.schema.json`, import.meta.url), 'utf8');
  const validate = validator.compile(JSON.parse(published));
  validate(document);
  return validate.errors;
}

it.each([
  ['scan', ['scan']],
  ['advice', ['advise']],
  ['pod-explanation', ['explain', 'demo/stuck']],
  ['access-report', ['check-access', '--events']],
  ['profile-list', ['profiles']],
])('the published schema %s describes what %j prints', async (schema, argv) => {
  const env = { KUBECONFIG: await cluster.kubeconfig() };
  const { stdout } = await runCli([...argv, '-o', 'json'], { env });
  expect(problemsOf(schema, JSON.parse(stdout))).toBeNull();
});

it('the published schema sweep-report describes what a sweep prints', async () => {
  const { report } = await cluster.sweep(['--verbose']);
  expect(problemsOf('sweep-report', report)).toBeNull();
});
