import * as z from 'zod';
import { stepSpec } from '../methods/index.ts';
import * as job from '../model/job.ts';
import * as outcome from '../model/outcome.ts';
import { sign } from '../model/signs.ts';
import * as step from '../model/step.ts';
import * as evidence from '../model/verdict.ts';
import * as verdict from '../model/verdict.ts';
import * as warning from '../model/warning.ts';
import { policyFile } from '../policy/file.ts';
import { profile } from '../policy/profile.ts';
import { rule } from '../policy/rules.ts';
import { accessReport } from './access.ts';
import { advice } from './advise.ts';
import { podExplanation } from './explain/explanation.ts';
import { history, usage } from './history/schema.ts';
import type { SchemaName } from './names.ts';
import { profileList } from './profiles.ts';
import { scan } from './scan-schema.ts';
import * as schemas from './schema.ts';

export function jsonSchemas(): Readonly<Record<SchemaName, object>> {
  return {
    'sweep-report': toSchema('sweep-report', 'SweepReport', sweepReport, 'output'),
    'sweep-policy': toSchema('sweep-policy', 'SweepPolicy', policyFile, 'input'),
    history: toSchema('history', 'History', history, 'output'),
    scan: toSchema('scan', 'Scan', scan, 'output'),
    advice: toSchema('advice', 'Advice', advice, 'output'),
    'pod-explanation': toSchema('pod-explanation', 'PodExplanation', podExplanation, 'output'),
    'access-report': toSchema('access-report', 'AccessReport', accessReport, 'output'),
    'profile-list': toSchema('profile-list', 'ProfileList', profileList, 'output'),
  };
}

const model = [evidence, job, outcome, step, verdict, warning];

/** What several documents have in common is named in all of them alike, for those who generate types from it. */
const named = z.registry<{ readonly id: string }>();
const { apiVersion, sweepReport, ...parts } = schemas;
const composed: readonly string[] = ['object', 'union', 'enum', 'array'];
for (const [name, part] of [...model, parts, { stepSpec, sign, profile, rule, usage }].flatMap(
  Object.entries<unknown>,
)) {
  if (part instanceof z.ZodType && composed.includes(part.type)) named.add(part, { id: capitalised(name) });
}

/** The schema of what is written, or of what is read: there, what has a default may be missing. */
function toSchema(name: string, title: string, schema: z.ZodType, io: 'input' | 'output'): object {
  return {
    $id: idOf(name),
    title,
    ...z.toJSONSchema(schema, {
      io,
      metadata: named,
      override({ zodSchema, jsonSchema }) {
        const { description } = z.globalRegistry.get(zodSchema) ?? {};
        if (description !== undefined) jsonSchema.description = description;
        // The name is the key under $defs; here it would be a keyword that no validator knows.
        delete jsonSchema.id;
        // Of any integer, JavaScript holds no more exactly.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      },
    }),
  };
}

function capitalised(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function idOf(name: string): string {
  return `https://sidecar-sweeper.dev/schemas/v1/${name}.json`;
}
