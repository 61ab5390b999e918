import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { plot } from '../../../scripts/bench/page/growth.ts';
import { fillPage, type Run } from '../../../scripts/bench/page/page.ts';
import { partTable } from '../../../scripts/bench/page/tables.ts';
import { type Part, toPart } from '../../../scripts/bench/part.ts';
import { parts } from '../../../scripts/bench/parts.ts';

const cost = (wallMs: number, peakMiB: number) => ({
  wallMs,
  peakMiB,
  cpuMs: 100,
  exitCode: 0,
  stdout: '',
  serverShare: 0.25,
});
const part: Part = toPart(
  [
    { name: 'sidecar-sweeper', costs: [cost(1_000, 50), cost(2_000, 50), cost(1_000, 50)] },
    { name: 'loop', costs: [cost(3_000, 100), cost(2_000, 100), cost(4_000, 100)] },
    { name: 'many processes', costs: [cost(5_000, Number.NaN)] },
  ],
  { loop: 'vsLoop', 'many processes': 'vsMany' },
);
const machine = {
  cpu: 'a CPU',
  cores: 2,
  memoryGiB: 8,
  system: 'Linux 6.1',
  node: 'v20.19.0',
  kubectl: 'not installed',
  load: 0.5,
  day: '2026-01-01',
};

describe('a part', () => {
  it('compares medians, and has the extremes of single rounds', () => {
    expect(part.ratios).toEqual({ vsLoop: 3, vsLoopMemory: 2, vsMany: 5 });
    expect(part.spread['vsLoop']).toEqual([1, 4]);
  });

  it('is a table with each ratio beside its way, and with what was left out', () => {
    const lines = partTable({ ...part, leftOut: { vsSlow: 'would take a day' } }).split('\n');
    expect(lines[3]).toBe('| loop | 3 | 3 s | 0.1 s | 100 MiB | 25 % | `vsLoop` | 3 (1 to 4) | 2 (2 to 2) |');
    expect(lines.at(-1)).toBe('`vsSlow` was left out: would take a day.');
  });
});

it('a plot leaves out what was not measured at every size, and names its lines from the top', () => {
  const [low, high] = part.rows as [Part['rows'][0], Part['rows'][0]];
  const lines = [
    { name: 'low', rows: [low, low] },
    { name: 'high', rows: [low, high] },
    { name: 'gap', rows: [low, undefined] },
  ];
  const drawn = plot(['1k', '10k'], lines, { title: 'seconds', measureOf: ({ wallMs }) => wallMs / 1_000 });
  expect(drawn.match(/line .*/g)).toEqual(['line [1, 3]', 'line [1, 1]']);
  expect(drawn).toMatch(/right end: high; low\.$/);
});

it('docs/performance.md has a place for every figure, and stays the same around them', () => {
  const page = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8');
  const names = Object.keys(parts);
  const run: Run = {
    machine,
    parts: Object.fromEntries(names.map((name) => [name, part])),
    seconds: Object.fromEntries(names.map((name) => [name, 1])),
  };
  const filled = fillPage(page, run);
  for (const name of names) expect(filled).toContain(name);
  expect(fillPage(filled, run)).toBe(filled);
  expect(filled).not.toContain('failed in the last run');
  expect(fillPage(page, { ...run, parts: {} })).toContain(
    '### scan-30k\n\nThis part failed in the last run.',
  );
});

it('a run of some parts writes the tables that it measured whole, and no others', () => {
  const page = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8');
  const only = (...names: readonly string[]) =>
    fillPage(page, {
      machine,
      parts: Object.fromEntries(names.map((name) => [name, part])),
      seconds: Object.fromEntries(names.map((name) => [name, 1])),
    });
  const tableAt = (text: string, mark: string) => text.split(`<!-- ${mark} -->\n`)[1]?.split('<!-- /')[0];
  const filled = only('hanging-nodes', 'scan-30k');
  expect(tableAt(filled, 'hanging-nodes')).toContain('| loop |');
  expect(tableAt(filled, 'machine')).toContain('Linux 6.1');
  for (const mark of ['scan', 'scan-growth', 'sweep', 'durations']) {
    expect(tableAt(filled, mark)).toBe(tableAt(page, mark));
  }
});
