import * as z from 'zod';
import { policyFile } from '../policy/file.ts';
import { accessReport } from './access/access.ts';
import { podExplanation } from './explain/explanation.ts';
import { profileList } from './profiles/profiles.ts';
import { scan } from './scan/scan.ts';
import { sweepReport } from './schema.ts';

/** The JSON Schemas (2020-12) of all documents that are written or read, by their file names in docs/. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    'sweep-report': toSchema('sweep-report', 'SweepReport', sweepReport, 'output'),
    'sweep-policy': toSchema('sweep-policy', 'SweepPolicy', policyFile, 'input'),
    scan: toSchema('scan', 'Scan', scan, 'output'),
    'pod-explanation': toSchema('pod-explanation', 'PodExplanation', podExplanation, 'output'),
    'access-report': toSchema('access-report', 'AccessReport', accessReport, 'output'),
    'profile-list': toSchema('profile-list', 'ProfileList', profileList, 'output'),
  };
}

function toSchema(name: string, title: string, schema: z.ZodType, io: 'input' | 'output'): object {
  return {
    $id: `https://sidecar-sweeper.dev/schemas/v1/${name}.json`,
    title,
    ...z.toJSONSchema(schema, { io, reused: 'ref' }),
  };
}
