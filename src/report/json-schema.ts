import { z } from 'zod';
import { sweepReport } from './schema.ts';

/** The JSON Schema (2020-12) of the report, from the same source as its types. */
export function reportJsonSchema(): object {
  return {
    $id: 'https://sidecar-sweeper.dev/schemas/v1/sweep-report.json',
    title: 'SweepReport',
    ...z.toJSONSchema(sweepReport, { io: 'output', reused: 'ref' }),
  };
}
