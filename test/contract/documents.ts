import { jsonSchemas } from '../../src/report/json-schema.ts';
import { apiVersion } from '../../src/report/schema.ts';
import type { Schema } from './fields.ts';

/** The schemas of what the program prints; lists and lines of what is described elsewhere say nothing of their own. */
export function reportSchemas(): readonly Schema[] {
  const { 'sweep-policy': _policy, ...printed } = jsonSchemas();
  const others = ['sweep-record', 'sweep-report-list', 'scan-list', 'advice-list'];
  return Object.entries(printed).flatMap(([name, schema]) =>
    others.includes(name) ? [] : [schema as Schema],
  );
}

const [, version] = apiVersion.value.split('/');

/** The schemas as they were promised with this version. */
export const contractFolder = new URL(`../../docs/contract/${version}/`, import.meta.url);
