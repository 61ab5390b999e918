import * as z from 'zod';
import { policyFile } from '../policy/file.ts';
import { podExplanation } from './explanation.ts';
import { scan } from './scan.ts';
import { sweepReport } from './schema.ts';

/** The JSON Schema (2020-12) of the report, from the same source as its types. */
export function reportJsonSchema(): object {
  return {
    $id: 'https://sidecar-sweeper.dev/schemas/v1/sweep-report.json',
    title: 'SweepReport',
    ...z.toJSONSchema(sweepReport, { io: 'output', reused: 'ref' }),
  };
}

/** The JSON Schema of policy files, for editors. */
export function policyJsonSchema(): object {
  return {
    $id: 'https://sidecar-sweeper.dev/schemas/v1/sweep-policy.json',
    title: 'SweepPolicy',
    ...z.toJSONSchema(policyFile, { io: 'input', reused: 'ref' }),
  };
}

/** The JSON Schema of what `scan` says. */
export function scanJsonSchema(): object {
  return {
    $id: 'https://sidecar-sweeper.dev/schemas/v1/scan.json',
    title: 'Scan',
    ...z.toJSONSchema(scan, { io: 'output', reused: 'ref' }),
  };
}

/** The JSON Schema of what `explain` says. */
export function explanationJsonSchema(): object {
  return {
    $id: 'https://sidecar-sweeper.dev/schemas/v1/pod-explanation.json',
    title: 'PodExplanation',
    ...z.toJSONSchema(podExplanation, { io: 'output', reused: 'ref' }),
  };
}
