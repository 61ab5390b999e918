import type { Resources } from '../../model/pod.ts';
import { many, minuteOf, number } from '../amounts.ts';
import { describeCounts } from '../counts.ts';
import { describeTruncated, describeUnreadable } from '../records/unreadable.ts';
import { formatCpu, formatMemory } from '../resources.ts';
import { elapsed } from '../times.ts';
import type { History } from './schema.ts';

/** What a history says in a few sentences. */
export function summaryOf({ period, read, totals, clusters }: History): readonly string[] {
  if (!period) return ['There is no report of a sweep in what was read.', ...dryRunsOf(read)];
  const { pods, ended, gone, stuck, reserved, withoutRequests } = totals;
  const of = clusters.length > 1 ? ` of ${many(clusters.length, 'cluster')}` : '';
  const span = `${minuteOf(period.from)} to ${minuteOf(period.to)} UTC (${elapsed(period.from, period.to)})`;
  return [
    `${span}: ${many(read.sweeps, 'sweep')}${of}.`,
    pods === 0
      ? 'No pod was stuck.'
      : `${many(pods, 'pod')} ${pods === 1 ? 'was' : 'were'} stuck: sweeps ended ${number(ended)}, ${number(gone)} ended or went away otherwise, ${number(stuck)} ${stuck === 1 ? 'is' : 'are'} still stuck.`,
    ...(stuck > 0 ? [`What is still stuck ${describeReserved(reserved)}.`] : []),
    ...(withoutRequests > 0 ? [unknownWaste(totals)] : []),
  ];
}

/** They take a place on their nodes all the same. */
export function unknownWaste({ withoutRequests }: Pick<History['totals'], 'withoutRequests'>): string {
  const [have, they] = withoutRequests === 1 ? ['has', 'it'] : ['have', 'they'];
  return `${many(withoutRequests, 'pod')} ${have} no resource requests: what ${they} wasted is unknown and not counted.`;
}

function describeReserved({ cpu, memory }: Resources): string {
  if (cpu === 0 && memory === 0) return 'reserves nothing, as its pods have no requests';
  return `reserves ${formatCpu(cpu)} CPU and ${formatMemory(memory)} of memory`;
}

/** What sweeps did to Jobs, in a sentence; undefined if nothing. */
export function harmOf({ totals: { harm } }: History): string | undefined {
  const harms = describeCounts(harm, number);
  return harms === '' ? undefined : `Harm by sweeps: ${harms} (see docs/unclean-exits.md).`;
}

/** What may be missing, and what is not counted. */
export function caveatsOf({ period, read }: History): readonly string[] {
  const { stoppedEarly, unread, braked, copies, unfinished, lost, truncated, unreadable } = read;
  const parts = [
    ...(stoppedEarly > 0 ? [`${number(stoppedEarly)} stopped early`] : []),
    ...(unread > 0 ? [`${number(unread)} could not read all of their scope`] : []),
    ...(braked > 0 ? [`${number(braked)} sent nothing, because it was for too many pods`] : []),
  ];
  return [
    ...(parts.length > 0 ? [`Of ${many(read.reports, 'report')}, ${parts.join(', ')}.`] : []),
    ...(period ? dryRunsOf(read) : []),
    ...(copies > 0
      ? [`${many(copies, 'report')} ${copies === 1 ? 'was' : 'were'} there before: not counted again.`]
      : []),
    ...(unfinished > 0 ? [`The last record of ${many(unfinished, 'run')} is missing: not counted.`] : []),
    ...(lost > 0
      ? [
          `${many(lost, 'record')} of the other runs ${lost === 1 ? 'is' : 'are'} missing: there may be more stuck pods.`,
        ]
      : []),
    ...(truncated > 0 ? [`${describeTruncated(read)}.`] : []),
    ...describeUnreadable(unreadable).map((found) => `${found}.`),
  ];
}

function dryRunsOf({ dryRuns }: History['read']): readonly string[] {
  if (dryRuns === 0) return [];
  return [`${many(dryRuns, 'dry run')} ${dryRuns === 1 ? 'is' : 'are'} not counted: nothing was ended.`];
}
