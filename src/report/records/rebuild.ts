import type * as z from 'zod';
import { object, text, whole } from '../../model/schema.ts';
import { printable, someOf } from '../../util/text.ts';
import { many } from '../format.ts';
import { groupsOf } from '../groups.ts';
import { apiVersion } from '../names.ts';
import { type PodReport, type SweepReport, sweepReport } from '../schema.ts';
import { fromDifference } from './alike.ts';
import { listKinds, listOfKind } from './fields.ts';
import { type ReadableRecord, readPod, readRecord } from './schema.ts';

const apiGroup = apiVersion.slice(0, apiVersion.indexOf('/') + 1);

/** More characters than any version of ours has. */
const mostOfVersion = 80;

/** The records of one run, by their place in it: collectors deliver a line at least once. */
type Run = Map<number, ReadableRecord>;

export interface Rebuilt {
  readonly reports: readonly SweepReport[];
  /** Records that must have been written, because the last one of their run counts them, and were not found. */
  readonly lost: number;
  /** Records that say themselves what they left out. */
  readonly shortened: number;
  /** Runs of which the last record is missing, so that there is no report. */
  readonly unfinished: number;
}

export type Found =
  | { readonly kind: 'Read' }
  /** A report of another version or, without one, a damaged report. */
  | { readonly kind: 'Unreadable'; readonly apiVersion: string | undefined }
  | { readonly kind: 'Other' };

/** Collects records and whole reports, in any order, and makes reports of them. */
export class Rebuild {
  readonly #runs = new Map<string, Run>();
  readonly #whole = new Map<string, SweepReport>();

  takeRecord(value: { readonly entry: unknown }): Found {
    const data = readRecord(value);
    // The last record of a run is its report; any other that cannot be read counts as lost.
    if (!data) return isReport(value.entry) ? unreadable(value.entry) : { kind: 'Other' };
    const run = this.#runs.get(data['run.id']) ?? new Map();
    this.#runs.set(data['run.id'], run.set(data.index, data));
    return { kind: 'Read' };
  }

  takeReport(value: { readonly apiVersion: string }): Found {
    const { data } = sweepReport.safeParse(value);
    if (!data) return unreadable(value);
    this.#whole.set(data.run.id, data);
    return { kind: 'Read' };
  }

  rebuilt(): Rebuilt {
    const reports = [...this.#whole.values()];
    let lost = 0;
    let shortened = 0;
    let unfinished = 0;
    for (const [id, run] of this.#runs) {
      if (this.#whole.has(id)) continue;
      const records = [...run.values()].sort((a, b) => a.index - b.index);
      shortened += records.filter(({ leftOut }) => leftOut).length;
      const last = records.at(-1);
      if (last?.kind !== 'Summary') unfinished++;
      else {
        const { report, isLost } = reportOf(last.entry as SweepReport, run);
        reports.push(report);
        lost += last.index + 1 - records.length + isLost;
      }
    }
    const startOf = ({ run }: SweepReport) => Date.parse(run.startedAt);
    reports.sort((a, b) => startOf(a) - startOf(b));
    return { reports, lost, shortened, unfinished };
  }
}

/** Whether it is a report of this program, of whatever version: others may print the name of its kind. */
export function isReport(value: unknown): value is { readonly apiVersion: string } {
  if (typeof value !== 'object' || value === null || !('kind' in value && 'apiVersion' in value))
    return false;
  const { kind, apiVersion } = value;
  return kind === 'SweepReport' && typeof apiVersion === 'string' && apiVersion.startsWith(apiGroup);
}

function unreadable({ apiVersion: version }: { readonly apiVersion: string }): Found {
  return {
    kind: 'Unreadable',
    apiVersion: version === apiVersion ? undefined : printable(version, mostOfVersion),
  };
}

/** The Summary is the report with nothing in its lists. Lost are pods that are like one whose record is missing. */
function reportOf(summary: SweepReport, run: Run): { readonly report: SweepReport; readonly isLost: number } {
  const records = [...run.values()].sort((a, b) => a.index - b.index);
  let isLost = 0;
  const lists = listKinds.map((kind) => {
    const entries = records
      .filter((record) => record.kind === kind)
      .flatMap((record) => {
        const entry = record.like === undefined ? record.entry : podOf(record, run.get(record.like));
        if (entry === undefined) isLost++;
        return entry === undefined ? [] : [entry];
      });
    return [listOfKind[kind], entries] as const;
  });
  const filled = lists.filter(([list, entries]) => entries.length > 0 || summary[list] !== undefined);
  return { report: { ...summary, ...Object.fromEntries(filled) }, isLost };
}

function podOf({ entry, fields }: ReadableRecord, first: ReadableRecord | undefined): PodReport | undefined {
  if (first?.kind !== 'Pod' || first.like !== undefined) return undefined;
  return readPod(fromDifference(first.entry as PodReport, entry, fields));
}

export const unreadableReports = object('reports of one file that cannot be read', {
  file: text('the name of the file, or stdin'),
  apiVersion: text(
    'their apiVersion, which this version cannot read; missing if they are damaged or were written by a later version',
  ).optional(),
  reports: whole('how many there are'),
});
export type UnreadableReports = z.infer<typeof unreadableReports>;

export function describeUnreadable(all: readonly UnreadableReports[]): readonly string[] {
  return groupsOf(all, ({ apiVersion = '' }) => apiVersion).map((same) => {
    const [{ apiVersion }] = same;
    const reports = same.reduce((sum, one) => sum + one.reports, 0);
    // What a later version adds to the same apiVersion cannot be told from damage.
    const why =
      apiVersion === undefined ? 'damaged, or written by a later version' : `of apiVersion ${apiVersion}`;
    return `cannot read ${many(reports, 'report')} in ${someOf(same.map(({ file }) => file))}: ${why}`;
  });
}

export function describeTruncated({ truncated }: { readonly truncated: number }): string {
  return `${many(truncated, 'line')} ${truncated === 1 ? 'was' : 'were'} cut off`;
}
