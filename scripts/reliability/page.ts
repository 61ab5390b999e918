import { groupsOf } from '../../src/util/groups.ts';
import type { Counted } from '../../test/faults/tally.ts';
import { type ClusterFigures, clusterTable } from '../../test/kit/random/figures.ts';
import type { Machine } from '../bench/machine.ts';
import { table } from '../bench/tables.ts';
import { fillMark } from '../marks.ts';
import type { Tallied } from './tallied.ts';

/** What `npm run reliability` found. */
export interface Reliability {
  readonly machine: Machine;
  readonly seconds: number;
  readonly counted: Tallied;
  readonly clusters: ClusterFigures;
}

/** docs/internals/reliability.md with the figures of a run. */
export function fillPage(page: string, { machine, seconds, counted, clusters }: Reliability): string {
  const marks = {
    totals: table([
      ['figure', 'of this run'],
      ...Object.entries(names).map(([what, name]) => [name, String(counted[what as Counted].all)]),
    ]),
    machine: machineLine(machine, seconds),
    rows: rowTable(counted),
    clusters: clusterTable(clusters),
  };
  return Object.entries(marks).reduce((text, [mark, content]) => fillMark(text, mark, content), page);
}

/** The page with the figures of a long run of random clusters. */
export function fillLong(page: string, { machine, seconds, clusters }: Reliability): string {
  return fillMark(page, 'long', `${machineLine(machine, seconds)}\n\n${clusterTable(clusters)}`);
}

/** What each figure is called; those that must be 0 come last. */
const names: Readonly<Record<Counted, string>> = {
  faults: 'faults served and survived, each at one point where it can happen',
  badInputs: 'bad inputs tried',
  permissions: 'sets of permissions tried',
  interleavings: 'interleavings of two sweepers',
  sweeps: 'sweeps after which report and cluster were compared',
  leaks: 'sockets, timers, listeners or memory left behind',
  mainsTouched: 'main containers touched',
  outcomesLost: 'outcomes lost',
  falseEnds: 'outcomes that the cluster contradicts',
};

/** How many cases each row of the catalogue had, or else sweeps: a line for each of its tables. */
function rowTable({ faults, badInputs, permissions, interleavings, sweeps }: Tallied): string {
  const cases = [faults, badInputs, permissions, interleavings];
  const rows = [...new Set([...cases, sweeps].flatMap(({ by }) => Object.keys(by)))]
    .filter((row) => /^[A-E]\d+$/.test(row))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  const sumOf = (row: string) => cases.reduce((sum, { by }) => sum + (by[row] ?? 0), 0);
  const lines = groupsOf(rows, (row) => row.charAt(0)).map((group) =>
    group.map((row) => `${row} ${sumOf(row) || sweeps.by[row]}`).join(', '),
  );
  return table([['cases of each row'], ...lines.map((line) => [line])]);
}

function machineLine({ cpu, cores, memoryGiB, system, node, day }: Machine, seconds: number): string {
  const took = `${Math.round(seconds / 60)} minutes`;
  return `On ${day}, in ${took}: Node ${node}, ${system}, ${cores} cores (${cpu}), ${memoryGiB} GiB.`;
}
