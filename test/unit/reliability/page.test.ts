import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fillLong, fillPage, type Reliability } from '../../../scripts/reliability/page.ts';
import { sumTally } from '../../../scripts/reliability/tallied.ts';
import { noFigures } from '../../kit/random/figures.ts';

const page = readFileSync(new URL('../../../docs/reliability.md', import.meta.url), 'utf8');

const lines = [
  { what: 'faults', row: 'A10', count: 5 },
  { what: 'badInputs', row: 'A10', count: 7 },
  { what: 'faults', row: 'brand new', count: 1 },
  { what: 'propertyRuns', row: 'secrecy', count: 1_000 },
];
const run: Reliability = {
  machine: {
    cpu: 'a fast one',
    cores: 2,
    memoryGiB: 8,
    system: 'Linux 6',
    node: 'v22',
    kubectl: 'v1.32',
    load: 0.1,
    day: '2026-11-22',
  },
  seconds: 600,
  counted: sumTally(lines.map((line) => JSON.stringify(line)).join('\n')),
  clusters: { ...noFigures, clusters: 3, first: 7 },
};

describe('docs/reliability.md', () => {
  it('has a place for every figure of a run', () => {
    const filled = fillPage(page, run);
    expect(filled).toContain('| faults served and survived, each at one point where it can happen | 6 |');
    expect(filled).toContain('| A10 | 12 |');
    expect(filled).toContain('| secrecy | 1000 |');
    expect(filled).toContain('| clusters | 3 (seeds 7 to 9) |');
    expect(filled).toContain('On 2026-11-22, in 10 minutes: Node v22');
  });

  it('has a place for a long run, which changes nothing else', () => {
    const [before] = page.split('<!-- long -->');
    expect(fillLong(page, run).split('<!-- long -->')[0]).toBe(before);
    expect(fillLong(page, run)).toContain('| secrecy | 1000 |');
  });

  it('says of every row of the catalogue what the product does, and where that is tested', () => {
    const rows = [...page.matchAll(/^\| ([A-E]\d+) \|(?: [^|]+ \|){4}$/gm)].map(([, row]) => row);
    const all = { A: 18, B: 12, C: 11, D: 9, E: 5 };
    for (const [part, most] of Object.entries(all)) {
      for (let index = 1; index <= most; index++) expect(rows).toContain(`${part}${index}`);
    }
  });
});
