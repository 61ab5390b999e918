import type { Part } from '../part.ts';
import { parts as allParts, scanSizes, sidecarKinds, sweepSizes } from '../parts.ts';
import { growthTable, linesOf, plot } from './growth.ts';
import type { Machine } from './machine.ts';
import { partTable, table } from './tables.ts';

/** A run of all parts; those that failed are missing. */
export interface Run {
  readonly machine: Machine;
  readonly parts: Readonly<Record<string, Part>>;
  readonly seconds: Readonly<Record<string, number>>;
}

/** Writes the figures of a run between the marks of a page. Those that need a part that was not run stay as they were. */
export function fillPage(page: string, run: Run): string {
  return Object.entries(figuresOf(run)).reduce((text, [mark, { of, figures }]) => {
    if (!of.every((part) => Object.hasOwn(run.seconds, part))) return text;
    const [begin, end] = [`<!-- ${mark} -->\n`, `<!-- /${mark} -->`];
    const [before, rest] = text.split(begin);
    const [old, after] = rest?.split(end) ?? [];
    if (before === undefined || old === undefined || after === undefined) {
      throw new Error(`the page has no mark ${mark}`);
    }
    return `${before}${begin}${figures}\n${end}${after}`;
  }, page);
}

/** What stands at a mark, and the parts that it tells of. */
interface Marked {
  readonly of: readonly string[];
  readonly figures: string;
}

function figuresOf({ machine, parts, seconds }: Run): Readonly<Record<string, Marked>> {
  const partTableOf = (name: string) => (parts[name] ? partTable(parts[name]) : failed);
  const tables = (of: readonly string[]): Marked => ({
    of,
    figures: of.map((name) => `### ${name}\n\n${partTableOf(name)}`).join('\n\n'),
  });
  const withFacts = (name: string): Marked => ({
    of: [name],
    figures: [partTableOf(name), factsOf(parts[name])].filter(Boolean).join('\n\n'),
  });
  const scanSizeNames = Object.keys(scanSizes);
  const scans = scanSizeNames.map((size) => `scan-${size}`);
  const tenths = scanSizeNames.slice(0, -1);
  const sweepSizeNames = Object.keys(sweepSizes);
  const sweeps = sweepSizeNames.flatMap((size) => sidecarKinds.map((kind) => `sweep-${size}-${kind}`));
  const scanLines = linesOf(scans.map((name) => parts[name]));
  const tenthLines = linesOf(scans.slice(0, -1).map((name) => parts[name]));
  const sweepLines = sidecarKinds.map((kind) => ({
    name: `${kind} sidecars`,
    rows: sweepSizeNames.map((size) => parts[`sweep-${size}-${kind}`]?.rows[0]),
  }));
  const time = { title: 'seconds', measureOf: (row: { wallMs: number }) => row.wallMs / 1000 };
  const memory = { title: 'MiB', measureOf: (row: { peakMiB?: number }) => row.peakMiB };
  const measured = Object.keys(seconds);
  return {
    machine: { of: [], figures: machineTable(machine) },
    'scan-growth': { of: scans, figures: growthTable(scanSizeNames, scanLines) },
    'scan-time': {
      of: scans,
      figures: plot(
        tenths,
        tenthLines.filter(({ name }) => name !== 'kubectl, all pods'),
        time,
      ),
    },
    'scan-memory': { of: scans, figures: plot(scanSizeNames, scanLines.slice(0, 1), memory) },
    scan: tables(scans),
    'sweep-growth': { of: sweeps, figures: growthTable(sweepSizeNames, sweepLines) },
    'sweep-time': { of: sweeps, figures: plot(sweepSizeNames, sweepLines, time) },
    sweep: tables(sweeps),
    start: tables(['start-version', 'start-help', 'start-first-request']),
    'hanging-nodes': withFacts('hanging-nodes'),
    shards: withFacts('shards'),
    limited: withFacts('limited'),
    durations: {
      of: Object.keys(allParts),
      figures: table([
        ['part', 'takes'],
        ...measured.map((name) => [`\`${name}\``, `${Math.round(seconds[name] ?? 0)} s`]),
      ]),
    },
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
