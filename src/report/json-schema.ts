import * as z from 'zod';
import { policyFile } from '../policy/file.ts';
import { podExplanation } from './explanation.ts';
import { scan } from './scan.ts';
import { sweepReport } from './schema.ts';

/** The JSON Schema (2020-12) of the report, from the same source as its types. */
export function reportJsonSchema(): object {
  return toSchema('sweep-report', 'SweepReport', sweepReport, 'output');
}

/** The JSON Schema of policy files, for editors. */
export function policyJsonSchema(): object {
  return toSchema('sweep-policy', 'SweepPolicy', policyFile, 'input');
}

/** The JSON Schema of what `scan` says. */
export function scanJsonSchema(): object {
  return toSchema('scan', 'Scan', scan, 'output');
}

/** The JSON Schema of what `explain` says. */
export function explanationJsonSchema(): object {
  return toSchema('pod-explanation', 'PodExplanation', podExplanation, 'output');
}

function toSchema(name: string, title: string, schema: z.ZodType, io: 'input' | 'output'): object {
  return {
    $id: `https://sidecar-sweeper.dev/schemas/v1/${name}.json`,
    title,
    ...z.toJSONSchema(schema, { io, reused: 'ref' }),
  };
}
