import type { Part } from '../part.ts';
import { scanSizes, sidecarKinds, sweepSizes } from '../parts.ts';
import { growthTable, linesOf, plot } from './growth.ts';
import type { Machine } from './machine.ts';
import { partTable, table } from './tables.ts';

/** A run of all parts; those that failed are missing. */
export interface Run {
  readonly machine: Machine;
  readonly parts: Readonly<Record<string, Part>>;
  readonly seconds: Readonly<Record<string, number>>;
}

/** Writes the figures of a run between the marks of a page. */
export function fillPage(page: string, run: Run): string {
  return Object.entries(figuresOf(run)).reduce((text, [mark, figures]) => {
    const [begin, end] = [`<!-- ${mark} -->\n`, `<!-- /${mark} -->`];
    const [before, rest] = text.split(begin);
    const [old, after] = rest?.split(end) ?? [];
    if (before === undefined || old === undefined || after === undefined) {
      throw new Error(`the page has no mark ${mark}`);
    }
    return `${before}${begin}${figures}\n${end}${after}`;
  }, page);
}

function figuresOf({ machine, parts, seconds }: Run): Readonly<Record<string, string>> {
  const figures = (name: string) => (parts[name] ? partTable(parts[name]) : failed);
  const tables = (names: readonly string[]) =>
    names.map((name) => `### ${name}\n\n${figures(name)}`).join('\n\n');
  const scans = Object.keys(scanSizes);
  const tenths = scans.slice(0, -1);
  const sweeps = Object.keys(sweepSizes);
  const scanLines = linesOf(scans.map((size) => parts[`scan-${size}`]));
  const tenthLines = linesOf(tenths.map((size) => parts[`scan-${size}`]));
  const sweepLines = sidecarKinds.map((kind) => ({
    name: `${kind} sidecars`,
    rows: sweeps.map((size) => parts[`sweep-${size}-${kind}`]?.rows[0]),
  }));
  const time = { title: 'seconds', measureOf: (row: { wallMs: number }) => row.wallMs / 1000 };
  const memory = { title: 'MiB', measureOf: (row: { peakMiB?: number }) => row.peakMiB };
  return {
    machine: machineTable(machine),
    'scan-growth': growthTable(scans, scanLines),
    'scan-time': plot(
      tenths,
      tenthLines.filter(({ name }) => name !== 'kubectl, all pods'),
      time,
    ),
    'scan-memory': plot(scans, scanLines.slice(0, 1), memory),
    scan: tables(scans.map((size) => `scan-${size}`)),
    'sweep-growth': growthTable(sweeps, sweepLines),
    'sweep-time': plot(sweeps, sweepLines, time),
    sweep: tables(sweeps.flatMap((size) => sidecarKinds.map((kind) => `sweep-${size}-${kind}`))),
    start: tables(Object.keys(seconds).filter((name) => name.startsWith('start-'))),
    'hanging-nodes': `${figures('hanging-nodes')}\n\n${factsOf(parts['hanging-nodes'])}`,
    limited: `${figures('limited')}\n\n${factsOf(parts['limited'])}`,
    durations: table([
      ['part', 'takes'],
      ...Object.entries(seconds).map(([name, took]) => [`\`${name}\``, `${Math.round(took)} s`]),
    ]),
  };
}

const failed = 'This part failed in the last run.';

function factsOf(part: Part | undefined): string {
  if (!part) return '';
  const facts = Object.entries(part.facts);
  return table([facts.map(([name]) => `\`${name}\``), facts.map(([, value]) => `${value}`)]);
}

function machineTable({ cpu, cores, memoryGiB, system, node, kubectl, load, day }: Machine): string {
  return table([
    ['fact', 'value'],
    ['CPU', `${cpu}, ${cores} cores`],
    ['memory', `${memoryGiB} GiB`],
    ['system', system],
    ['Node', node],
    ['kubectl', kubectl],
    ['load average before the first part', load.toFixed(2)],
    ['day', day],
  ]);
}
