import * as z from 'zod';
import { stepSpec } from '../methods/index.ts';
import * as job from '../model/job.ts';
import * as outcome from '../model/outcome.ts';
import { sign } from '../model/signs.ts';
import * as step from '../model/step.ts';
import * as verdict from '../model/verdict.ts';
import * as warning from '../model/warning.ts';
import { policyFile } from '../policy/policy-file.ts';
import { profile } from '../policy/profile.ts';
import { rule } from '../policy/rules.ts';
import { accessReport } from './access.ts';
import { advice } from './advise.ts';
import { podExplanation } from './explain/explanation.ts';
import { history, usage } from './history/schema.ts';
import { type SchemaName, schemaNames } from './names.ts';
import { profileList } from './profiles.ts';
import * as scanSchemas from './scan-schema.ts';
import * as schemas from './schema.ts';
import { reasonPages } from './texts/reasons.ts';

const { apiVersion, scan, ...common } = scanSchemas;
const { sweepReport, ...parts } = schemas;

const documents: Readonly<Record<SchemaName, z.ZodType>> = {
  'sweep-report': sweepReport,
  'sweep-policy': policyFile,
  history,
  scan,
  advice,
  'pod-explanation': podExplanation,
  'access-report': accessReport,
  'profile-list': profileList,
};

export function jsonSchemas(): Readonly<Record<SchemaName, object>> {
  const all = schemaNames.map((name) => [name, toSchema(name, documents[name])] as const);
  return Object.fromEntries(all) as Record<SchemaName, object>;
}

const model = [job, outcome, step, verdict, warning];

/** Parts that several documents share have the same name in all of them, so that types can be generated from them. */
const named = z.registry<{ readonly id: string }>();
const composed: readonly string[] = ['object', 'union', 'enum', 'array'];
for (const [name, part] of [...model, common, parts, { stepSpec, sign, profile, rule, usage }].flatMap(
  Object.entries<unknown>,
)) {
  if (part instanceof z.ZodType && composed.includes(part.type)) named.add(part, { id: capitalised(name) });
}

/** For a policy, it is the schema of the input, in which fields with a default may be missing. */
function toSchema(name: SchemaName, schema: z.ZodType): object {
  return {
    $id: `https://sidecar-sweeper.dev/schemas/v1/${name}.json`,
    title: name.split('-').map(capitalised).join(''),
    ...z.toJSONSchema(schema, {
      io: schema === policyFile ? 'input' : 'output',
      metadata: named,
      override({ zodSchema, jsonSchema }) {
        const { description = titleOf(zodSchema) } = z.globalRegistry.get(zodSchema) ?? {};
        if (description !== undefined) jsonSchema.description = description;
        // The name is the key under $defs; here it would be a keyword that no validator knows.
        delete jsonSchema.id;
        // Zod adds the largest integers that JavaScript holds exactly; they are no limits of ours.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      },
    }),
  };
}

/** What docs/reasons.md says of a kind that has no other meaning. */
function titleOf(schema: z.core.$ZodType): string | undefined {
  const kind = schema instanceof z.ZodObject ? schema.shape['kind'] : undefined;
  return kind instanceof z.ZodLiteral ? reasonPages.get(String(kind.value))?.title : undefined;
}

function capitalised(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
