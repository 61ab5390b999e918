import * as z from 'zod';
import { sweepReport } from '../schema.ts';
import type { ListKind } from './kinds.ts';

const { unread, undecided, excluded, neverStarted, notStartedAgain, hanging, pods, warnings } =
  sweepReport.shape;

/** What the `entry` of each kind of record is, the same as in the report. */
export const entries = {
  Unread: unread.element,
  Undecided: undecided.element,
  Excluded: excluded.unwrap().element,
  NeverStarted: neverStarted.element,
  NotStartedAgain: notStartedAgain.element,
  Hanging: hanging.unwrap().element,
  Pod: pods.element,
  Warning: warnings.element,
  Summary: sweepReport,
} as const satisfies Record<ListKind | 'Summary', z.ZodType>;

export const place = {
  'run.id': z.string().describe('the run that it belongs to, as in the report'),
  index: z.int().nonnegative().describe('the place of the record in its run; the Summary has the last one'),
};

/** As much of a record as is needed to rebuild the report: collectors take `time`, `level` and `message` out. */
const read = <K extends ListKind | 'Summary'>(kind: K) =>
  z.object({
    ...place,
    kind: z.literal(kind),
    entry: entries[kind],
    leftOut: z.array(z.string()).optional(),
  });

export const readableRecord = z.discriminatedUnion('kind', [
  read('Unread'),
  read('Undecided'),
  read('Excluded'),
  read('NeverStarted'),
  read('NotStartedAgain'),
  read('Hanging'),
  read('Pod'),
  read('Warning'),
  read('Summary'),
]);
export type ReadableRecord = z.infer<typeof readableRecord>;
