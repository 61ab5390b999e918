import { expect, it } from 'vitest';
import { describeCures } from '../../../src/report/cures.ts';

const vault = { name: 'vault-agent', image: 'docker.io/hashicorp/vault:1.20' };

it.each<readonly [title: string, namespaces: readonly (string | undefined)[], where: string]>([
  ['its namespace', ['etl', 'etl'], '-n etl'],
  ['all namespaces if it is in several', ['etl', 'web'], '-A'],
  ['all namespaces if not all of them are known', [undefined], '-A'],
])('the cure of a sidecar is asked for %s', (_title, namespaces, where) => {
  const cures = describeCures(namespaces.map((namespace) => ({ ...vault, namespace })));
  expect(cures).toEqual([
    `to cure vault-agent for good (native, by an admission policy): sidecar-sweeper advise ${where}`,
  ]);
});
