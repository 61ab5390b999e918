import { fillMark } from '../marks.ts';
import type { Machine } from './machine.ts';
import type { Part } from './part.ts';
import { figures, table } from './tables.ts';

/** docs/internals/performance.md with the figures of a run of all parts. */
export function fillPage(page: string, machine: Machine, parts: Readonly<Record<string, Part>>): string {
  return fillMark(fillMark(page, 'machine', machineTable(machine)), 'figures', figures(parts));
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
