import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toFamilies } from '../../../src/metrics/families.ts';
import { finished, listed, reportOf, started } from '../../builders/report.ts';

const monitoring = new URL('../../../manifests/monitoring/', import.meta.url);

/** The metrics that a file queries. */
function namedIn(file: string): readonly string[] {
  return readFileSync(new URL(file, monitoring), 'utf8').match(/\bsidecar_sweeper_[a-z_]+/g) ?? [];
}

const published = toFamilies(reportOf(started(), ...listed(), finished), 0).map(({ name }) => name);
const asked = new Set([...namedIn('dashboard.json'), ...namedIn('rules.yaml')]);

it('every metric is on the dashboard or in an alert', () => {
  expect(published.filter((name) => !asked.has(name))).toEqual([]);
});

it('every metric on the dashboard and in the alerts is published', () => {
  expect(asked.size).toBeGreaterThan(10);
  expect([...asked].filter((name) => !published.includes(name))).toEqual([]);
});
