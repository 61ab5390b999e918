import * as z from 'zod';
import { policyFile } from '../policy/file.ts';
import { accessReport } from './access/access.ts';
import { advice } from './advise/advice.ts';
import { podExplanation } from './explain/explanation.ts';
import { history } from './history/schema.ts';
import { profileList } from './profiles/profiles.ts';
import { scan } from './scan/scan.ts';
import { apiVersion, sweepReport } from './schema.ts';

/** The JSON Schemas (2020-12) of all documents that are written or read, by their file names in docs/. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    'sweep-report': toSchema('sweep-report', 'SweepReport', sweepReport, 'output'),
    'sweep-policy': toSchema('sweep-policy', 'SweepPolicy', policyFile, 'input'),
    'sweep-report-list': toListSchema('sweep-report-list', 'SweepReportList', 'sweep-report'),
    history: toSchema('history', 'History', history, 'output'),
    scan: toSchema('scan', 'Scan', scan, 'output'),
    'scan-list': toListSchema('scan-list', 'ScanList', 'scan'),
    advice: toSchema('advice', 'Advice', advice, 'output'),
    'advice-list': toListSchema('advice-list', 'AdviceList', 'advice'),
    'pod-explanation': toSchema('pod-explanation', 'PodExplanation', podExplanation, 'output'),
    'access-report': toSchema('access-report', 'AccessReport', accessReport, 'output'),
    'profile-list': toSchema('profile-list', 'ProfileList', profileList, 'output'),
  };
}

function toSchema(name: string, title: string, schema: z.ZodType, io: 'input' | 'output'): object {
  return { $id: idOf(name), title, ...z.toJSONSchema(schema, { io, reused: 'ref' }) };
}

/** What several clusters gave, one item each. */
function toListSchema(name: string, title: string, of: string): object {
  return {
    $id: idOf(name),
    title,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    description: 'With several contexts: one item for each cluster',
    type: 'object',
    properties: {
      apiVersion: { const: apiVersion.value },
      kind: { const: title },
      items: { type: 'array', items: { $ref: idOf(of) } },
    },
    required: ['apiVersion', 'kind', 'items'],
    additionalProperties: false,
  };
}

function idOf(name: string): string {
  return `https://sidecar-sweeper.dev/schemas/v1/${name}.json`;
}
