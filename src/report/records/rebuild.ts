import * as z from 'zod';
import { object, text, whole } from '../../model/schema.ts';
import { someOf } from '../../util/text.ts';
import { ifAny, many } from '../format.ts';
import { apiVersion } from '../names.ts';
import { type PodReport, type SweepReport, sweepReport } from '../schema.ts';
import { fromDifference } from './alike.ts';
import { type Fields, type ListKind, listKinds, listOfKind } from './fields.ts';

const { excluded, ...lists } = sweepReport.shape;
const shapes = { ...lists, excluded: excluded.unwrap() };

/** The `entry` of each kind of record, the same as in the report; the Summary is the report with nothing in its lists. */
function readEntry(kind: ListKind | 'Summary', entry: unknown): unknown {
  return (kind === 'Summary' ? sweepReport : shapes[listOfKind[kind]].element).safeParse(entry).data;
}

/** The fields of a record that are needed: collectors remove `time`, `level` and `message`. */
const anyRecord = z.object({
  'run.id': z.string(),
  index: z.int().nonnegative(),
  kind: z.enum(['Summary', ...listKinds]),
  like: z.int().nonnegative().optional(),
});

interface ReadRecord extends z.infer<typeof anyRecord> {
  /** In a record with `like`, only the part of a pod that differs from the other record. */
  readonly entry: unknown;
  readonly fields: Fields;
}

/** Collects records and whole reports, in any order, and makes reports of them. */
export class Rebuild {
  /** The records of each run, by their place in it: collectors deliver a line at least once. */
  readonly #runs = new Map<string, Map<number, ReadRecord>>();
  readonly #whole = new Map<string, SweepReport>();
  /** How many there are in each file. */
  readonly #unreadable = new Map<string, number>();

  /** Takes a record. Ignores other values; a record that cannot be read counts as lost, unless it is the report at the end of a run. */
  takeRecord(value: { readonly entry: unknown }, file: string): void {
    const { data: record } = anyRecord.safeParse(value);
    const entry = record?.like === undefined ? record && readEntry(record.kind, value.entry) : value.entry;
    if (!record || entry === undefined) {
      if (isReport(value.entry)) this.#countUnreadable(file);
      return;
    }
    const run = this.#runs.get(record['run.id']) ?? new Map();
    this.#runs.set(record['run.id'], run.set(record.index, { ...record, entry, fields: value }));
  }

  takeReport(value: object, file: string): void {
    const { data } = sweepReport.safeParse(value);
    const copy = data && this.#whole.get(data.run.id);
    if (!data) this.#countUnreadable(file);
    // A copy may have been merged while records were missing.
    else if (!copy || data.pods.length > copy.pods.length) this.#whole.set(data.run.id, data);
  }

  rebuilt() {
    const runs = [...this.#runs].filter(([id]) => !this.#whole.has(id)).map(([, run]) => rebuiltRun(run));
    const reports = [...this.#whole.values(), ...runs.flatMap(({ report }) => report ?? [])];
    const startOf = ({ run }: SweepReport) => Date.parse(run.startedAt);
    return {
      reports: reports.sort((a, b) => startOf(a) - startOf(b)),
      lost: runs.reduce((sum, { lost }) => sum + lost, 0),
      unfinished: runs.filter(({ report }) => !report).length,
      unreadable: [...this.#unreadable].map(([file, reports]) => ({ file, reports })),
    };
  }

  #countUnreadable(file: string): void {
    this.#unreadable.set(file, (this.#unreadable.get(file) ?? 0) + 1);
  }
}

/** The Summary with its lists filled. Pods that are like one whose record is missing are lost as well. */
function rebuiltRun(run: ReadonlyMap<number, ReadRecord>): { report?: SweepReport; lost: number } {
  const records = [...run.values()].sort((a, b) => a.index - b.index);
  const last = records.at(-1);
  if (last?.kind !== 'Summary') return { lost: 0 };
  const summary = last.entry as SweepReport;
  let lost = last.index + 1 - records.length;
  const lists = listKinds.map((kind) => {
    const own = records.filter((record) => record.kind === kind);
    const entries = own.flatMap((record) => {
      const { entry, like } = record;
      return (like === undefined ? entry : podLike(record, run.get(like))) ?? [];
    });
    lost += own.length - entries.length;
    return [listOfKind[kind], entries] as const;
  });
  const filled = lists.filter(([list, entries]) => entries.length > 0 || summary[list] !== undefined);
  return { report: { ...summary, ...Object.fromEntries(filled) }, lost };
}

function podLike({ entry, fields }: ReadRecord, first: ReadRecord | undefined): unknown {
  if (first?.kind !== 'Pod' || first.like !== undefined) return undefined;
  return readEntry('Pod', fromDifference(first.entry as PodReport, entry, fields));
}

/** A report of any version of this program: other programs may print the name of its kind. */
const anyReport = z.object({
  apiVersion: z.string().startsWith(apiVersion.slice(0, apiVersion.indexOf('/') + 1)),
  kind: z.literal('SweepReport'),
});

export function isReport(value: unknown): boolean {
  return anyReport.safeParse(value).success;
}

export const unreadableReports = object('reports of one file that cannot be read', {
  file: text('the name of the file, or stdin'),
  reports: whole('how many there are'),
});
export type UnreadableReports = z.infer<typeof unreadableReports>;

/** What a later version adds to a report looks like damage. */
export function describeUnreadable(all: readonly UnreadableReports[]): readonly string[] {
  const reports = all.reduce((sum, one) => sum + one.reports, 0);
  const files = someOf(all.map(({ file }) => file));
  return ifAny(
    reports,
    `cannot read ${many(reports, 'report')} in ${files}: damaged, or written by another version`,
  );
}

export function describeTruncated({ truncated }: { readonly truncated: number }): string {
  return `${many(truncated, 'line')} ${truncated === 1 ? 'was' : 'were'} cut off`;
}
