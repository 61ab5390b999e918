import { expect, it } from 'vitest';
import { adviseOn, describeCures } from '../../../src/report/cures.ts';

const vault = { name: 'vault-agent', image: 'docker.io/hashicorp/vault:1.20' };

it.each<readonly [title: string, namespaces: readonly (string | undefined)[], where: string]>([
  ['its namespace', ['etl', 'etl'], '-n etl'],
  ['a few namespaces', ['etl', 'web'], '-n etl -n web'],
  ['all namespaces if it is in many', ['a', 'b', 'c', 'd'], '-A'],
  ['all namespaces if not all of them are known', [undefined], '-A'],
])('the cure of a sidecar is asked for %s', (_title, namespaces, where) => {
  expect(adviseOn(namespaces.map((namespace) => ({ namespace })))).toBe(`sidecar-sweeper advise ${where}`);
});

it.each([
  ['istio-proxy', 'docker.io/istio/proxyv2:1.27.0', 'native since 1.19, by its own tool'],
  ['fluent-bit', 'docker.io/fluent/fluent-bit:4.1', 'native, in its template'],
  ['datadog-agent', 'gcr.io/datadoghq/agent:7', 'by its settings, not as a native sidecar'],
])('%s could be cured for good', (name, image, how) => {
  expect(describeCures([{ name, image, namespace: 'etl' }])).toContain(`(${name}: ${how}):`);
});

it('the cures of all sidecars are one sentence, which names those that are cured alike together', () => {
  const own = ['a', 'b', 'c', 'd'].map((name) => ({ name, image: `acme/${name}:1`, namespace: 'etl' }));
  expect(describeCures([...own, { ...vault, namespace: 'etl' }])).toBe(
    'to cure for good (a, b, c and 1 more: native, if its template has it; vault-agent: native, by an admission policy):',
  );
});
